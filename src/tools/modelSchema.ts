import { isJsonObject, type JsonObject } from '../base/json.ts';
import { type MutableJsonObject, own, setOwn } from './jsonCopy.ts';

/** Something that the model's schema says otherwise than the tool's own. */
export interface SchemaRepair {
  /** Where, as a JSON pointer into the tool's schema; empty for the root. */
  readonly path: string;
  readonly detail: string;
}

/** A tool's input schema in the form that language-model back ends accept, or why there is none. */
export type ModelSchema =
  | { readonly kind: 'ready'; readonly schema: JsonObject; readonly repairs: readonly SchemaRepair[] }
  | { readonly kind: 'unusable'; readonly reason: string };

/** Makes the model's schema from a tool's input schema. Arguments are still checked against the tool's own. */
export function modelSchema(schema: JsonObject): ModelSchema {
  const copy: MutableJsonObject = {};
  const repairs: SchemaRepair[] = [];
  for (const [key, value] of Object.entries(schema)) {
    if (key !== '$schema' && value !== undefined) setOwn(copy, key, value);
  }
  if (own(copy, 'type') !== 'object') {
    copy['type'] = 'object';
    repairs.push({ path: '', detail: 'The root is an object.' });
  }
  if (!isJsonObject(own(copy, 'properties'))) copy['properties'] = {};
  return { kind: 'ready', schema: copy, repairs };
}
