import { type JsonObject, type JsonValue, isJsonObject } from '../base/json.ts';
import { type Decoder, fail } from './decode.ts';

/** Bounds of a JSON value that comes from the other side. */
export interface JsonLimits {
  readonly depth: number;
  /** Values of every kind, the nested ones included. */
  readonly values: number;
}

/** What a person may type in an editor of ours. */
export const typedJsonLimits: JsonLimits = { depth: 200, values: 200_000 };

/** What our own extension may show: the servers' data, bounded where it comes in. */
export const shownJsonLimits: JsonLimits = { depth: 500, values: 2_000_000 };

/** Says whether a value is JSON within the limits. Walks without recursion, so depth cannot exhaust the stack. */
function isBoundedJson(value: unknown, limits: JsonLimits): value is JsonValue {
  const waiting: { readonly value: unknown; readonly depth: number }[] = [{ value, depth: 0 }];
  let seen = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    seen += 1;
    if (seen > limits.values || next.depth > limits.depth) return false;
    const current = next.value;
    if (current === null || typeof current === 'string' || typeof current === 'boolean') continue;
    if (typeof current === 'number' && Number.isFinite(current)) continue;
    if (typeof current !== 'object') return false;
    const depth = next.depth + 1;
    for (const child of Object.values(current)) waiting.push({ value: child, depth });
  }
  return true;
}

/** Any JSON value within the limits. The value itself is handed on, not a copy. */
export function json(limits: JsonLimits): Decoder<JsonValue> {
  return (value, path) => (isBoundedJson(value, limits) ? value : fail(path, 'JSON within limits'));
}

/** A JSON object within the limits. The object itself is handed on, not a copy. */
export function jsonObject(limits: JsonLimits): Decoder<JsonObject> {
  return (value, path) =>
    isJsonObject(value) && isBoundedJson(value, limits) ? value : fail(path, 'a JSON object within limits');
}
