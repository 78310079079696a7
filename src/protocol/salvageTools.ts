import { isJsonObject } from '../base/json.ts';
import { itemsOf, memberSpan, type Span, skipSpace, textOf } from './jsonSpans.ts';

/** Longer lists with a flaw are refused as a whole: looking through them would hold the thread. Characters. */
const longestSalvaged = 4 * 1024 * 1024;

/** A list of tools without those whose text is flawed. */
export interface Salvage {
  /** The message with a stand-in in the place of each flawed tool. */
  readonly text: string;
  /** Why each was taken out, by its place in the list. */
  readonly flaws: ReadonlyMap<number, string>;
}

/**
 * Takes the flawed tools out of an answer that lists tools, so that one bad tool does not cost the others.
 * Undefined if this is no such answer or none of its tools is to blame. `flawOf` judges the text of one tool.
 */
export function salvageTools(
  text: string,
  flawOf: (text: string) => string | undefined,
): Salvage | undefined {
  if (text.length > longestSalvaged) return undefined;
  const result = memberSpan(text, skipSpace(text, 0), 'result');
  const tools = result === undefined ? undefined : memberSpan(text, result.start, 'tools');
  if (tools === undefined) return undefined;
  const flaws = new Map<number, string>();
  let kept = text.slice(0, tools.start);
  let from = tools.start;
  let place = 0;
  for (const item of itemsOf(text, tools.start)) {
    const flaw = flawOf(text.slice(item.start, item.end));
    if (flaw !== undefined) {
      flaws.set(place, flaw);
      kept += text.slice(from, item.start) + JSON.stringify({ name: nameOf(text, item) });
      from = item.end;
    }
    place += 1;
  }
  return flaws.size === 0 ? undefined : { text: kept + text.slice(from), flaws };
}

function nameOf(text: string, item: Span): string {
  const name = memberSpan(text, item.start, 'name');
  return (name === undefined ? undefined : textOf(text.slice(name.start, name.end))) ?? '';
}

const flawsOf = new WeakMap<object, string>();

/** Remembers of the stand-ins in a parsed message what they stand for. */
export function noteFlaws(message: unknown, flaws: ReadonlyMap<number, string>): void {
  const result = isJsonObject(message) ? message['result'] : undefined;
  const tools = isJsonObject(result) ? result['tools'] : undefined;
  if (!Array.isArray(tools)) return;
  for (const [place, flaw] of flaws) {
    const standIn: unknown = tools[place];
    if (typeof standIn === 'object' && standIn !== null) flawsOf.set(standIn, flaw);
  }
}

/** Why this entry of a list is only a stand-in; undefined for what the server wrote. */
export function notedFlaw(entry: object): string | undefined {
  return flawsOf.get(entry);
}
