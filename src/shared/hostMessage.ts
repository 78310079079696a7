import { type CallView, callView } from './callView.ts';
import {
  type Decoder,
  boolean,
  list,
  literal,
  number,
  object,
  oneOf,
  optional,
  text,
  union,
} from './decode.ts';
import { type PromptCard, type PromptSummary, promptCard, promptSummary } from './promptCard.ts';
import { type LinkState, type ResultView, linkState, resultViewDecoder } from './resultView.ts';

/** Why an answer was not taken. */
export const refusalReasons = [
  'unknownPrompt',
  'stale',
  'notShown',
  'wrongKind',
  'invalid',
  'failed',
] as const;
export type RefusalReason = (typeof refusalReasons)[number];

/** Something wrong with what a person typed. `path` is a JSON pointer, empty for the whole. */
export interface InputProblem {
  readonly path: string;
  readonly message: string;
}

/** What the extension tells the page. */
export type HostMessage =
  /** The whole list, in order; sent after every change. `cards`: those to be shown first go along. */
  | {
      readonly kind: 'state';
      readonly prompts: readonly PromptSummary[];
      readonly calls: readonly CallView[];
      readonly cards: readonly PromptCard[];
    }
  /** Everything about some prompts that the page has asked for. */
  | { readonly kind: 'cards'; readonly cards: readonly PromptCard[] }
  /** This card, as shown, may now be allowed. */
  | { readonly kind: 'armed'; readonly id: string; readonly digest: string }
  /** The editor shows or hides the whole page. What was in view has to be said anew. */
  | { readonly kind: 'visibility'; readonly visible: boolean }
  | {
      readonly kind: 'refused';
      readonly id: string;
      readonly reason: RefusalReason;
      readonly problems: readonly InputProblem[];
    }
  /** The link of this prompt was handed to the browser. */
  | { readonly kind: 'opened'; readonly id: string }
  /** The verdict on what a person has typed so far; `revision` is the one of the question. */
  | {
      readonly kind: 'checked';
      readonly id: string;
      readonly revision: number;
      readonly problems: readonly InputProblem[];
    }
  /** The result of a finished call; absent: it is no longer kept. */
  | { readonly kind: 'result'; readonly id: string; readonly result?: ResultView }
  /** How far the reading of a result's link has come. */
  | { readonly kind: 'link'; readonly id: string; readonly part: number; readonly state: LinkState }
  /** Show this prompt (the first one, if none is named); `focus` moves the keyboard there too. */
  | { readonly kind: 'show'; readonly id?: string; readonly focus: 'keep' | 'move' };

const identifier = text(1_000);
const problems = list(object({ path: text(10_000), message: text(10_000) }), 1_000);

export const hostMessage: Decoder<HostMessage> = union<HostMessage>({
  state: object({
    kind: literal('state'),
    prompts: list(promptSummary, 100_000),
    calls: list(callView, 100_000),
    cards: list(promptCard, 1_000),
  }),
  cards: object({ kind: literal('cards'), cards: list(promptCard, 1_000) }),
  armed: object({ kind: literal('armed'), id: identifier, digest: identifier }),
  visibility: object({ kind: literal('visibility'), visible: boolean }),
  refused: object({ kind: literal('refused'), id: identifier, reason: oneOf(refusalReasons), problems }),
  opened: object({ kind: literal('opened'), id: identifier }),
  checked: object({ kind: literal('checked'), id: identifier, revision: number(0), problems }),
  result: object({ kind: literal('result'), id: identifier, result: optional(resultViewDecoder) }),
  link: object({ kind: literal('link'), id: identifier, part: number(0), state: linkState }),
  show: object({ kind: literal('show'), id: optional(identifier), focus: oneOf(['keep', 'move']) }),
});
