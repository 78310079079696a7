import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import { type MutableJsonObject, own, setOwn } from './jsonCopy.ts';
import { commonTypes, possibleTypes } from './modelSchemaTypes.ts';
import { CHARACTERS_PER_STEP } from './modelSchemaWeight.ts';

/*
 * Puts simplified schemas together. The results may allow more than the originals: arguments are always checked
 * against the tool's own schema, so for the model a loose schema is a lesser help, while a strict one would be a lie.
 */

const LOWER_BOUNDS = new Set(['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']);
const UPPER_BOUNDS = new Set(['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']);

/** Told of the work that a step takes, about a tenth of a microsecond each; may throw to end it. */
export type Spend = (steps: number) => void;

/**
 * A schema that allows whatever both allow, with an empty list of types or values if that is nothing. What cannot be said
 * together is left to the first.
 */
export function mergeSchemas(first: JsonObject, second: JsonObject, spend: Spend): MutableJsonObject {
  const merged: MutableJsonObject = { ...first };
  const types = commonTypes(possibleTypes(first), possibleTypes(second));
  if (types !== undefined) merged['type'] = types;
  for (const [keyword, value] of Object.entries(second)) {
    const before = own(merged, keyword);
    if (value !== undefined && keyword !== 'type') {
      merged[keyword] = before === undefined ? value : mergeKeyword(keyword, before, value, spend);
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

function mergeKeyword(keyword: string, first: JsonValue, second: JsonValue, spend: Spend): JsonValue {
  if (keyword === 'properties' && isJsonObject(first) && isJsonObject(second)) {
    return mergeProperties(first, second, (one, other) => mergeSchemas(one, other, spend), spend);
  }
  if (keyword === 'required' && Array.isArray(first) && Array.isArray(second)) {
    spend(first.length + second.length);
    return [...new Set([...first, ...second])];
  }
  if (keyword === 'items' && isJsonObject(first) && isJsonObject(second))
    return mergeSchemas(first, second, spend);
  if (keyword === 'enum' && Array.isArray(first) && Array.isArray(second)) {
    const others = new Set(second);
    return first.filter((value) => others.has(value));
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
  spend: Spend,
): JsonObject {
  const merged: MutableJsonObject = { ...first };
  spend(Object.keys(first).length + Object.keys(second).length);
  for (const [name, value] of Object.entries(second)) {
    const before = own(merged, name);
    const isBoth = isJsonObject(before) && isJsonObject(value);
    if (value !== undefined) setOwn(merged, name, isBoth ? combine(before, value) : value);
  }
  return merged;
}

/** Properties of an object that may be present but need not. */
export function addOptional(schema: JsonObject, more: JsonObject, spend: Spend): MutableJsonObject {
  const extra = own(more, 'properties');
  if (!isJsonObject(extra)) return { ...schema };
  const present = own(schema, 'properties');
  const properties = mergeProperties(isJsonObject(present) ? present : {}, extra, (before) => before, spend);
  return { ...schema, properties };
}

/** One object schema that allows what any of several object schemas allows. */
export function uniteObjects(branches: readonly JsonObject[], spend: Spend): MutableJsonObject {
  let properties: JsonObject = {};
  let required: readonly JsonValue[] | undefined;
  for (const branch of branches) {
    const own_ = own(branch, 'properties');
    if (isJsonObject(own_)) {
      const either = (one: JsonObject, other: JsonObject): JsonObject => eitherSchema(one, other, spend);
      properties = mergeProperties(properties, own_, either, spend);
    }
    const names = own(branch, 'required');
    const list: readonly JsonValue[] = Array.isArray(names) ? names : [];
    const listed = new Set(list);
    spend(list.length);
    required = required === undefined ? list : required.filter((name) => listed.has(name));
  }
  const united: MutableJsonObject = { type: ['object'], properties };
  if (required !== undefined && required.length > 0) united['required'] = required;
  return united;
}

const MAX_ALTERNATIVES = 4;
/** Characters of what is said of required properties. */
const MAX_WORDS = 1000;

/** A schema for what either allows. */
function eitherSchema(first: JsonObject, second: JsonObject, spend: Spend): JsonObject {
  const text = JSON.stringify(second);
  const other = JSON.stringify(first);
  spend((text.length + other.length) / CHARACTERS_PER_STEP);
  if (other === text) return first;
  const [values, more] = [own(first, 'enum'), own(second, 'enum')];
  if (Array.isArray(values) && Array.isArray(more) && isSameBesideValues(first, second)) {
    return { ...first, enum: [...new Set([...values, ...more])] };
  }
  const known = own(first, 'anyOf');
  const alternatives = Object.keys(first).length === 1 && Array.isArray(known) ? known : [first];
  if (alternatives.some((item) => JSON.stringify(item) === text)) return first;
  return alternatives.length < MAX_ALTERNATIVES ? { anyOf: [...alternatives, second] } : {};
}

function isSameBesideValues(first: JsonObject, second: JsonObject): boolean {
  const [one, other] = [first, second].map((schema) =>
    JSON.stringify({ ...schema, enum: [], title: '', description: '' }),
  );
  return one === other;
}

function wordsOf(names: readonly JsonValue[]): string {
  const shown = names.filter((name) => typeof name === 'string').slice(0, MAX_WORDS);
  return shown.map((name) => name.slice(0, MAX_WORDS)).join(', ');
}

/** Says in words which properties belong together, for example `(a, b) or (c)`; undefined if nothing is required. */
export function requiredWords(branches: readonly (JsonObject | boolean)[]): string | undefined {
  const sets = branches.map((branch) => {
    const names = isJsonObject(branch) ? own(branch, 'required') : undefined;
    return Array.isArray(names) ? wordsOf(names) : '';
  });
  const distinct = [...new Set(sets.filter((set) => set !== ''))];
  return distinct.length === 0
    ? undefined
    : distinct
        .map((set) => `(${set})`)
        .join(' or ')
        .slice(0, MAX_WORDS);
}
