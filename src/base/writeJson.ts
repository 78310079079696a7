import { isJsonObject } from './json.ts';
import type { TimeSlice } from './timeSlice.ts';

/** How a long JSON text is written. */
export interface JsonLayout {
  /** Spaces for each level; without it everything is on one line. */
  readonly indent?: number;
  /** Characters after which writing ends, whole or not. */
  readonly most?: number;
}

/** The text in pieces, to be joined. */
export interface WrittenJson {
  readonly pieces: readonly string[];
  readonly length: number;
  /** False if the text was longer than `most`. */
  readonly isWhole: boolean;
}

/** Values, and characters, that are written at a stretch. */
const fewValues = 5_000;
const fewCharacters = 65_536;
/** Levels below it; the stack has an end. */
const deep = 250;
/** Most neighbours in a list that are tried together. */
const most = 128;

/** As `JSON.stringify`, with pauses, for what `JSON.parse` can make. Never throws. */
export async function writeJson(value: unknown, layout: JsonLayout, slice: TimeSlice): Promise<WrittenJson> {
  const pieces: string[] = [];
  let text = '';
  let length = 0;
  const bound = layout.most ?? Infinity;
  for (const piece of piecesOf(value, ' '.repeat(layout.indent ?? 0))) {
    text += piece;
    length += piece.length;
    // Very many small pieces would take long to be joined.
    if (text.length >= fewCharacters / 2) {
      pieces.push(text);
      text = '';
    }
    if (length > bound) return { pieces: [...pieces, text], length, isWhole: false };
    if (slice.isUsedUp) await slice.pause();
  }
  pieces.push(text);
  return { pieces, length, isWhole: true };
}

/** The beginning of a JSON text, at once: not much more than `most` characters, then `…` if there are more. */
export function startOfJson(value: unknown, most: number): string {
  let text = '';
  for (const piece of piecesOf(value, '')) {
    text += piece;
    if (text.length > most) return `${text.slice(0, most)}…`;
  }
  return text;
}

interface Open {
  readonly list: readonly unknown[];
  /** Names of the entries of an object. */
  readonly keys: readonly string[] | undefined;
  next: number;
  /** Neighbours to be tried together: fewer where that was too much. */
  together: number;
}

/** Without recursion: what it is for is large, and may be deep. */
function* piecesOf(root: unknown, indent: string): Generator<string> {
  if (typeof root === 'string') return yield* textPieces(root);
  if (isSmall(root)) return yield textOf(root, indent, 0);
  const open: Open[] = [opened(root)];
  yield open[0]?.keys === undefined ? '[' : '{';
  for (let inner = open.at(-1); inner !== undefined; inner = open.at(-1)) {
    const depth = open.length;
    const { list, keys, next } = inner;
    if (next >= list.length) {
      open.pop();
      const end = keys === undefined ? ']' : '}';
      yield `${list.length === 0 ? '' : lineBreak(indent, depth - 1)}${end}`;
      continue;
    }
    const lead = `${next === 0 ? '' : ','}${lineBreak(indent, depth)}`;
    const name = keys === undefined ? '' : `${JSON.stringify(keys[next])}:${indent === '' ? '' : ' '}`;
    const item = list[next];
    inner.next += 1;
    if (typeof item === 'string' && item.length > fewCharacters) {
      yield `${lead}${name}`;
      yield* textPieces(item);
      continue;
    }
    if (isSmall(item)) {
      // In a long list of small things each by itself would take many times as long.
      const group = keys === undefined ? groupOf(inner, next) : undefined;
      if (group === undefined) {
        yield `${lead}${name}${textOf(item, indent, depth)}`;
        continue;
      }
      inner.next = next + group.length;
      const text = textOf(group, indent, depth - 1);
      // Its own brackets, and the line breaks inside them, are not wanted.
      yield `${next === 0 ? '' : ','}${text.slice(1, text.length - 1 - lineBreak(indent, depth - 1).length)}`;
      continue;
    }
    const child = opened(item);
    yield `${lead}${name}${child.keys === undefined ? '[' : '{'}`;
    open.push(child);
  }
}

function opened(value: unknown): Open {
  if (Array.isArray(value)) return { list: value, keys: undefined, next: 0, together: most };
  const members = Object.entries(isJsonObject(value) ? value : {}).filter(([, item]) => item !== undefined);
  const [list, keys] = [members.map(([, item]) => item), members.map(([key]) => key)];
  return { list, keys, next: 0, together: most };
}

/** The neighbours from here on that are small together; `undefined` if that is only one. */
function groupOf(open: Open, from: number): readonly unknown[] | undefined {
  const group = open.list.slice(from, from + open.together);
  const fits = group.length > 1 && isSmall(group);
  open.together = fits ? Math.min(open.together * 2, most) : Math.max(open.together >> 1, 2);
  return fits ? group : undefined;
}

function textOf(value: unknown, indent: string, depth: number): string {
  const text: string | undefined = JSON.stringify(value, undefined, indent);
  if (indent === '' || depth === 0 || typeof value !== 'object') return text ?? 'null';
  // A string in JSON holds no line break, so each one is the layout's.
  return text.replaceAll('\n', lineBreak(indent, depth));
}

function lineBreak(indent: string, depth: number): string {
  return indent === '' ? '' : `\n${indent.repeat(depth)}`;
}

/** A long text, never cut inside a pair of surrogates. */
function* textPieces(text: string): Generator<string> {
  yield '"';
  for (let from = 0; from < text.length;) {
    let to = Math.min(from + fewCharacters, text.length);
    if (/[\ud800-\udbff]/.test(text[to - 1] ?? '') && to - from > 1) to -= 1;
    yield JSON.stringify(text.slice(from, to)).slice(1, -1);
    from = to;
  }
  yield '"';
}

/** True for what is written in no time. */
export function isSmall(root: unknown): boolean {
  const waiting: unknown[] = [root];
  const depths: number[] = [0];
  let values = 0;
  let characters = 0;
  while (waiting.length > 0) {
    const value = waiting.pop();
    const depth = depths.pop() ?? 0;
    if (depth > deep) return false;
    if (typeof value === 'string') characters += value.length;
    if (Array.isArray(value)) {
      values += value.length;
      if (values > fewValues) return false;
      for (const child of value as readonly unknown[]) {
        waiting.push(child);
        depths.push(depth + 1);
      }
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, child] of Object.entries(value)) {
        characters += key.length;
        if (++values > fewValues) return false;
        waiting.push(child);
        depths.push(depth + 1);
      }
    }
    if (characters > fewCharacters) return false;
  }
  return true;
}
