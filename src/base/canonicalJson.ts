import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { HostError } from './errors.ts';

/**
 * The canonical text of a JSON value (RFC 8785): keys sorted, one spelling per number, no white space.
 * Two values have the same text exactly when they are the same JSON value.
 * @throws HostError `malformedMessage` for what JSON cannot carry (functions, NaN, cycles, lone surrogates)
 */
export function canonicalJson(value: unknown): string {
  try {
    const text = canonicalize(value);
    if (text !== undefined) return text;
  } catch (cause) {
    throw new HostError('malformedMessage', 'The value is not JSON.', { cause });
  }
  throw new HostError('malformedMessage', 'The value is not JSON.');
}

/** `sha256:` and the hash, in hexadecimal, of the canonical JSON of a value. Throws as `canonicalJson` does. */
export function digest(value: unknown): string {
  return digestText(canonicalJson(value));
}

/** `sha256:` and the hash, in hexadecimal, of a text in UTF-8. */
export function digestText(text: string): string {
  return `sha256:${hash('sha256', text)}`;
}
