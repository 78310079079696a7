import type { ToolView } from '../../src/shared/approvalCard.ts';
import type { Caller, CallerKind } from '../../src/shared/caller.ts';
import type { CallContext } from '../../src/shared/inputCards.ts';
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
export function callerLine(caller: Caller, reason?: string): HTMLElement {
  const { kind, label } = caller;
  const words = make('span', {
    children: [
      make('span', { class: 'muted', text: 'Asked by ' }),
      callerName(kind),
      label !== '' && ' · ',
      label !== '' && foreign(label),
      reason !== undefined && make('span', { class: 'muted', children: [' · ', foreign(reason)] }),
    ],
  });
  return make('p', { class: 'caller', children: [icon(callerIcons[kind]), words] });
}

/** Which server asks a person for something, in its own words and in ours. */
export function requestTitle(serverId: string, what: string, sign: IconName): HTMLElement {
  return make('h2', {
    class: 'call-title',
    attributes: { tabindex: '-1' },
    children: [icon(sign), foreign(serverId, 'server-id'), make('span', { class: 'what', text: what })],
  });
}

/** The call in whose middle a server asks for something. */
export function callContext(call: CallContext | undefined): HTMLElement {
  if (call === undefined) return make('p', { class: 'muted', text: 'It is not known for which call.' });
  const words = make('span', {
    children: [
      make('span', { class: 'muted', text: 'During ' }),
      foreign(call.toolName, 'tool-name'),
      make('span', { class: 'muted', text: ' · asked by ' }),
      callerName(call.caller.kind),
      call.caller.label !== '' && ' · ',
      call.caller.label !== '' && foreign(call.caller.label),
    ],
  });
  return make('p', { class: 'caller', children: [icon(callerIcons[call.caller.kind]), words] });
}

/** What a server says to the person: its words, set apart from ours. */
export function serverWords(message: string): HTMLElement | undefined {
  if (message === '') return undefined;
  const label = make('p', { class: 'words-label muted', text: 'The server says' });
  return make('div', {
    class: 'server-words',
    children: [label, make('p', { children: [foreign(message, 'text')] })],
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
