import { type CardBase, cardBase, identifier, prose } from './cardBase.ts';
import type { Caller } from './caller.ts';
import { caller } from './approvalCard.ts';
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
import type { ChangeNotice } from './definitionDiff.ts';
import { changeNotice } from './definitionDiffDecoder.ts';
import { type FormModel, formModel } from './formModel.ts';
import { type ResultView, resultViewDecoder } from './resultView.ts';

/** The call in whose middle a server asks for something; absent when that is not known. */
export interface CallContext {
  readonly callId: string;
  readonly toolName: string;
  readonly caller: Caller;
}

/** A server asks a person to fill in a form (elicitation, form mode). */
export interface FormCard extends CardBase {
  readonly kind: 'form';
  /** The server's words. */
  readonly message: string;
  readonly call?: CallContext;
  /** It asks for a password, a key or a token, and no field of its own says so. */
  readonly secret?: boolean;
  readonly form: FormModel;
}

/** A server asks a person to open a link (elicitation, URL mode). */
export interface UrlCard extends CardBase {
  readonly kind: 'url';
  readonly message: string;
  readonly call?: CallContext;
  /** The whole link, to the letter as it is opened; one that cannot be opened as the server sent it. */
  readonly url: string;
  /** Where it leads, as a person reads it. */
  readonly host: string;
  /** What is unusual about it, one plain sentence each. */
  readonly warnings: readonly string[];
  /** Why it cannot be opened; absent: it can. */
  readonly blocked?: string;
}

/** One part of a message for a model. Pictures are within the bounds of what a page can draw. */
export type SamplingPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'image'; readonly mimeType: string; readonly data: string }
  /** Anything else, described in a few words; `text` is its JSON where that says more, `pictures` are what it holds. */
  | {
      readonly kind: 'other';
      readonly label: string;
      readonly text?: string;
      readonly pictures?: readonly { readonly mimeType: string; readonly data: string }[];
    };

export interface SamplingMessageView {
  readonly role: 'user' | 'assistant';
  readonly parts: readonly SamplingPart[];
}

/** A server asks to have a model answer something (sampling). */
export interface SamplingCard extends CardBase {
  readonly kind: 'sampling';
  readonly call?: CallContext;
  readonly systemPrompt?: string;
  readonly messages: readonly SamplingMessageView[];
  readonly maxTokens: number;
  /** Names of tools that the server lends to the model. */
  readonly tools: readonly string[];
  /** Their definitions, as JSON: the model reads them like everything else. */
  readonly toolText?: string;
  /** What else the server asks for and gets: temperature, hints …, one line each. */
  readonly wishes: readonly string[];
  /** What else it asks for in vain, a few words each. */
  readonly notPassedOn: readonly string[];
  /** `lacks`: why this one cannot be asked, as the end of a sentence that begins with its name. */
  readonly models: readonly { readonly id: string; readonly label: string; readonly lacks?: string }[];
  /** Place in `models` of the one that fits the server's wishes best. */
  readonly suggested: number;
  /** "2 of 10 requests to models this hour". */
  readonly usage?: string;
}

/** Text that a person may read, and sometimes change, before it goes on: a tool's result, a model's answer. */
export interface ReviewCard extends CardBase {
  readonly kind: 'review';
  readonly subject: 'toolResult' | 'modelAnswer';
  readonly call?: CallContext;
  /** Who produced it: the tool or the model. */
  readonly source: string;
  readonly isError: boolean;
  readonly parts: readonly SamplingPart[];
  /** The whole result that `parts` were made of, for a tool's result. */
  readonly result?: ResultView;
  /** The person may send other words; only for an answer of a single text. */
  readonly editable: boolean;
}

/** A variable or header as it is written in the configuration. */
export interface NamedText {
  readonly name: string;
  readonly text: string;
}

/** A server that a workspace wants to start for the first time, or differently from before. */
export interface LaunchCard extends CardBase {
  readonly kind: 'launch';
  /** Where it is configured: a folder's or a workspace's name. */
  readonly origin: string;
  readonly launch:
    | {
        readonly kind: 'stdio';
        readonly command: string;
        readonly args: readonly string[];
        readonly cwd?: string;
        readonly env: readonly NamedText[];
      }
    | { readonly kind: 'http'; readonly url: string; readonly headers: readonly NamedText[] };
  /** What is different from the launch that the person agreed to before. */
  readonly change?: ChangeNotice;
  /** What is unusual about it, one plain sentence each. */
  readonly warnings: readonly string[];
}

const call = optional(object({ callId: identifier, toolName: prose, caller }));
const lines = list(prose, 10_000);

export const formCard: Decoder<FormCard> = object({
  ...cardBase,
  kind: literal('form'),
  message: prose,
  call,
  secret: optional(boolean),
  form: formModel,
});

export const urlCard: Decoder<UrlCard> = object({
  ...cardBase,
  kind: literal('url'),
  message: prose,
  call,
  url: prose,
  host: prose,
  warnings: lines,
  blocked: optional(prose),
});

const picture = { mimeType: text(200), data: text(20_000_000) };
const part: Decoder<SamplingPart> = union<SamplingPart>({
  text: object({ kind: literal('text'), text: prose }),
  image: object({ kind: literal('image'), ...picture }),
  other: object({
    kind: literal('other'),
    label: prose,
    text: optional(prose),
    pictures: optional(list(object(picture), 100)),
  }),
});
const parts = list(part, 10_000);

export const samplingCard: Decoder<SamplingCard> = object({
  ...cardBase,
  kind: literal('sampling'),
  call,
  systemPrompt: optional(prose),
  messages: list(object({ role: oneOf(['user', 'assistant']), parts }), 10_000),
  maxTokens: number(0),
  tools: lines,
  toolText: optional(prose),
  wishes: lines,
  notPassedOn: lines,
  models: list(object({ id: identifier, label: prose, lacks: optional(prose) }), 1_000),
  suggested: number(0),
  usage: optional(prose),
});

export const reviewCard: Decoder<ReviewCard> = object({
  ...cardBase,
  kind: literal('review'),
  subject: oneOf(['toolResult', 'modelAnswer']),
  call,
  source: prose,
  isError: boolean,
  parts,
  result: optional(resultViewDecoder),
  editable: boolean,
});

const namedTexts: Decoder<readonly NamedText[]> = list(object({ name: prose, text: prose }), 10_000);

const launch: Decoder<LaunchCard['launch']> = union<LaunchCard['launch']>({
  stdio: object({
    kind: literal('stdio'),
    command: prose,
    args: lines,
    cwd: optional(prose),
    env: namedTexts,
  }),
  http: object({ kind: literal('http'), url: prose, headers: namedTexts }),
});

export const launchCard: Decoder<LaunchCard> = object({
  ...cardBase,
  kind: literal('launch'),
  origin: prose,
  launch,
  change: optional(changeNotice),
  warnings: lines,
});
