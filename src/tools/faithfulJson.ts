import type { TimeSlice } from '../base/timeSlice.ts';
import { writeJson } from '../base/writeJson.ts';
import { readLargeJson } from '../protocol/readLargeJson.ts';

/** Longer texts are not looked at, in characters. */
const longest = 1_000_000;
/** A page puts up with no more. */
const bounds = { depth: 200, members: 50_000, containers: 500_000 };

/**
 * True for a text that is a JSON object or array and loses nothing when it is read as such: no key twice, no number
 * that changes, no other order. A person must not see less in a tree than the model sees in the text.
 */
export async function isFaithfulJson(text: string, slice: TimeSlice): Promise<boolean> {
  if (text.length > longest || !/^\s*[[{]/.test(text)) return false;
  const json = await readLargeJson(text, bounds, slice);
  if (json.kind === 'refused') return false;
  const { pieces } = await writeJson(json.value, { most: text.length }, slice);
  const written = pieces.join('');
  await slice.pause();
  return written === withoutSpaces(text);
}

/** A JSON text without the white space outside its strings. */
function withoutSpaces(text: string): string {
  return text.replaceAll(/("[^"\\]*(?:\\.[^"\\]*)*")|\s+/g, '$1');
}
