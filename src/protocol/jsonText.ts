import { isJsonObject } from '../base/json.ts';

const quote = 0x22;
const colon = 0x3a;
const openList = 0x5b;
const backslash = 0x5c;
const closeList = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/**
 * What is wrong with a JSON text that parsed as `value`, beyond its grammar: too deep, or a key twice in
 * one object (RFC 7493 asks for neither). The text is scanned once; nothing recursive runs over the value.
 */
export function inspectJsonText(text: string, value: unknown, maxDepth: number): string | undefined {
  const { depth, members } = measureJsonText(text);
  if (depth > maxDepth) return `nested more than ${maxDepth} levels deep`;
  // A key that is there twice is written twice but kept once.
  return members === countMembers(value) ? undefined : 'the same key twice in one object';
}

/** Depth and number of object members as written. Expects a text that `JSON.parse` accepts. */
function measureJsonText(text: string): { readonly depth: number; readonly members: number } {
  let depth = 0;
  let deepest = 0;
  let members = 0;
  for (let index = 0; index < text.length; index++) {
    switch (text.charCodeAt(index)) {
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
    }
  }
  return { depth: deepest, members };
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
