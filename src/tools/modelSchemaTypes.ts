import type { JsonObject, JsonValue } from '../base/json.ts';
import { own } from './jsonCopy.ts';

/*
 * While a model's schema is being made, its `type` is a list: the types that are possible. The list of a contradiction
 * is empty.
 */

/** The types of JSON Schema. */
const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);

/** The types that a tool's schema names; `undefined` if it names none that there is. */
export function declaredTypes(schema: JsonObject): readonly string[] | undefined {
  const declared = own(schema, 'type');
  const list = (Array.isArray(declared) ? declared : [declared]).filter(
    (type): type is string => typeof type === 'string' && TYPES.has(type),
  );
  if (list.length === 0) return undefined;
  if (own(schema, 'nullable') === true) list.push('null');
  return distinctTypes(list);
}

/** The possible types of a schema that is being made; `undefined` for any. */
export function possibleTypes(schema: JsonObject): readonly string[] | undefined {
  const type = own(schema, 'type');
  if (typeof type === 'string') return [type];
  return Array.isArray(type) ? type.filter((item): item is string => typeof item === 'string') : undefined;
}

/** The types that are possible if both lists hold. */
export function commonTypes(
  first: readonly string[] | undefined,
  second: readonly string[] | undefined,
): readonly string[] | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  return distinctTypes(
    first.flatMap((type) => {
      if (second.includes(type)) return [type];
      if (type === 'integer' && second.includes('number')) return ['integer'];
      return type === 'number' && second.includes('integer') ? ['integer'] : [];
    }),
  );
}

/** Each once, and no integers beside numbers. */
export function distinctTypes(types: readonly string[]): readonly string[] {
  const distinct = new Set(types);
  if (distinct.has('number')) distinct.delete('integer');
  return [...distinct];
}

/** The narrowest type of a value. */
export function typeOf(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

/** Whether a value is of a type. */
export function isOfType(value: JsonValue, type: string): boolean {
  const narrowest = typeOf(value);
  return narrowest === type || (narrowest === 'integer' && type === 'number');
}
