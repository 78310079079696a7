import type { JsonObject } from '../base/json.ts';

const longest = 120;
const spaces = /\s+/g;

/** Arguments in one short line for a list. Only ever an aid: decisions are made on the full card. */
export function argumentsPreview(value: JsonObject): string {
  let line = '';
  for (const key of Object.keys(value)) {
    if (line !== '') line += ', ';
    line += `${key}: ${short(value[key])}`;
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

function short(value: unknown): string {
  if (typeof value === 'string') return cut(value, longest).replaceAll(spaces, ' ');
  if (Array.isArray(value)) return value.length === 1 ? '1 entry' : `${value.length} entries`;
  if (typeof value === 'object' && value !== null) return '{…}';
  return String(value);
}
