import type { JsonObject, JsonValue } from '../../base/json.ts';

const vouched = new WeakSet<object>();
/** Smaller texts are looked through faster than they are remembered. Characters. */
const worthVouching = 4_096;
const surrogateEscape = /\\u[dD][89a-fA-F]/;

/**
 * Remembers of a large value just parsed that all its texts are well-formed, if the JSON text shows that at
 * a glance: lone surrogates can only come from escapes. Saves walking over long lists of tools.
 */
export function vouchWellFormed(value: object, json: string): void {
  if (json.length >= worthVouching && json.isWellFormed() && !surrogateEscape.test(json)) vouched.add(value);
}

/** Remembers the same of a value whose texts were repaired piece by piece. */
export function vouchRepaired(value: object): void {
  vouched.add(value);
}

/** True if a JSON text spells half a surrogate pair, or a whole one, by its number. */
export function hasSurrogateEscape(json: string): boolean {
  return surrogateEscape.test(json);
}

/** True for a value that was vouched for; false says nothing. */
export function isVouchedWellFormed(value: object): boolean {
  return vouched.has(value);
}

/** True when every text in the value, keys included, can be written as UTF-8 (no lone surrogates). */
export function isWellFormed(value: JsonValue | undefined): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isWellFormed);
  return Object.entries(value).every(([key, member]) => key.isWellFormed() && isWellFormed(member));
}

/**
 * The object with every lone surrogate replaced by U+FFFD: servers cut texts in the middle of a character,
 * and what follows (digests, files, language models) takes UTF-8 only. The object itself if nothing is wrong.
 */
export function repairTexts(value: JsonObject): JsonObject {
  return vouched.has(value) || isWellFormed(value) ? value : repairObject(value);
}

function repairObject(value: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key.toWellFormed(),
      member === undefined ? undefined : repairValue(member),
    ]),
  );
}

/** As `repairTexts`, for any value. */
export function repairValue(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value !== 'object' || value === null) return value;
  return isList(value) ? value.map(repairValue) : repairObject(value);
}

function isList(value: readonly JsonValue[] | JsonObject): value is readonly JsonValue[] {
  return Array.isArray(value);
}
