import type { JsonObject } from '../base/json.ts';
import { type Decoder, list, literal, number, object, oneOf, optional, text, union } from './decode.ts';
import { jsonObject, typedJsonLimits } from './jsonDecoder.ts';
import { type GrantScope, grantScopes } from './promptCard.ts';

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
    };

/** What the page tells the extension. Everything in it is foreign until decoded. */
export type PageMessage =
  | { readonly kind: 'ready' }
  /** The page wants to show these prompts in full. */
  | { readonly kind: 'need'; readonly ids: readonly string[] }
  /** The buttons of this card, with this content, are in view; or no longer. */
  | { readonly kind: 'shown'; readonly id: string; readonly digest: string }
  | { readonly kind: 'hidden'; readonly id: string }
  | { readonly kind: 'answer'; readonly id: string; readonly digest: string; readonly answer: PageAnswer }
  | { readonly kind: 'check'; readonly id: string; readonly revision: number; readonly value: JsonObject }
  | { readonly kind: 'cancelCall'; readonly callId: string }
  | { readonly kind: 'openResult'; readonly callId: string }
  | { readonly kind: 'clearFinished' }
  /** Open one argument in an editor tab; `path` is a JSON pointer, empty for all of them. */
  | { readonly kind: 'openText'; readonly id: string; readonly path: string }
  /** Open this page in an editor tab. */
  | { readonly kind: 'openPage' }
  /** Something that the page could not do; for the log. */
  | { readonly kind: 'problem'; readonly text: string };

const identifier = text(1_000);

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
});

export const pageMessage: Decoder<PageMessage> = union<PageMessage>({
  ready: object({ kind: literal('ready') }),
  need: object({ kind: literal('need'), ids: list(identifier, 100) }),
  shown: object({ kind: literal('shown'), id: identifier, digest: identifier }),
  hidden: object({ kind: literal('hidden'), id: identifier }),
  answer: object({ kind: literal('answer'), id: identifier, digest: identifier, answer }),
  check: object({
    kind: literal('check'),
    id: identifier,
    revision: number(0),
    value: jsonObject(typedJsonLimits),
  }),
  cancelCall: object({ kind: literal('cancelCall'), callId: identifier }),
  openResult: object({ kind: literal('openResult'), callId: identifier }),
  clearFinished: object({ kind: literal('clearFinished') }),
  openText: object({ kind: literal('openText'), id: identifier, path: text(10_000) }),
  openPage: object({ kind: literal('openPage') }),
  problem: object({ kind: literal('problem'), text: text(10_000) }),
});
