import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import type { TimeSlice } from '../base/timeSlice.ts';
import { findLostNumbersOfLarge } from '../protocol/lostNumbers.ts';
import { readLargeJson } from '../protocol/readLargeJson.ts';

/** As for whole messages: what is deeper or wider came in no message. */
const bounds = { depth: 256, members: 50_000, containers: 1_000_000 };
/** No text is parsed for a value that is written shorter than this part of it, white space and all. */
const mostSpace = 40;
/** Values between two looks at the clock. */
const often = 1_024;

/**
 * Which of the texts is only this value written out, whatever its white space and the order of its keys. Servers repeat
 * structured content as text for old clients (specification: server/tools, "Structured Content").
 */
export async function findWrittenOut(
  texts: readonly (string | undefined)[],
  value: JsonValue,
  slice: TimeSlice,
): Promise<number | undefined> {
  let length: number | undefined;
  for (const [index, text] of texts.entries()) {
    if (slice.isUsedUp) await slice.pause();
    if (text === undefined || !mayBegin(text, value)) continue;
    length ??= await leastLength(value, slice);
    if (text.length < length || text.length > (length + 100) * mostSpace) continue;
    const json = await readLargeJson(text, bounds, slice);
    if (json.kind !== 'read' || !(await isSame(json.value, value, slice))) continue;
    // Once rounded, different numbers are the same: the text says what the value does not.
    if ((await findLostNumbersOfLarge(text, slice)).length === 0) return index;
  }
  return undefined;
}

/** The first character tells nearly all other texts apart. */
function mayBegin(text: string, value: JsonValue): boolean {
  const first = /[^\t\n\r ]/.exec(text.slice(0, 1000))?.[0];
  if (Array.isArray(value)) return first === '[';
  if (isJsonObject(value)) return first === '{';
  return first !== '[' && first !== '{';
}

/** Characters that the value takes at least: one for each value and each character of its texts. */
async function leastLength(root: JsonValue, slice: TimeSlice): Promise<number> {
  const waiting: (readonly JsonValue[] | JsonObject)[] = [];
  let length = 0;
  const meet = (value: JsonValue | undefined): void => {
    length += typeof value === 'string' ? value.length + 2 : 1;
    if (typeof value === 'object' && value !== null) waiting.push(value);
  };
  meet(root);
  for (let turn = 1, next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const keys = isArray(next) ? undefined : Object.keys(next);
    const count = isArray(next) ? next.length : (keys?.length ?? 0);
    for (let index = 0; index < count; index += 1) {
      if (turn++ % often === 0 && slice.isUsedUp) await slice.pause();
      const key = keys?.[index];
      if (key !== undefined) length += key.length + 3;
      meet(isArray(next) ? next[index] : next[key ?? '']);
    }
  }
  return length;
}

/** Whether two values are the same JSON, whatever the order of their members. */
async function isSame(left: JsonValue, right: JsonValue, slice: TimeSlice): Promise<boolean> {
  const waiting: (readonly [JsonValue, JsonValue])[] = [];
  /** False if they differ already; what has parts is looked at later. */
  const mayBeSame = (one: JsonValue | undefined, other: JsonValue | undefined): boolean => {
    if (one === other) return true;
    if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
    waiting.push([one, other]);
    return true;
  };
  if (!mayBeSame(left, right)) return false;
  for (let turn = 1, pair = waiting.pop(); pair !== undefined; pair = waiting.pop()) {
    const [one, other] = pair;
    if (isJsonObject(one) && isJsonObject(other)) {
      const keys = Object.keys(one);
      if (keys.length !== Object.keys(other).length) return false;
      for (const key of keys) {
        if (turn++ % often === 0 && slice.isUsedUp) await slice.pause();
        if (!Object.hasOwn(other, key) || !mayBeSame(one[key], other[key])) return false;
      }
    } else if (isArray(one) && isArray(other)) {
      if (one.length !== other.length) return false;
      for (let index = 0; index < one.length; index += 1) {
        if (turn++ % often === 0 && slice.isUsedUp) await slice.pause();
        if (!mayBeSame(one[index], other[index])) return false;
      }
    } else return false;
  }
  return true;
}

function isArray(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
