import { isExactNumber } from '../base/exactNumber.ts';
import { isJsonObject } from '../base/json.ts';
import type { TimeSlice } from '../base/timeSlice.ts';
import { textOf } from './jsonSpans.ts';
import { endOfString, isEscaped } from './jsonText.ts';

/** A number that cannot be kept as the server wrote it: beyond the digits or the range of a double. */
export interface LostNumber {
  /** A JSON pointer. */
  readonly path: string;
  /** As the server wrote it, cut if it is very long. */
  readonly written: string;
}

/** Says of each number what was written and what it counts as, and whether there may be more. */
export function lostNumberTexts(lost: readonly LostNumber[]): readonly string[] {
  const texts = lost.map(lostNumberText);
  return lost.length < most ? texts : [...texts, 'there may be more of them'];
}

/** Says of a number what was written and what it counts as. */
function lostNumberText({ path, written }: LostNumber): string {
  const kept = Number(written);
  const counts = written.endsWith('…')
    ? 'something else'
    : Number.isFinite(kept)
      ? String(kept)
      : 'no number at all';
  return `${path} is ${written}, and counts as ${counts}`;
}

/** More of them in one member of a result, or in one tool of a list, are not told one by one. */
const most = 20;
/** More are not kept, whatever they are in: a message has room for a million. */
const mostKept = 100_000;
/** What is told of by itself, so that nothing can be hidden behind twenty numbers elsewhere in the message. */
const holder = /^(?:\/\d+)?\/result\/(?:tools\/\d+|[^/]*)/;
const longestWritten = 60;
/** Characters of a name on a path; a name may be as long as a message. */
const longestName = 200;

/** Fewer digits and smaller exponents are always kept exactly; numbers inside texts are found too, and looked at. */
const suspicious = /[\d.]{16}|\d[eE][-+]?\d{3}/;
/** Characters that are looked through at a stretch, and how far one look reaches into the next. */
const look = 65_536;
const overlap = 32;

/** Finds the numbers of a JSON text that cannot be kept. Expects a text that `JSON.parse` accepts. */
export function findLostNumbers(text: string): readonly LostNumber[] {
  if (!suspicious.test(text)) return [];
  const found: LostNumber[] = [];
  for (const _ of scan(text, found));
  return found;
}

/** As `findLostNumbers`, with pauses. */
export async function findLostNumbersOfLarge(text: string, slice: TimeSlice): Promise<readonly LostNumber[]> {
  let isSuspicious = false;
  for (let from = 0; from < text.length && !isSuspicious; from += look) {
    isSuspicious = suspicious.test(text.slice(from, from + look + overlap));
    await slice.pause();
  }
  if (!isSuspicious) return [];
  const found: LostNumber[] = [];
  for (const _ of scan(text, found)) if (slice.isUsedUp) await slice.pause();
  return found;
}

/** A list or an object that is open: its name or place in what holds it is the last of `names`. */
interface Level {
  readonly isObject: boolean;
  /** Where the name of the member that is being read begins; the place in a list. */
  at: number;
}

const quote = 0x22;
const comma = 0x2c;
const minus = 0x2d;
const digit0 = 0x30;
const digit9 = 0x39;
const openList = 0x5b;
const closeList = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;
const steps = 16_384;
const number = /[-+.\deE]*/y;

/** Fills `found`; gives way now and then. */
function* scan(text: string, found: LostNumber[]): Generator<undefined> {
  const levels: Level[] = [];
  const counts = new Map<string, number>();
  /** The next text is the name of a member. */
  let isName = false;
  let next = steps;
  for (let index = 0; index < text.length && found.length < mostKept; index += 1) {
    if (index >= next) {
      next = index + steps;
      yield undefined;
    }
    const code = text.charCodeAt(index);
    if (code === quote) {
      const level = levels.at(-1);
      if (isName && level !== undefined) level.at = index;
      isName = false;
      for (let quotes = 1; ; quotes += 1) {
        const end = text.indexOf('"', index + 1);
        index = end < 0 ? text.length : end;
        if (end < 0 || !isEscaped(text, end)) break;
        // A text of nothing but escaped quotes takes long.
        if (quotes % steps === 0) yield undefined;
      }
    } else if (code === minus || (code >= digit0 && code <= digit9)) {
      number.lastIndex = index;
      const written = number.exec(text)?.[0] ?? '';
      if (suspicious.test(written) && !isExactNumber(written)) {
        const path = pathOf(text, levels);
        const [held = ''] = holder.exec(path) ?? [];
        const count = counts.get(held) ?? 0;
        counts.set(held, count + 1);
        if (count < most) found.push({ path, written: shortened(written) });
      }
      index += Math.max(0, written.length - 1);
    } else if (code === comma) {
      const level = levels.at(-1);
      isName = level?.isObject === true;
      if (level?.isObject === false) level.at += 1;
    } else if (code === openObject || code === openList) {
      isName = code === openObject;
      levels.push({ isObject: isName, at: 0 });
    } else if (code === closeObject || code === closeList) {
      isName = false;
      levels.pop();
    }
  }
}

function pathOf(text: string, levels: readonly Level[]): string {
  return levels
    .map(({ isObject, at }) => {
      const name = isObject ? nameAt(text, at) : String(at);
      return `/${name.toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1')}`;
    })
    .join('');
}

function nameAt(text: string, start: number): string {
  // An escape has six characters for one.
  const head = text.slice(start, start + 6 * longestName);
  const name = textOf(head.slice(0, endOfString(head, 0) + 1)) ?? `${head.slice(1, longestName)}…`;
  return name.length <= longestName ? name : `${name.slice(0, longestName)}…`;
}

function shortened(written: string): string {
  return written.length <= longestWritten ? written : `${written.slice(0, longestWritten)}…`;
}

const lostIn = new WeakMap<object, readonly LostNumber[]>();

/** Those of each result in a text, by the path of the result; their own paths begin there. */
export function lostByResult(
  lost: readonly LostNumber[],
): ReadonlyMap<string, readonly LostNumber[]> | undefined {
  return lost.length === 0 ? undefined : byPrefix(lost, /^(?:\/\d+)?\/result(?=\/)/);
}

function byPrefix(lost: readonly LostNumber[], prefix: RegExp): Map<string, LostNumber[]> {
  const groups = new Map<string, LostNumber[]>();
  for (const { path, written } of lost) {
    const [start] = prefix.exec(path) ?? [];
    if (start === undefined) continue;
    const group = groups.get(start) ?? [];
    group.push({ path: path.slice(start.length), written });
    groups.set(start, group);
  }
  return groups;
}

/** Remembers of a result, and of each tool that it lists, what was lost in it. */
export function noteLostNumbers(result: object, own: readonly LostNumber[] | undefined): void {
  if (own === undefined) return;
  lostIn.set(result, own);
  const tools: unknown = isJsonObject(result) ? result['tools'] : undefined;
  if (!Array.isArray(tools)) return;
  for (const [start, numbers] of byPrefix(own, /^\/tools\/\d+(?=\/)/)) {
    const tool: unknown = tools[Number(start.slice('/tools/'.length))];
    if (isJsonObject(tool)) lostIn.set(tool, numbers);
  }
}

/** The numbers of a received result, or of a received tool, that are not as the server wrote them. */
export function lostNumbersIn(received: object): readonly LostNumber[] | undefined {
  return lostIn.get(received);
}
