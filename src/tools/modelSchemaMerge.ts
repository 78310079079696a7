import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import { type MutableJsonObject, own, setOwn } from './jsonCopy.ts';

/*
 * Puts simplified schemas together. The results may allow more than the originals: arguments are always checked
 * against the tool's own schema, so for the model a loose schema is a lesser help, while a strict one would be a lie.
 */

const LOWER_BOUNDS = new Set(['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']);
const UPPER_BOUNDS = new Set(['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']);

/** A schema that allows whatever both allow. What cannot be said together is left to the first. */
export function mergeSchemas(first: JsonObject, second: JsonObject): MutableJsonObject {
  const merged: MutableJsonObject = { ...first };
  for (const [keyword, value] of Object.entries(second)) {
    const before = own(merged, keyword);
    if (value !== undefined) {
      merged[keyword] = before === undefined ? value : mergeKeyword(keyword, before, value);
    }
  }
  // Closed against other properties, each would forbid those of the other.
  const isOpened =
    own(first, 'properties') !== undefined &&
    own(second, 'properties') !== undefined &&
    !(own(first, 'additionalProperties') === false && own(second, 'additionalProperties') === false);
  if (isOpened) delete merged['additionalProperties'];
  return merged;
}

function mergeKeyword(keyword: string, first: JsonValue, second: JsonValue): JsonValue {
  if (keyword === 'properties' && isJsonObject(first) && isJsonObject(second)) {
    return mergeProperties(first, second, mergeSchemas);
  }
  if (keyword === 'required' && Array.isArray(first) && Array.isArray(second)) {
    return [...new Set([...first, ...second])];
  }
  if (keyword === 'items' && isJsonObject(first) && isJsonObject(second)) return mergeSchemas(first, second);
  if (keyword === 'type' && first === 'number' && second === 'integer') return 'integer';
  if (keyword === 'enum' && Array.isArray(first) && Array.isArray(second)) {
    const both = first.filter((value) => second.includes(value));
    return both.length > 0 ? both : first;
  }
  if (typeof first === 'number' && typeof second === 'number') {
    if (LOWER_BOUNDS.has(keyword)) return Math.max(first, second);
    if (UPPER_BOUNDS.has(keyword)) return Math.min(first, second);
  }
  return first;
}

function mergeProperties(
  first: JsonObject,
  second: JsonObject,
  combine: (one: JsonObject, other: JsonObject) => JsonObject,
): JsonObject {
  const merged: MutableJsonObject = { ...first };
  for (const [name, value] of Object.entries(second)) {
    const before = own(merged, name);
    const isBoth = isJsonObject(before) && isJsonObject(value);
    if (value !== undefined) setOwn(merged, name, isBoth ? combine(before, value) : value);
  }
  return merged;
}

/** Properties of an object that may be present but need not. */
export function addOptional(schema: JsonObject, more: JsonObject): MutableJsonObject {
  const extra = own(more, 'properties');
  if (!isJsonObject(extra)) return { ...schema };
  const present = own(schema, 'properties');
  const properties = mergeProperties(isJsonObject(present) ? present : {}, extra, (before) => before);
  return { ...schema, type: 'object', properties };
}

/** One object schema that allows what any of several object schemas allows. */
export function uniteObjects(branches: readonly JsonObject[]): MutableJsonObject {
  let properties: JsonObject = {};
  let required: readonly JsonValue[] | undefined;
  for (const branch of branches) {
    const own_ = own(branch, 'properties');
    if (isJsonObject(own_)) properties = mergeProperties(properties, own_, eitherSchema);
    const names = own(branch, 'required');
    const list = Array.isArray(names) ? names : [];
    required = required === undefined ? list : required.filter((name) => list.includes(name));
  }
  const united: MutableJsonObject = { type: 'object', properties };
  if (required !== undefined && required.length > 0) united['required'] = required;
  return united;
}

const MAX_ALTERNATIVES = 4;

/** A schema for what either allows. */
function eitherSchema(first: JsonObject, second: JsonObject): JsonObject {
  const text = JSON.stringify(second);
  if (JSON.stringify(first) === text) return first;
  const [values, more] = [own(first, 'enum'), own(second, 'enum')];
  if (Array.isArray(values) && Array.isArray(more) && own(first, 'type') === own(second, 'type')) {
    return { ...first, enum: [...new Set([...values, ...more])] };
  }
  const known = own(first, 'anyOf');
  const alternatives = Object.keys(first).length === 1 && Array.isArray(known) ? known : [first];
  if (alternatives.some((item) => JSON.stringify(item) === text)) return first;
  return alternatives.length < MAX_ALTERNATIVES ? { anyOf: [...alternatives, second] } : {};
}

/** Says in words which properties belong together, for example `(a, b) or (c)`; undefined if nothing is required. */
export function requiredWords(branches: readonly (JsonObject | boolean)[]): string | undefined {
  const sets = branches.map((branch) => {
    const names = isJsonObject(branch) ? own(branch, 'required') : undefined;
    return Array.isArray(names) ? names.filter((name) => typeof name === 'string').join(', ') : '';
  });
  const distinct = [...new Set(sets.filter((set) => set !== ''))];
  return distinct.length === 0
    ? undefined
    : distinct
        .map((set) => `(${set})`)
        .join(' or ')
        .slice(0, 1000);
}
