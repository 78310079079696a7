import * as fc from 'fast-check';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/base/json.ts';

/** Names that are short enough to meet often, with those that every object has. */
export const someName = fc.constantFrom('a', 'b', 'c', 'constructor', 'toString', '');

/** Values that meet the schemas below about as often as not. */
export const someValue: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom(null, true, false, 0, 1, 2, 3, 1.5, -1, '', 'a', 'b', 'ab', '2026-07-28', 'a@b.cd', '😀'),
    fc.dictionary(someName, tie('value'), { maxKeys: 3 }),
    fc.array(tie('value'), { maxLength: 3 }),
  ),
})).value;

const type = fc.constantFrom('string', 'number', 'integer', 'boolean', 'null', 'object', 'array');
const small = fc.integer({ min: 0, max: 3 });

/** Valid schemas of a dialect, with references to `#/$defs` that lead somewhere, often recursive. */
export function someSchema(dialect: '2020-12' | 'draft-07'): fc.Arbitrary<JsonObject> {
  const { schema } = fc.letrec<{ schema: JsonObject; any: JsonObject | boolean }>((tie) => {
    const any = tie('any');
    const list = fc.array(any, { minLength: 1, maxLength: 3 });
    const map = fc.dictionary(someName, any, { maxKeys: 3 });
    const names = fc.uniqueArray(someName, { maxLength: 2 });
    const modern = {
      prefixItems: list,
      items: any,
      minContains: small,
      dependentRequired: fc.dictionary(someName, names, { maxKeys: 2 }),
      dependentSchemas: map,
      unevaluatedProperties: any,
      unevaluatedItems: any,
    };
    const old = {
      items: fc.oneof(any, list),
      additionalItems: any,
      dependencies: fc.dictionary(someName, fc.oneof(any, names), { maxKeys: 2 }),
    };
    const keywords: Record<string, fc.Arbitrary<unknown>> = {
      type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })),
      enum: fc.uniqueArray(someValue, { minLength: 1, maxLength: 3, comparator: isSame }),
      const: someValue,
      minimum: small,
      exclusiveMaximum: small,
      multipleOf: fc.constantFrom(1, 2, 0.5),
      minLength: small,
      maxLength: small,
      pattern: fc.constantFrom('^a', 'b$', '^[ab]*$', '^.$', '\\d', '^(a|b)+$'),
      format: fc.constantFrom('date', 'email', 'unknown'),
      properties: map,
      required: names,
      additionalProperties: any,
      patternProperties: fc.dictionary(fc.constantFrom('^a', 'o', '^$'), any, { maxKeys: 2 }),
      propertyNames: any,
      minProperties: small,
      maxItems: small,
      uniqueItems: fc.boolean(),
      contains: any,
      allOf: list,
      anyOf: list,
      oneOf: list,
      not: any,
      if: any,
      // oxlint-disable-next-line unicorn/no-thenable -- the keyword of JSON Schema, in an object that nobody awaits
      then: any,
      else: any,
      $ref: fc.constantFrom('#/$defs/x', '#/$defs/y', '#'),
      title: fc.constant('t'),
      default: someValue,
      'x-other': fc.constant({ type: 'nonsense' }),
      ...(dialect === '2020-12' ? modern : old),
    };
    const entry = fc
      .constantFrom(...Object.keys(keywords))
      .chain((keyword) => fc.tuple(fc.constant(keyword), keywords[keyword] ?? fc.constant(true)));
    const schema = fc
      .array(entry, { maxLength: 3 })
      .map((entries): JsonObject => JSON.parse(JSON.stringify(Object.fromEntries(entries))));
    return {
      schema,
      any: fc.oneof({ maxDepth: 2, withCrossShrink: true }, fc.boolean(), schema),
    };
  });
  return fc.tuple(schema, schema, schema).map(([root, x, y]): JsonObject => ({ ...root, $defs: { x, y } }));
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

const NO_SCHEMAS = new Set(['enum', 'const', 'default', 'required', 'type']);
const CONDITIONAL = new Set(['then', 'else', 'dependentSchemas']);

/**
 * The same schema with what a model's schema takes for granted written out: types that properties or items suggest,
 * tuples closed, conditions left out.
 */
export function explicit(schema: JsonValue): JsonValue {
  if (Array.isArray(schema)) return schema.map(explicit);
  if (!isJsonObject(schema)) return schema;
  const result: Record<string, JsonValue> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (value === undefined || CONDITIONAL.has(keyword)) continue;
    result[keyword] = NO_SCHEMAS.has(keyword) ? value : explicit(value);
  }
  const { type, properties, required, additionalProperties, items, prefixItems } = result;
  if (Array.isArray(items)) result['additionalItems'] ??= false;
  if (Array.isArray(prefixItems)) result['items'] ??= false;
  const isObject = isJsonObject(properties) || Array.isArray(required) || additionalProperties !== undefined;
  if (type === undefined && isObject) result['type'] = 'object';
  else if (type === undefined && (items !== undefined || Array.isArray(prefixItems)))
    result['type'] = 'array';
  return result;
}
