import { hash } from 'node:crypto';
import { HostError } from './errors.ts';
import { isJsonObject } from './json.ts';

/**
 * The canonical text of a JSON value (RFC 8785): keys sorted, one spelling per number, no white space.
 * Two values have the same text exactly when they are the same JSON value.
 * @throws HostError `malformedMessage` for what JSON cannot carry (functions, NaN, cycles, lone surrogates)
 */
export function canonicalJson(value: unknown): string {
  try {
    return textOf(value);
  } catch (cause) {
    // Cycles and bottomless nesting end here too, when the stack does.
    throw new HostError('malformedMessage', 'The value is not JSON.', { cause });
  }
}

/** `sha256:` and the hash, in hexadecimal, of the canonical JSON of a value. Throws as `canonicalJson` does. */
export function digest(value: unknown): string {
  return digestText(canonicalJson(value));
}

/** `sha256:` and the hash, in hexadecimal, of a text in UTF-8. */
export function digestText(text: string): string {
  return `sha256:${hash('sha256', text)}`;
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number' && Number.isFinite(value)) return JSON.stringify(value);
  if (Array.isArray(value)) return listText(value);
  if (isJsonObject(value)) return objectText(value);
  throw new TypeError('This is nothing that JSON can carry.');
}

function listText(list: readonly unknown[]): string {
  let text = '[';
  for (const [index, item] of list.entries()) text += index === 0 ? textOf(item) : `,${textOf(item)}`;
  return `${text}]`;
}

function objectText(object: Readonly<Record<string, unknown>>): string {
  let text = '{';
  // By UTF-16 units, as RFC 8785 wants it and `sort` does it.
  for (const key of Object.keys(object).sort()) {
    const member = object[key];
    if (member === undefined) continue;
    text += `${text === '{' ? '' : ','}${quoted(key)}:${textOf(member)}`;
  }
  return `${text}}`;
}

/** Quotes, backslashes and control characters, which are escaped, and surrogates, whose pairs have to be whole. */
const special = /[^ !#-[\]-\ud7ff\ue000-\uffff]/;

function quoted(text: string): string {
  if (!special.test(text)) return `"${text}"`;
  if (!text.isWellFormed()) throw new TypeError('Half a surrogate pair has no form in UTF-8.');
  return JSON.stringify(text);
}
