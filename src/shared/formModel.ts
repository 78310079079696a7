import type { JsonObject, JsonValue } from '../base/json.ts';
import { prose } from './cardBase.ts';
import { type Decoder, boolean, list, literal, number, object, oneOf, optional, union } from './decode.ts';
import { json, jsonObject, shownJsonLimits } from './jsonDecoder.ts';

/** Formats of a string that have a control of their own. */
export const textFormats = ['email', 'uri', 'date', 'date-time'] as const;
export type TextFormat = (typeof textFormats)[number];

export interface FormOption {
  readonly value: JsonValue;
  readonly label: string;
}

interface FieldBase {
  /** The member of the answer that the field fills. */
  readonly name: string;
  readonly label: string;
  readonly description?: string;
  readonly required: boolean;
  /** The name says that it asks for a password, a key or a token. */
  readonly secret: boolean;
}

/** One control of a form. `initial` is what stands in it at first; absent: it starts empty or unchosen. */
export type FormField =
  | (FieldBase & {
      readonly kind: 'text';
      readonly format?: TextFormat;
      readonly minLength?: number;
      readonly maxLength?: number;
      readonly pattern?: string;
      readonly initial?: string;
    })
  | (FieldBase & {
      readonly kind: 'number';
      readonly integer: boolean;
      readonly minimum?: number;
      readonly maximum?: number;
      readonly initial?: number;
    })
  | (FieldBase & { readonly kind: 'boolean'; readonly initial?: boolean })
  | (FieldBase & {
      readonly kind: 'choice';
      readonly options: readonly FormOption[];
      /** Place in `options`. */
      readonly initial?: number;
    })
  | (FieldBase & {
      readonly kind: 'choices';
      readonly options: readonly FormOption[];
      readonly minItems?: number;
      readonly maxItems?: number;
      /** Places in `options`. */
      readonly initial?: readonly number[];
    })
  /** A value that no control fits: it is typed as JSON. */
  | (FieldBase & { readonly kind: 'json'; readonly initial?: JsonValue });

/** How an answer is given: by a plain yes, by controls, or as one JSON text. */
export type FormModel =
  | { readonly kind: 'confirm' }
  | { readonly kind: 'fields'; readonly fields: readonly FormField[] }
  /** `reason`: why there are no controls, for the person. */
  | { readonly kind: 'json'; readonly reason: string; readonly initial: JsonObject }
  /** The question cannot be answered at all: its schema is not one. */
  | { readonly kind: 'impossible'; readonly reason: string };

const base = {
  name: prose,
  label: prose,
  description: optional(prose),
  required: boolean,
  secret: boolean,
};
const options = list(object({ value: json(shownJsonLimits), label: prose }), 100_000);

const formField: Decoder<FormField> = union<FormField>({
  text: object({
    ...base,
    kind: literal('text'),
    format: optional(oneOf(textFormats)),
    minLength: optional(number(0)),
    maxLength: optional(number(0)),
    pattern: optional(prose),
    initial: optional(prose),
  }),
  number: object({
    ...base,
    kind: literal('number'),
    integer: boolean,
    minimum: optional(number()),
    maximum: optional(number()),
    initial: optional(number()),
  }),
  boolean: object({ ...base, kind: literal('boolean'), initial: optional(boolean) }),
  choice: object({ ...base, kind: literal('choice'), options, initial: optional(number(0)) }),
  choices: object({
    ...base,
    kind: literal('choices'),
    options,
    minItems: optional(number(0)),
    maxItems: optional(number(0)),
    initial: optional(list(number(0), 100_000)),
  }),
  json: object({ ...base, kind: literal('json'), initial: optional(json(shownJsonLimits)) }),
});

export const formModel: Decoder<FormModel> = union<FormModel>({
  confirm: object({ kind: literal('confirm') }),
  fields: object({ kind: literal('fields'), fields: list(formField, 10_000) }),
  json: object({ kind: literal('json'), reason: prose, initial: jsonObject(shownJsonLimits) }),
  impossible: object({ kind: literal('impossible'), reason: prose }),
});
