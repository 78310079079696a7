import type { JsonObject, JsonValue } from '../base/json.ts';
import type { RiskNote, TextRange } from './riskNote.ts';

/** What stands in place of a secret. Always as long, so that it does not tell how long the secret is. */
export const maskText = '••••••••';

/** The text with these parts masked. */
export function maskRanges(text: string, ranges: readonly TextRange[]): string {
  let masked = '';
  let from = 0;
  for (const { start, end } of ranges.toSorted((one, other) => one.start - other.start)) {
    if (end <= from) continue;
    masked += `${text.slice(from, Math.max(from, start))}${maskText}`;
    from = end;
  }
  return masked + text.slice(from);
}

/** The parts of each argument to mask, by JSON pointer. */
export function secretRanges(notes: readonly RiskNote[]): ReadonlyMap<string, readonly TextRange[]> {
  const ranges = new Map<string, readonly TextRange[]>();
  for (const { kind, subject, ranges: found = [] } of notes) {
    if (kind !== 'secret' || subject.kind !== 'argument' || subject.part !== 'value') continue;
    ranges.set(subject.path, [...(ranges.get(subject.path) ?? []), ...found]);
  }
  return ranges;
}

/** A copy of the arguments in which everything that looks like a secret is masked. */
export function maskedArguments(value: JsonObject, notes: readonly RiskNote[]): JsonObject {
  const ranges = secretRanges(notes);
  if (ranges.size === 0) return value;
  return Object.fromEntries(members(value, '', ranges));
}

function masked(
  value: JsonValue,
  path: string,
  ranges: ReadonlyMap<string, readonly TextRange[]>,
): JsonValue {
  if (typeof value === 'string') return maskRanges(value, ranges.get(path) ?? []);
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value))
    return value.map((entry: JsonValue, index) => masked(entry, `${path}/${index}`, ranges));
  return Object.fromEntries(members(value as JsonObject, path, ranges));
}

function members(
  value: JsonObject,
  path: string,
  ranges: ReadonlyMap<string, readonly TextRange[]>,
): (readonly [string, JsonValue | undefined])[] {
  return Object.entries(value).map(([key, child]) => [
    key,
    child === undefined ? undefined : masked(child, pointer(path, key), ranges),
  ]);
}

/** The JSON pointer (RFC 6901) of a member. */
export function pointer(path: string, key: string): string {
  return `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
