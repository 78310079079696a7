import type { JsonObject, JsonValue } from '../base/json.ts';
import type { TimeSlice } from '../base/timeSlice.ts';
import { countMembers, isEscaped } from './jsonText.ts';
import { hasSurrogateEscape, repairValue } from './wire/wellFormed.ts';

/** What a JSON text may be like, so that whoever works with its value never meets worse. */
export interface LargeJsonBounds {
  /** Levels of nesting. */
  readonly depth: number;
  /** Members of one object: they take long at every step. */
  readonly members: number;
  /** Lists and objects: each takes many times the memory of its two brackets. */
  readonly containers: number;
  /** Characters that are parsed at a stretch. */
  readonly piece?: number;
}

/** The value of a JSON text, or what is wrong with it. */
export type LargeJson =
  | { readonly kind: 'read'; readonly value: JsonValue }
  | { readonly kind: 'refused'; readonly flaw: 'notJson' | 'depth' | 'members' | 'containers' | 'sameKey' };

/** Two milliseconds of the densest JSON. */
const usualPiece = 65_536;
/** A string of so many pieces is parsed in parts too. */
const longString = 8;
/** Characters, or quotes in one string, between two looks at the clock. */
const look = 16_384;

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openList = 0x5b;
const closeList = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;
const blank = /^[\t\n\r ]*$/;

type Container = JsonValue[] | Record<string, JsonValue>;

/** A list or an object that is open where the reader stands. */
interface Level {
  readonly isObject: boolean;
  /** Where its bracket stands. */
  readonly start: number;
  /** Where its last entry begins: behind its bracket or its last comma. */
  entry: number;
  members: number;
  /** Set for the outer levels, which are put together piece by piece; the inner ones are inside a piece. */
  built: Built | undefined;
}

interface Built {
  readonly value: Container;
  /** Its name in the object that holds it. */
  readonly key: string;
  /** Where the text begins that is not in `value` yet. */
  from: number;
  isEmpty: boolean;
  /** A level inside has just ended, so a comma or the end has to follow. */
  isAfterLevel: boolean;
}

/** A text that is parsed in parts. */
interface Long {
  /** Where its next part begins. */
  from: number;
  /** Where its closing quote stands. */
  readonly end: number;
  readonly key: string;
  readonly parts: string[];
}

class Flaw extends Error {
  readonly flaw: Extract<LargeJson, { readonly kind: 'refused' }>['flaw'];

  constructor(flaw: Flaw['flaw']) {
    super(flaw);
    this.flaw = flaw;
  }
}

/**
 * As `JSON.parse`, with pauses: the text is gone through once, and each piece of it is parsed as soon as it is whole.
 * Lone surrogates are replaced by U+FFFD. Refuses also what is too deep, too wide, or has a key twice in one object.
 */
export async function readLargeJson(
  text: string,
  bounds: LargeJsonBounds,
  slice: TimeSlice,
): Promise<LargeJson> {
  const reader = new Reader(text, bounds);
  try {
    for (;;) {
      const value = reader.advance();
      if (value !== undefined) return { kind: 'read', value };
      await slice.pause();
    }
  } catch (error) {
    if (error instanceof Flaw) return { kind: 'refused', flaw: error.flaw };
    throw error;
  }
}

class Reader {
  readonly #text: string;
  readonly #bounds: LargeJsonBounds;
  readonly #piece: number;
  readonly #levels: Level[] = [];
  /** How many of the levels, from the outermost, are built. */
  #built = 0;
  #at: number;
  #inString = false;
  /** Where it begins. */
  #string = 0;
  /** The string that is parsed in parts: where the next one begins, and those before it. */
  #long: Long | undefined;
  #containers = 0;
  /** Members as written, and those of the value: fewer where an object has a key twice. */
  #written = 0;
  #kept = 0;

  constructor(text: string, bounds: LargeJsonBounds) {
    this.#text = text;
    this.#bounds = bounds;
    this.#piece = bounds.piece ?? usualPiece;
    this.#at = text.search(/[^\t\n\r ]/);
  }

  /** Reads on for a while. The value when it is whole. @throws Flaw */
  advance(): JsonValue | undefined {
    const text = this.#text;
    if (this.#levels.length === 0) {
      const first = text.charCodeAt(this.#at);
      if (first !== openObject && first !== openList) return this.#parse(text, text);
    }
    if (this.#long !== undefined) {
      this.#advanceLong(this.#long);
      return undefined;
    }
    const stop = Math.min(text.length, this.#at + Math.min(look, this.#piece));
    while (this.#at < stop) {
      if (this.#inString) {
        this.#skipString();
        if (this.#inString || this.#long !== undefined) return undefined;
        continue;
      }
      const index = this.#at++;
      switch (text.charCodeAt(index)) {
        case quote:
          this.#inString = true;
          this.#string = index;
          break;
        case colon:
          this.#countMember();
          break;
        case comma:
          this.#endEntry(index);
          break;
        case openObject:
        case openList:
          this.#open(index);
          break;
        case closeObject:
        case closeList: {
          const value = this.#close(index);
          if (value !== undefined) return value;
          break;
        }
        default:
      }
    }
    if (this.#at >= text.length) throw new Flaw('notJson');
    this.#buildMore();
    return undefined;
  }

  /** Goes behind the string's end, or at least a good way on. */
  #skipString(): void {
    for (let quotes = 0; quotes < look; quotes += 1) {
      const end = this.#text.indexOf('"', this.#at);
      if (end < 0) throw new Flaw('notJson');
      this.#at = end + 1;
      if (isEscaped(this.#text, end)) continue;
      this.#inString = false;
      if (end - this.#string > longString * this.#piece) this.#beginLong(end);
      return;
    }
  }

  /** Takes a long text that is a value as a value of its own; a name, or what stands wrongly, is left to the parser. */
  #beginLong(end: number): void {
    this.#buildMore();
    const outer = this.#levels[this.#built - 1];
    if (outer?.built === undefined || this.#built < this.#levels.length || outer.built.isAfterLevel) return;
    const head = this.#text.slice(outer.entry, this.#string);
    if (outer.isObject && blank.test(head)) return;
    if (outer.entry > outer.built.from) this.#take(outer, outer.built, outer.entry - 1, false);
    this.#long = { from: this.#string + 1, end, key: this.#keyIn(head, outer), parts: [] };
  }

  /** One more part of the long text. A part may end inside a pair of surrogates, but in no escape. */
  #advanceLong(long: Long): void {
    const text = this.#text;
    const to = outsideEscape(text, long.from, Math.min(long.from + longString * this.#piece, long.end));
    try {
      long.parts.push(JSON.parse(`"${text.slice(long.from, to)}"`) as string);
    } catch {
      throw new Flaw('notJson');
    }
    long.from = to;
    if (to < long.end) return;
    this.#long = undefined;
    const built = this.#levels[this.#built - 1]?.built;
    if (built === undefined) throw new Flaw('notJson');
    add(built.value, long.key, long.parts.join('').toWellFormed());
    built.from = long.end + 1;
    built.isAfterLevel = true;
    built.isEmpty = false;
  }

  #countMember(): void {
    this.#written += 1;
    const level = this.#levels.at(-1);
    if (level !== undefined && ++level.members > this.#bounds.members) throw new Flaw('members');
  }

  #open(index: number): void {
    const isObject = this.#text.charCodeAt(index) === openObject;
    const isRoot = this.#levels.length === 0;
    const built = isRoot ? newBuilt(isObject, '', index) : undefined;
    this.#levels.push({ isObject, start: index, entry: index + 1, members: 0, built });
    if (isRoot) this.#built = 1;
    if (this.#levels.length > this.#bounds.depth) throw new Flaw('depth');
    if (++this.#containers > this.#bounds.containers) throw new Flaw('containers');
  }

  #endEntry(index: number): void {
    const level = this.#levels.at(-1);
    if (level === undefined) throw new Flaw('notJson');
    level.entry = index + 1;
    const { built } = level;
    if (built === undefined) return;
    if (built.isAfterLevel || index - built.from >= this.#piece) this.#take(level, built, index, false);
  }

  /** The root when that ends. */
  #close(index: number): JsonValue | undefined {
    const level = this.#levels.pop();
    if (level === undefined) throw new Flaw('notJson');
    const { built } = level;
    if (built === undefined) return undefined;
    const isObject = this.#text.charCodeAt(index) === closeObject;
    if (isObject !== level.isObject) throw new Flaw('notJson');
    this.#take(level, built, index, true);
    this.#built -= 1;
    const outer = this.#levels.at(-1)?.built;
    if (outer === undefined) {
      if (!blank.test(this.#text.slice(index + 1))) throw new Flaw('notJson');
      if (this.#written !== this.#kept) throw new Flaw('sameKey');
      return built.value;
    }
    add(outer.value, built.key, built.value);
    outer.from = index + 1;
    outer.isAfterLevel = true;
    outer.isEmpty = false;
    return undefined;
  }

  /** Where a level inside a piece makes it too long, that level is built too. */
  #buildMore(): void {
    for (;;) {
      const outer = this.#levels[this.#built - 1];
      const level = this.#levels[this.#built];
      if (outer?.built === undefined || level === undefined) return;
      if (this.#at - outer.built.from < this.#piece) return;
      if (outer.built.isAfterLevel) throw new Flaw('notJson');
      if (outer.entry > outer.built.from) this.#take(outer, outer.built, outer.entry - 1, false);
      const head = this.#text.slice(outer.entry, level.start);
      level.built = newBuilt(level.isObject, this.#keyIn(head, outer), level.start);
      this.#built += 1;
    }
  }

  /** What stands before a value: nothing in a list, its name in an object. */
  #keyIn(head: string, outer: Level): string {
    if (!outer.isObject) {
      if (!blank.test(head)) throw new Flaw('notJson');
      return '';
    }
    const [key, ...others] = Object.keys(this.#parse(`{${head}0}`, head) as JsonObject);
    if (key === undefined || others.length > 0) throw new Flaw('notJson');
    return key;
  }

  /** Takes the entries up to a comma or the end into the value. */
  #take(level: Level, built: Built, end: number, isEnd: boolean): void {
    const piece = this.#text.slice(built.from, end);
    const isFirst = built.isEmpty;
    built.from = end + 1;
    if (built.isAfterLevel || (isEnd && isFirst)) {
      const isBlank = blank.test(piece);
      if (built.isAfterLevel && !isBlank) throw new Flaw('notJson');
      built.isAfterLevel = false;
      if (isBlank) return;
    }
    built.isEmpty = false;
    if (level.isObject) {
      const part = this.#parse(`{${piece}}`, piece) as JsonObject;
      const keys = Object.keys(part);
      // Between two commas there has to be something.
      if (keys.length === 0) throw new Flaw('notJson');
      for (const key of keys) add(built.value, key, part[key] ?? null);
    } else {
      const part = this.#parse(`[${piece}]`, piece) as readonly JsonValue[];
      if (part.length === 0) throw new Flaw('notJson');
      const list = built.value as JsonValue[];
      for (const item of part) list.push(item);
    }
  }

  #parse(text: string, piece: string): JsonValue {
    let value: JsonValue;
    try {
      value = JSON.parse(text) as JsonValue;
    } catch {
      throw new Flaw('notJson');
    }
    this.#kept += countMembers(value);
    return piece.isWellFormed() && !hasSurrogateEscape(piece) ? value : repairValue(value);
  }
}

function newBuilt(isObject: boolean, key: string, start: number): Built {
  return { value: isObject ? {} : [], key, from: start + 1, isEmpty: true, isAfterLevel: false };
}

function add(holder: Container, key: string, value: JsonValue): void {
  if (Array.isArray(holder)) {
    holder.push(value);
    return;
  }
  if (Object.hasOwn(holder, key)) throw new Flaw('sameKey');
  if (key === '__proto__') {
    Object.defineProperty(holder, key, { value, writable: true, enumerable: true, configurable: true });
  } else holder[key] = value;
}

/** The last place up to `to` that is not inside an escape; `from` is such a place. */
function outsideEscape(text: string, from: number, to: number): number {
  const last = text.lastIndexOf('\\', to - 1);
  // `\u` and four digits are the longest.
  if (last < from || last <= to - 6) return to;
  let first = last;
  while (first > from && text[first - 1] === '\\') first -= 1;
  if ((last - first) % 2 === 1) return to;
  const end = last + (text[last + 1] === 'u' ? 6 : 2);
  if (end <= to) return to;
  return last > from ? last : end;
}
