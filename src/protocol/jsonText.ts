import { isJsonObject } from '../base/json.ts';

const quote = 0x22;
const colon = 0x3a;
const openList = 0x5b;
const backslash = 0x5c;
const closeList = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;
const point = 0x2e;
const digit0 = 0x30;
const digit9 = 0x39;
const letterE = 0x65;
const lowerCase = 0x20;

/** What a look through a JSON text finds. */
export interface JsonTextFindings {
  /** Too deep, or a key twice in one object (RFC 7493 asks for neither). */
  readonly flaw?: string;
  /** It has a number of so many digits or so large an exponent that a double may not hold it. */
  readonly hasLongNumber: boolean;
}

/**
 * Looks through a JSON text that parsed as `value` for what its grammar allows all the same. The text is scanned once;
 * nothing recursive runs over the value.
 */
export function inspectJsonText(text: string, value: unknown, maxDepth: number): JsonTextFindings {
  const { depth, members, hasLongNumber } = measureJsonText(text);
  if (depth > maxDepth) return { flaw: `nested more than ${maxDepth} levels deep`, hasLongNumber };
  // A key that is there twice is written twice but kept once.
  return members === countMembers(value)
    ? { hasLongNumber }
    : { flaw: 'the same key twice in one object', hasLongNumber };
}

/** Digits and points in a row, from which on a double may not hold a number. */
const longNumber = 16;
const threeDigits = /[-+]?\d{3}/y;

/** Depth and number of object members as written. Expects a text that `JSON.parse` accepts. */
function measureJsonText(text: string): {
  readonly depth: number;
  readonly members: number;
  readonly hasLongNumber: boolean;
} {
  let depth = 0;
  let deepest = 0;
  let members = 0;
  /** Digits and points in a row; between two numbers there is always something else that is not looked at here. */
  let row = 0;
  let hasLongNumber = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    switch (code) {
      case quote:
        index = endOfString(text, index);
        break;
      case colon:
        members++;
        break;
      case openObject:
      case openList:
        if (++depth > deepest) deepest = depth;
        break;
      case closeObject:
      case closeList:
        depth--;
        break;
      default:
        if ((code >= digit0 && code <= digit9) || code === point) {
          if (++row >= longNumber) hasLongNumber = true;
        } else {
          if (row > 0 && (code | lowerCase) === letterE) {
            threeDigits.lastIndex = index + 1;
            hasLongNumber ||= threeDigits.test(text);
          }
          row = 0;
        }
    }
  }
  return { depth: deepest, members, hasLongNumber };
}

/**
 * True if an object in a JSON text has more than so many members, as written. Such objects are slow at every step, from
 * being parsed on, so this is to be asked before. Never throws.
 */
export function hasWideObject(text: string, most: number): boolean {
  const outer: number[] = [];
  let members = 0;
  for (let index = 0; index < text.length; index++) {
    switch (text.charCodeAt(index)) {
      case quote:
        index = endOfString(text, index);
        break;
      case colon:
        if (++members > most) return true;
        break;
      case openObject:
        outer.push(members);
        members = 0;
        break;
      case closeObject:
        members = outer.pop() ?? 0;
        break;
      default:
    }
  }
  return false;
}

/** Index of the quote that ends the string starting at `start`. */
export function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1) {
    if (!isEscaped(text, end)) return end;
    end = text.indexOf('"', end + 1);
  }
  return text.length;
}

/** True for a quote inside a string: with an odd number of backslashes before it, since an even one escapes itself. */
export function isEscaped(text: string, quoteAt: number): boolean {
  let slashes = 0;
  while (text.charCodeAt(quoteAt - 1 - slashes) === backslash) slashes++;
  return slashes % 2 === 1;
}

/** Members of all objects in a value that `JSON.parse` made. */
export function countMembers(value: unknown): number {
  let members = 0;
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (Array.isArray(next)) {
      for (const child of next) if (typeof child === 'object' && child !== null) waiting.push(child);
    } else if (isJsonObject(next)) {
      // What JSON.parse makes has own members only, and this loop copies none of them.
      for (const key in next) {
        members++;
        const child = next[key];
        if (typeof child === 'object' && child !== null) waiting.push(child);
      }
    }
  }
  return members;
}
