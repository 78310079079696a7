import { isIP } from 'node:net';
import type { Event } from '../base/event.ts';
import type { CallContext } from '../shared/inputCards.ts';
import { visibleLine } from '../shared/visibleText.ts';
import { type NoAnswer, cancelledInput, deniedInput } from './inputAnswer.ts';
import { shownMessage } from './preview.ts';
import type { Prompt, Settlement } from './prompt.ts';
import { promptHead } from './promptHead.ts';
import { checkUrl, isThisMachine, spelledHost } from './urlChecks.ts';
import { notesOf } from './urlNotes.ts';

/** A link that a server asks a person to open. */
export interface UrlRequest {
  readonly serverId: string;
  readonly message: string;
  readonly url: string;
  readonly call?: CallContext;
  /** Hands the link to the browser; false if that failed. */
  readonly open: (url: string) => Promise<boolean>;
  /**
   * Legacy servers wait for the consent, not for the end: the answer goes out as soon as the link is open.
   * Otherwise the person says when to go on.
   */
  readonly acceptOnOpen: boolean;
  /** The server says that the interaction is complete (`notifications/elicitation/complete`). */
  readonly onCompleted?: Event<void>;
  readonly expiresInMs?: number;
}

export type UrlAnswer = NoAnswer | (Settlement & { readonly kind: 'accept' });

/** Hosts of more parts than this are longer than nearly all honest ones. */
const manyLabels = 5;

function tailOf(host: string): string {
  return visibleLine(host.split('.').slice(-3).join('.'));
}

/** What is to be known of a link, and whether it may be opened at all. Nothing is fetched. */
export function judgeUrl(url: string): {
  readonly host: string;
  readonly warnings: readonly string[];
  readonly blocked?: string;
} {
  const facts = checkUrl(url);
  if (facts === undefined) {
    return { host: '', warnings: [], blocked: 'This is not a web address, so it cannot be opened.' };
  }
  const { host, readableHost, scheme, port } = facts;
  const shown = spelledHost(facts);
  const subject = { kind: 'server' } as const;
  // The host itself stands on the card already; what is left are oddities.
  const warnings = notesOf(facts, subject)
    .filter((note) => note.severity === 'caution')
    .map(({ message }) => message);
  if (facts.punycode && facts.mixedScripts.length === 0) {
    warnings.push('The host is spelled with letters outside ASCII; it may look like another one.');
  }
  const labels = host.split('.').length;
  if (labels > manyLabels && isIP(host) === 0) {
    warnings.push(
      `The host has ${labels} parts. Only its end tells who it belongs to: “…${tailOf(readableHost)}”.`,
    );
  }
  if (port !== undefined) warnings.push(`The port ${port} is unusual for a web address.`);
  if (scheme === 'https') return { host: shown, warnings };
  if (scheme !== 'http') {
    const blocked = `Only web addresses can be opened, not “${visibleLine(`${scheme}:`)}”.`;
    return { host: shown, warnings, blocked };
  }
  if (isThisMachine(host)) return { host: shown, warnings };
  return {
    host: shown,
    warnings,
    blocked: 'The address is not encrypted (http:). Only addresses of this machine may do without.',
  };
}

/** A prompt with a link. Opening it needs a person's press; nothing happens before. */
export function urlPrompt(request: UrlRequest): Prompt<UrlAnswer> {
  const verdict = judgeUrl(request.url);
  // As it was judged: another program might read another host in what the server wrote. Shown is what is opened.
  const url = verdict.blocked === undefined ? new URL(request.url).href : request.url;
  let opened = false;
  // A page may be finished with before the editor has said that it is open.
  let opening = false;
  return {
    ...promptHead({ ...request, caller: request.call?.caller }),
    content: (base) => ({
      kind: 'url',
      ...base,
      serverId: request.serverId,
      message: shownMessage(request.message),
      ...(request.call === undefined ? {} : { call: request.call }),
      url,
      host: verdict.host,
      warnings: verdict.warnings,
      ...(verdict.blocked === undefined ? {} : { blocked: verdict.blocked }),
    }),
    async judge(answer, _card, settlement) {
      if (answer.kind === 'decline' || answer.kind === 'cancel') {
        return { kind: 'answer', answer: { ...settlement, kind: answer.kind } };
      }
      const accepted = { kind: 'answer', answer: { ...settlement, kind: 'accept' } } as const;
      if (answer.kind === 'proceed') {
        return opened ? accepted : { kind: 'refused', reason: 'wrongKind' };
      }
      if (answer.kind !== 'open' || verdict.blocked !== undefined)
        return { kind: 'refused', reason: 'wrongKind' };
      opening = true;
      const isOpen = await request.open(url).finally(() => (opening = false));
      if (!isOpen) return { kind: 'refused', reason: 'failed' };
      opened = true;
      return request.acceptOnOpen ? accepted : { kind: 'kept' };
    },
    check: () => Promise.resolve([]),
    denied: deniedInput,
    cancelled: cancelledInput,
    ...(request.onCompleted === undefined
      ? {}
      : { attach: completion(request.onCompleted, () => opened || opening) }),
  };
}

/** The server's word that all is done counts once the person has opened the link, and not before. */
function completion(
  onCompleted: Event<void>,
  wasOpened: () => boolean,
): NonNullable<Prompt<UrlAnswer>['attach']> {
  return (finish) =>
    onCompleted(() => {
      if (wasOpened()) finish((settlement) => ({ ...settlement, kind: 'accept' }));
    });
}
