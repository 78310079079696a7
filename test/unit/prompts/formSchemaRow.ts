import type { JsonObject, JsonValue } from '../../../src/base/json.ts';

/** A schema of a form, what is shown for it, and which answers may be sent. */
export interface FormSchemaRow {
  readonly name: string;
  /** As text where the order or the names of members matter to JavaScript. */
  readonly schema: JsonObject | string;
  /** Control and what stands in it, for each field; or what is shown instead of fields. */
  readonly shown: Readonly<Record<string, string>> | 'confirm' | 'json' | 'impossible';
  readonly valid?: readonly (JsonObject | string)[];
  readonly invalid?: readonly (JsonObject | string)[];
}

export const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  ...more,
});
/** A form with one field. */
export const a = (property: JsonValue, more: JsonObject = {}): JsonObject => object({ a: property }, more);
