import { isJsonObject, type JsonValue } from '../base/json.ts';

/**
 * True only for two JSON values that are the same, members in the same order: what a server sends that answers twice
 * alike. Costs a fraction of a fingerprint. False says nothing.
 */
export function isSameAtAGlance(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  if (left === right) return true;
  if (isList(left)) return isList(right) && isSameList(left, right);
  if (!isJsonObject(left) || !isJsonObject(right)) return false;
  const keys = Object.keys(left);
  const others = Object.keys(right);
  if (keys.length !== others.length) return false;
  for (let index = 0; index < keys.length; index += 1) {
    const key = keys[index];
    if (key === undefined || key !== others[index]) return false;
    if (!isSameAtAGlance(left[key], right[key])) return false;
  }
  return true;
}

function isSameList(left: readonly JsonValue[], right: readonly JsonValue[]): boolean {
  if (left.length !== right.length) return false;
  for (let index = 0; index < left.length; index += 1) {
    if (!isSameAtAGlance(left[index], right[index])) return false;
  }
  return true;
}

function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}
