import type { PromptCard, PromptSummary } from '../shared/promptCard.ts';
import { argumentsPreview, cut } from './preview.ts';

/** The line that stands for a card in the list of what waits. */
export function promptSummary(card: PromptCard): PromptSummary {
  const { id, digest, kind, serverId, askedAt } = card;
  const caution = card.change !== undefined || card.notes.some((note) => note.severity === 'caution');
  const severity = caution ? 'caution' : card.notes.length > 0 ? 'info' : undefined;
  return {
    id,
    digest,
    kind,
    serverId,
    askedAt,
    title: cut(card.tool.name, 200),
    caller: cut(card.caller.label, 100),
    preview: argumentsPreview(card.arguments),
    ...(severity === undefined ? {} : { severity }),
  };
}
