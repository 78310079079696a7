import { HostError } from '../base/errors.ts';

/** What a field value carries unchanged: visible ASCII, with spaces inside only. */
const plain = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;
const sentinel = { start: '=?base64?', end: '?=' } as const;

/**
 * A text as an HTTP field value: as it is where that is safe, else in the Base64 sentinel form
 * (2026-07-28: streamable HTTP, "Value Encoding").
 * @throws HostError `invalidArguments` for lone surrogates, which have no UTF-8 form
 */
export function encodeHeaderValue(text: string): string {
  const ambiguous = text.startsWith(sentinel.start) && text.endsWith(sentinel.end);
  // Tabs and the empty text are legal field values, but not every intermediary keeps them.
  if (plain.test(text) && !ambiguous) return text;
  if (!text.isWellFormed()) {
    throw new HostError('invalidArguments', 'A text with a lone surrogate cannot be sent in an HTTP header.');
  }
  return `${sentinel.start}${Buffer.from(text, 'utf8').toString('base64')}${sentinel.end}`;
}
