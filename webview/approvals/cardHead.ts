import type { CallerKind } from '../../src/shared/caller.ts';
import type { ApprovalCard, ToolView } from '../../src/shared/promptCard.ts';
import { foreign, make } from '../common/dom.ts';
import { callerName } from '../common/format.ts';
import { type IconName, icon } from '../common/icons.ts';

const callerIcons: Readonly<Record<CallerKind, IconName>> = {
  chat: 'chat',
  languageModelTool: 'tool',
  bridge: 'plug',
  api: 'plug',
  user: 'person',
};

/** Server and tool: the two names that identity and rules are about. Takes the keyboard when a card is shown. */
export function callTitle(serverId: string, toolName: string): HTMLElement {
  return make('h2', {
    class: 'call-title',
    attributes: { tabindex: '-1' },
    children: [
      icon('server'),
      foreign(serverId, 'server-id'),
      make('span', { class: 'separator', text: '›', attributes: { 'aria-hidden': 'true' } }),
      foreign(toolName, 'tool-name'),
    ],
  });
}

/** Who asks for the call, and why a person is asked. */
export function callerLine(card: Pick<ApprovalCard, 'caller' | 'reason'>): HTMLElement {
  const { kind, label } = card.caller;
  return make('p', {
    class: 'caller',
    children: [
      icon(callerIcons[kind]),
      make('span', {
        children: [
          make('span', { class: 'muted', text: 'Asked by ' }),
          callerName(kind),
          label !== '' && ' · ',
          label !== '' && foreign(label),
        ],
      }),
    ],
  });
}

/** What the server says of its tool: marked as its words, never as facts. */
export function claims(tool: ToolView): HTMLElement | undefined {
  const words = claimWords(tool);
  const { title, description } = tool;
  if (title === undefined && description === undefined && words.length === 0) return undefined;
  const block = make('div', { class: 'claims' });
  if (title !== undefined && title !== tool.name)
    block.append(make('p', { class: 'claim-title', children: ['“', foreign(title), '”'] }));
  if (description !== undefined) block.append(descriptionView(description));
  if (words.length > 0) {
    block.append(
      make('p', {
        class: 'claim-words muted',
        children: [
          make('span', { text: `Claims: ${words.join(' · ')}` }),
          make('span', { text: ' (unverified)' }),
        ],
      }),
    );
  }
  return block;
}

function descriptionView(description: string): HTMLElement {
  const text = foreign(description, 'description');
  if (description.length <= 160 && !description.includes('\n'))
    return make('p', { class: 'description-short', children: [text] });
  const details = make('details', { class: 'description-long' });
  const firstLine = description.split('\n', 1)[0] ?? '';
  const start = foreign(firstLine.length > 120 ? `${firstLine.slice(0, 120)}…` : `${firstLine} …`);
  details.append(
    make('summary', { children: [make('span', { class: 'summary-text', children: [start] })] }),
    text,
  );
  return details;
}

/** The hints of a tool in words. What is not said is not shown: a default is no claim. */
export function claimWords(tool: ToolView): readonly string[] {
  const hints = tool.annotations ?? {};
  const words: string[] = [];
  if (hints.readOnlyHint !== undefined) words.push(hints.readOnlyHint ? 'read-only' : 'writes');
  if (hints.destructiveHint !== undefined)
    words.push(hints.destructiveHint ? 'destructive' : 'not destructive');
  if (hints.idempotentHint !== undefined) words.push(hints.idempotentHint ? 'idempotent' : 'not idempotent');
  if (hints.openWorldHint !== undefined) words.push(hints.openWorldHint ? 'open world' : 'closed world');
  return words;
}
