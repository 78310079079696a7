import { digestText } from '../base/canonicalJson.ts';
import type { ApprovalCard } from '../shared/approvalCard.ts';
import type { PromptCard, PromptSummary } from '../shared/promptCard.ts';
import { argumentsPreview, cut } from './preview.ts';

/** The line that stands for a card in the list of what waits. */
export function promptSummary(card: PromptCard): PromptSummary {
  const { id, digest, kind, serverId, askedAt } = card;
  const { title, preview, caller, severity } = lineOf(card);
  return {
    id,
    digest,
    kind,
    serverId,
    askedAt,
    title: cut(title, 200),
    caller: cut(caller ?? '', 100),
    preview: cut(preview.replaceAll(/\s+/g, ' '), 200),
    ...(card.kind === 'approval' && card.isDraft !== true ? { group: groupOf(card) } : {}),
    ...('call' in card && card.call !== undefined ? { callId: card.call.callId } : {}),
    ...(severity === undefined ? {} : { severity }),
  };
}

interface Line extends Pick<PromptSummary, 'title' | 'preview' | 'severity'> {
  readonly caller?: string;
}

function lineOf(card: PromptCard): Line {
  switch (card.kind) {
    case 'approval': {
      const caution = card.change !== undefined || card.notes.some((note) => note.severity === 'caution');
      return {
        title: card.tool.name,
        caller: card.caller.label,
        preview: argumentsPreview(card.arguments),
        ...(caution ? { severity: 'caution' } : card.notes.length > 0 ? { severity: 'info' } : {}),
      };
    }
    case 'form':
      return { title: 'Asks for input', preview: card.message };
    case 'url': {
      const caution = card.warnings.length > 0 || card.blocked !== undefined;
      return {
        title: 'Asks to open a link',
        preview: card.host,
        ...(caution ? { severity: 'caution' } : {}),
      };
    }
    case 'sampling':
      return { title: 'Asks a model', preview: firstText(card.messages.at(-1)?.parts ?? []) };
    case 'review':
      return {
        title: card.subject === 'toolResult' ? 'Result to review' : 'Answer to review',
        preview: `${card.source}: ${firstText(card.parts)}`,
      };
    case 'launch': {
      const { launch } = card;
      const preview = launch.kind === 'http' ? launch.url : [launch.command, ...launch.args].join(' ');
      return { title: 'Wants to start', preview, severity: 'caution' };
    }
  }
}

function firstText(parts: readonly { readonly kind: string; readonly text?: string }[]): string {
  return parts.find(({ text }) => text !== undefined)?.text ?? '';
}

/** True for what a person has begun themselves: it waits for them, but asks them nothing. */
export function isDraft(card: PromptCard): boolean {
  return card.kind === 'approval' && card.isDraft === true;
}

/** Calls of one tool, in one definition, of one server. */
function groupOf({ serverId, tool, toolFingerprint }: ApprovalCard): string {
  return digestText(JSON.stringify([serverId, tool.name, toolFingerprint]));
}
