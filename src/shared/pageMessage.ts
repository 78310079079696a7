import type { JsonObject } from '../base/json.ts';
import { type Decoder, list, literal, number, object, oneOf, optional, text, union } from './decode.ts';
import { jsonObject, typedJsonLimits } from './jsonDecoder.ts';
import { type GrantScope, grantScopes } from './approvalCard.ts';
import { type ResultAction, resultActions } from './resultView.ts';

/** What a person decided, as the page reports it. */
export type PageAnswer =
  | {
      readonly kind: 'allow';
      /** Arguments that the person has typed instead of the ones that were asked for. */
      readonly edited?: JsonObject;
      readonly grant?: { readonly scope: GrantScope; readonly proposalId: string };
    }
  | {
      readonly kind: 'deny';
      /** For the model. */
      readonly reason?: string;
      /** `server`: all that waits from this server too. `turn`: all of the same turn, and the turn ends. */
      readonly also?: 'server' | 'turn';
    }
  /** A form: these values go to the server. */
  | { readonly kind: 'submit'; readonly content: JsonObject }
  /** A link: open it in the browser; the prompt stays. */
  | { readonly kind: 'open' }
  /** A link that was opened: go on with the call. */
  | { readonly kind: 'proceed' }
  /** A model is to answer; texts that the person has changed go by message and part. */
  | {
      readonly kind: 'sample';
      readonly modelId: string;
      readonly systemPrompt?: string;
      readonly edits: readonly { readonly message: number; readonly part: number; readonly text: string }[];
    }
  /** Text under review goes on, perhaps in other words. */
  | { readonly kind: 'release'; readonly text?: string }
  | { readonly kind: 'withhold'; readonly reason?: string }
  /** An input request: the person says no, or does not answer at all. */
  | { readonly kind: 'decline' }
  | { readonly kind: 'cancel' };

/** Answers that let nothing happen: they need no card that was in view. */
export function isRefusing(answer: PageAnswer): boolean {
  return ['deny', 'decline', 'cancel', 'withhold'].includes(answer.kind);
}

/** What several prompts of one tool can be answered with at once. */
export type BatchAnswer = { readonly kind: 'allow' } | { readonly kind: 'deny'; readonly reason?: string };

/** What the page tells the extension. Everything in it is foreign until decoded. */
export type PageMessage =
  | { readonly kind: 'ready' }
  /** The page wants to show these prompts in full. */
  | { readonly kind: 'need'; readonly ids: readonly string[] }
  /** The buttons of this card, with this content, are in view; or no longer. */
  | { readonly kind: 'shown'; readonly id: string; readonly digest: string }
  | { readonly kind: 'hidden'; readonly id: string }
  | { readonly kind: 'answer'; readonly id: string; readonly digest: string; readonly answer: PageAnswer }
  /** The same answer to several prompts, each named with what was shown of it. */
  | {
      readonly kind: 'answerMany';
      readonly prompts: readonly { readonly id: string; readonly digest: string }[];
      readonly answer: BatchAnswer;
    }
  | { readonly kind: 'check'; readonly id: string; readonly revision: number; readonly value: JsonObject }
  | { readonly kind: 'cancelCall'; readonly callId: string }
  /** The page wants to show the result of a call. */
  | { readonly kind: 'needResult'; readonly id: string }
  /** Something is to be done with a result, or with one part of it. */
  | { readonly kind: 'useResult'; readonly id: string; readonly action: ResultAction; readonly part?: number }
  | { readonly kind: 'clearFinished' }
  /** Open one argument in an editor tab; `path` is a JSON pointer, empty for all of them. */
  | { readonly kind: 'openText'; readonly id: string; readonly path: string }
  /** Open this page in an editor tab, with this prompt at the top. */
  | { readonly kind: 'openPage'; readonly id?: string }
  /** Something that the page could not do; for the log. */
  | { readonly kind: 'problem'; readonly text: string };

const identifier = text(1_000);
const typedText = text(2_000_000);

const answer: Decoder<PageAnswer> = union<PageAnswer>({
  allow: object({
    kind: literal('allow'),
    edited: optional(jsonObject(typedJsonLimits)),
    grant: optional(object({ scope: oneOf(grantScopes), proposalId: identifier })),
  }),
  deny: object({
    kind: literal('deny'),
    reason: optional(text(10_000)),
    also: optional(oneOf(['server', 'turn'])),
  }),
  submit: object({ kind: literal('submit'), content: jsonObject(typedJsonLimits) }),
  open: object({ kind: literal('open') }),
  proceed: object({ kind: literal('proceed') }),
  sample: object({
    kind: literal('sample'),
    modelId: identifier,
    systemPrompt: optional(typedText),
    edits: list(object({ message: number(0), part: number(0), text: typedText }), 10_000),
  }),
  release: object({ kind: literal('release'), text: optional(typedText) }),
  withhold: object({ kind: literal('withhold'), reason: optional(text(10_000)) }),
  decline: object({ kind: literal('decline') }),
  cancel: object({ kind: literal('cancel') }),
});

export const pageMessage: Decoder<PageMessage> = union<PageMessage>({
  ready: object({ kind: literal('ready') }),
  need: object({ kind: literal('need'), ids: list(identifier, 100) }),
  shown: object({ kind: literal('shown'), id: identifier, digest: identifier }),
  hidden: object({ kind: literal('hidden'), id: identifier }),
  answer: object({ kind: literal('answer'), id: identifier, digest: identifier, answer }),
  answerMany: object({
    kind: literal('answerMany'),
    prompts: list(object({ id: identifier, digest: identifier }), 10_000),
    answer: union<BatchAnswer>({
      allow: object({ kind: literal('allow') }),
      deny: object({ kind: literal('deny'), reason: optional(text(10_000)) }),
    }),
  }),
  check: object({
    kind: literal('check'),
    id: identifier,
    revision: number(0),
    value: jsonObject(typedJsonLimits),
  }),
  cancelCall: object({ kind: literal('cancelCall'), callId: identifier }),
  needResult: object({ kind: literal('needResult'), id: identifier }),
  useResult: object({
    kind: literal('useResult'),
    id: identifier,
    action: oneOf(resultActions),
    part: optional(number(0)),
  }),
  clearFinished: object({ kind: literal('clearFinished') }),
  openText: object({ kind: literal('openText'), id: identifier, path: text(10_000) }),
  openPage: object({ kind: literal('openPage'), id: optional(identifier) }),
  problem: object({ kind: literal('problem'), text: text(10_000) }),
});
