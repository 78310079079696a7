import type { JsonObject } from '../base/json.ts';
import { secretsOf } from '../policy/secrets.ts';
import { maskRanges } from '../shared/mask.ts';

const longest = 120;
/** A secret that begins in the part that is shown is told by what is looked at here. UTF-16 units. */
const looked = 1_000;
const spaces = /\s+/g;

/**
 * Arguments in one short line for a list, with what looks like a secret masked. Only ever an aid: decisions are made
 * on the full card.
 */
export function argumentsPreview(value: JsonObject): string {
  let line = '';
  for (const key of Object.keys(value)) {
    if (line !== '') line += ', ';
    line += `${key}: ${short(key, value[key])}`;
    if (line.length > longest) break;
  }
  return cut(line, longest);
}

/** The start of a text, ending in an ellipsis if it goes on; never cuts a character in two. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const last = text.charCodeAt(max - 2);
  return `${text.slice(0, last >= 0xd800 && last <= 0xdbff ? max - 2 : max - 1)}…`;
}

/** Longest message of a server on a card, in UTF-16 units. */
const longestMessage = 200_000;

/** What a server says to a person, as far as a page can draw it. What is left out is counted. */
export function shownMessage(message: string): string {
  const shown = cut(message, longestMessage);
  return shown === message ? message : `${shown}\n[${message.length - shown.length + 1} more characters]`;
}

function short(key: string, value: unknown): string {
  if (typeof value === 'string') {
    const start = value.slice(0, looked);
    return cut(maskRanges(start, secretsOf(key, start)), longest).replaceAll(spaces, ' ');
  }
  if (Array.isArray(value)) return value.length === 1 ? '1 entry' : `${value.length} entries`;
  if (typeof value === 'object' && value !== null) return '{…}';
  return String(value);
}
