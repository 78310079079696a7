import { endOfString } from './jsonText.ts';

/** A piece of a JSON text: from `start` up to, but not including, `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The value of a member of the object that starts at `start`, if it has exactly one of that name. */
export function memberSpan(text: string, start: number, name: string): Span | undefined {
  let found: Span | undefined;
  for (const { key, value } of membersOf(text, start)) {
    if (key !== name) continue;
    if (found !== undefined) return undefined;
    found = value;
  }
  return found;
}

/** The items of the list that starts at `start`; none if there is no list. */
export function* itemsOf(text: string, start: number): Generator<Span> {
  if (text[start] !== '[') return;
  let at = skipSpace(text, start + 1);
  while (at < text.length && text[at] !== ']') {
    const end = endOfValue(text, at);
    yield { start: at, end };
    at = skipSpace(text, end);
    if (text[at] !== ',') return;
    at = skipSpace(text, at + 1);
  }
}

function* membersOf(text: string, start: number): Generator<{ readonly key: unknown; readonly value: Span }> {
  if (text[start] !== '{') return;
  let at = skipSpace(text, start + 1);
  while (text[at] === '"') {
    const endOfKey = endOfString(text, at) + 1;
    const key = textOf(text.slice(at, endOfKey));
    const begin = skipSpace(text, skipSpace(text, endOfKey) + 1);
    const end = endOfValue(text, begin);
    yield { key, value: { start: begin, end } };
    at = skipSpace(text, end);
    if (text[at] !== ',') return;
    at = skipSpace(text, at + 1);
  }
}

/** The string that a JSON text spells; undefined if it is none. */
export function textOf(json: string): string | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

export function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && /[\t\n\r ]/.test(text.charAt(at))) at += 1;
  return at;
}

/** Where the value that starts at `start` ends. Brackets are counted, not matched: the grammar is judged elsewhere. */
function endOfValue(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    switch (text.charAt(at)) {
      case '"':
        at = endOfString(text, at);
        if (depth === 0) return at + 1;
        break;
      case '{':
      case '[':
        depth += 1;
        break;
      case '}':
      case ']':
        depth -= 1;
        if (depth <= 0) return depth < 0 ? at : at + 1;
        break;
      case ',':
        if (depth === 0) return at;
        break;
      default:
    }
  }
  return text.length;
}
