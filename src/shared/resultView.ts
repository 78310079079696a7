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
import { json, shownJsonLimits } from './jsonDecoder.ts';
import type { JsonValue } from '../base/json.ts';

/** What a server says about a part of its result: whom it is for, how important it is. Claims, shown as such. */
export interface PartAnnotations {
  readonly audience?: readonly ('user' | 'assistant')[];
  /** 0 to 1. */
  readonly priority?: number;
  readonly lastModified?: string;
}

/** A text, whole or its beginning. */
export interface ShownText {
  readonly text: string;
  /** UTF-16 units of the whole, if `text` is only its beginning. */
  readonly total?: number;
  /** The whole is longer than `total`: its length was not found out. */
  readonly isMore?: boolean;
  /** The text is JSON that loses nothing when it is read as such. */
  readonly isJson?: boolean;
}

/** Bytes of a file. */
export interface ShownBytes {
  /** As claimed, and for pictures and sounds that are shown confirmed by the first bytes. */
  readonly mimeType: string;
  readonly bytes: number;
  /** Ending for a file, by the first bytes; `bin` where they tell nothing. */
  readonly extension: string;
}

/** What is drawn or played, or why it is not. */
export type ShownMedia =
  | { readonly kind: 'data'; readonly base64: string; readonly width?: number; readonly height?: number }
  /** It could run programs, so its source is shown. */
  | ({ readonly kind: 'source'; readonly reason: string } & ShownText)
  /** `later`: a tab of its own has room for it. */
  | { readonly kind: 'none'; readonly reason: string; readonly later?: boolean };

/** One part of a result, in the order in which the server sent them; `structured` comes last. */
export type ResultPart = { readonly annotations?: PartAnnotations } & (
  | ({ readonly kind: 'text'; readonly repeatsStructured?: boolean } & ShownText)
  | ({
      readonly kind: 'media';
      readonly media: 'image' | 'audio';
      /** Nothing confirms what it is. */
      readonly isUnchecked?: boolean;
      readonly shown: ShownMedia;
    } & ShownBytes)
  | {
      readonly kind: 'link';
      readonly uri: string;
      readonly name: string;
      readonly title?: string;
      readonly description?: string;
      readonly mimeType?: string;
      readonly size?: number;
    }
  | ({ readonly kind: 'resourceText'; readonly uri: string; readonly mimeType?: string } & ShownText)
  | ({
      readonly kind: 'resourceBlob';
      readonly uri: string;
      readonly media?: 'image' | 'audio';
      readonly shown: ShownMedia;
    } & ShownBytes)
  | {
      readonly kind: 'broken';
      readonly claimedType: string;
      readonly reason: string;
      readonly size: number;
      readonly uri?: string;
    }
  | { readonly kind: 'unknown'; readonly claimedType: string; readonly value: ShownValue }
  | { readonly kind: 'structured'; readonly value: ShownValue }
);

/** A JSON value as a tree; one that is too large or too deep for that is text, whole or its beginning. */
export type ShownValue =
  | { readonly kind: 'tree'; readonly value: JsonValue }
  | ({ readonly kind: 'text'; readonly reason: string } & ShownText);

/** Something to know before the parts, such as a failed check. */
export interface ResultLead {
  readonly severity: 'info' | 'caution';
  readonly message: string;
  readonly details: readonly string[];
}

/** A checked result, or the contents of a resource, as a page shows it. */
export interface ResultView {
  readonly subject: 'result' | 'resource';
  readonly serverId: string;
  /** The tool, or the resource's name. */
  readonly title: string;
  readonly leads: readonly ResultLead[];
  readonly parts: readonly ResultPart[];
}

/** What a person wants with a result. `part` is its place in `parts`. */
export const resultActions = ['open', 'openText', 'openPart', 'save', 'read', 'cancelRead'] as const;
export type ResultAction = (typeof resultActions)[number];

/** How far reading a linked resource has come. */
export type LinkState =
  | { readonly kind: 'reading'; readonly progress?: string }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'read' };

const prose = text(4_100_000);
const short = text(20_000);

const annotations = optional(
  object({
    audience: optional(list(oneOf(['user', 'assistant']), 10)),
    priority: optional(number()),
    lastModified: optional(short),
  }),
);
const shownText = {
  text: prose,
  total: optional(number(0)),
  isMore: optional(boolean),
  isJson: optional(boolean),
};
const shownBytes = { mimeType: short, bytes: number(0), extension: text(10) };
const media: Decoder<ShownMedia> = union<ShownMedia>({
  data: object({
    kind: literal('data'),
    base64: text(80_000_000),
    width: optional(number(0)),
    height: optional(number(0)),
  }),
  source: object({ kind: literal('source'), reason: short, ...shownText }),
  none: object({ kind: literal('none'), reason: short, later: optional(boolean) }),
});
const mediaKinds = ['image', 'audio'] as const;
const value: Decoder<ShownValue> = union<ShownValue>({
  tree: object({ kind: literal('tree'), value: json(shownJsonLimits) }),
  text: object({ kind: literal('text'), reason: short, ...shownText }),
});

const part: Decoder<ResultPart> = union<ResultPart>({
  text: object({ kind: literal('text'), annotations, repeatsStructured: optional(boolean), ...shownText }),
  media: object({
    kind: literal('media'),
    annotations,
    media: oneOf(mediaKinds),
    isUnchecked: optional(boolean),
    shown: media,
    ...shownBytes,
  }),
  link: object({
    kind: literal('link'),
    annotations,
    uri: short,
    name: short,
    title: optional(short),
    description: optional(short),
    mimeType: optional(short),
    size: optional(number()),
  }),
  resourceText: object({
    kind: literal('resourceText'),
    annotations,
    uri: short,
    mimeType: optional(short),
    ...shownText,
  }),
  resourceBlob: object({
    kind: literal('resourceBlob'),
    annotations,
    uri: short,
    media: optional(oneOf(mediaKinds)),
    shown: media,
    ...shownBytes,
  }),
  broken: object({
    kind: literal('broken'),
    annotations,
    claimedType: short,
    reason: short,
    size: number(0),
    uri: optional(short),
  }),
  unknown: object({ kind: literal('unknown'), annotations, claimedType: short, value }),
  structured: object({ kind: literal('structured'), annotations, value }),
});

export const resultViewDecoder: Decoder<ResultView> = object({
  subject: oneOf(['result', 'resource']),
  serverId: prose,
  title: prose,
  leads: list(
    object({ severity: oneOf(['info', 'caution']), message: short, details: list(short, 1_000) }),
    100,
  ),
  parts: list(part, 100_000),
});

export const linkState: Decoder<LinkState> = union<LinkState>({
  reading: object({ kind: literal('reading'), progress: optional(short) }),
  failed: object({ kind: literal('failed'), message: short }),
  read: object({ kind: literal('read') }),
});
