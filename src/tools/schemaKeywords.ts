import { isJsonObject, type JsonObject } from '../base/json.ts';
import { own } from './jsonCopy.ts';

/** Keywords whose value is one schema. */
const SINGLE = new Set([
  'additionalItems',
  'additionalProperties',
  'contains',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
]);

/** Keywords whose value is a list of schemas. */
const LISTS = new Set(['allOf', 'anyOf', 'items', 'oneOf', 'prefixItems']);

/** Keywords whose value maps names to schemas. */
const MAPS = new Set([
  '$defs',
  'definitions',
  'dependencies',
  'dependentSchemas',
  'patternProperties',
  'properties',
]);

/** Keywords whose schemas look at the same value as the schema that holds them. */
const IN_PLACE = new Set([
  'allOf',
  'anyOf',
  'dependencies',
  'dependentSchemas',
  'else',
  'if',
  'not',
  'oneOf',
  'then',
]);

/** Keywords that only keep schemas for references. */
const STORES = new Set(['$defs', 'definitions']);

/** Assertions and everything else that decides whether a value is valid. */
export const OTHER_KEYWORDS: ReadonlySet<string> = new Set([
  '$anchor',
  '$dynamicAnchor',
  '$dynamicRef',
  '$id',
  '$recursiveAnchor',
  '$recursiveRef',
  '$ref',
  'const',
  'dependentRequired',
  'enum',
  'exclusiveMaximum',
  'exclusiveMinimum',
  'format',
  'maxContains',
  'maxItems',
  'maxLength',
  'maxProperties',
  'maximum',
  'minContains',
  'minItems',
  'minLength',
  'minProperties',
  'minimum',
  'multipleOf',
  'pattern',
  'required',
  'type',
  'uniqueItems',
]);

/** Keywords that say something to people only. */
export const ANNOTATIONS: ReadonlySet<string> = new Set([
  '$comment',
  '$schema',
  '$vocabulary',
  'contentEncoding',
  'contentMediaType',
  'contentSchema',
  'default',
  'deprecated',
  'description',
  'examples',
  'readOnly',
  'title',
  'writeOnly',
]);

/** Where a subschema looks: at the value itself, at something inside it, or nowhere until a reference comes. */
export type SubschemaRole = 'inPlace' | 'child' | 'stored';

/** A schema directly inside another one. */
export interface Subschema {
  readonly keyword: string;
  readonly role: SubschemaRole;
  /** Path from the schema that holds it, for example `['properties', 'name']`. */
  readonly path: readonly string[];
  readonly schema: JsonObject | boolean;
}

/** True for what JSON Schema takes as a schema. */
export function isSchema(value: unknown): value is JsonObject | boolean {
  return typeof value === 'boolean' || isJsonObject(value);
}

/** True if a keyword's value holds schemas. */
export function holdsSchemas(keyword: string): boolean {
  return SINGLE.has(keyword) || LISTS.has(keyword) || MAPS.has(keyword);
}

/** True if a keyword's value, when it is an object, maps names to schemas. */
export function mapsSchemas(keyword: string): boolean {
  return MAPS.has(keyword);
}

/** All schemas directly inside a schema. Values that are not schemas where one belongs are left out. */
export function* subschemasOf(schema: JsonObject): Generator<Subschema> {
  for (const [keyword, value] of Object.entries(schema)) {
    const role = STORES.has(keyword) ? 'stored' : IN_PLACE.has(keyword) ? 'inPlace' : 'child';
    if (Array.isArray(value)) {
      if (!LISTS.has(keyword)) continue;
      for (const [index, item] of value.entries()) {
        if (isSchema(item)) yield { keyword, role, path: [keyword, String(index)], schema: item };
      }
    } else if (MAPS.has(keyword)) {
      if (!isJsonObject(value)) continue;
      // Of keys, not entries: some schemas have tens of thousands, and most who ask do not look at all of them.
      for (const name of Object.keys(value)) {
        const item = own(value, name);
        if (isSchema(item)) yield { keyword, role, path: [keyword, name], schema: item };
      }
    } else if (SINGLE.has(keyword) && isSchema(value)) {
      yield { keyword, role, path: [keyword], schema: value };
    }
  }
}
