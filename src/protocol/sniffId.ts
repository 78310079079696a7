import type { RequestId } from './jsonRpc.ts';

const idPattern = String.raw`"id"\s*:\s*(-?\d{1,16}|"(?:[^"\\]|\\.){0,256}")`;
const versionPattern = String.raw`"jsonrpc"\s*:\s*"2\.0"`;
const atStart = new RegExp(String.raw`^\s*\{\s*(?:${versionPattern}\s*,\s*)?${idPattern}\s*,`);
const atEnd = new RegExp(String.raw`,\s*${idPattern}\s*(?:,\s*${versionPattern}\s*)?\}\s*$`);

/**
 * The id of the response of which only the first and last characters were kept, if it can be told.
 * A guess, good enough to fail one request early instead of letting it wait for its timeout.
 */
export function sniffAnsweredId(head: string, tail: string): RequestId | undefined {
  const start = atStart.exec(head);
  // `method` next to the id means a request of the server, not an answer.
  const found = start === null ? atEnd.exec(tail) : head.includes('"method"') ? null : start;
  const text = found?.[1];
  if (text === undefined) return undefined;
  try {
    const id: unknown = JSON.parse(text);
    return typeof id === 'string' || Number.isSafeInteger(id) ? (id as RequestId) : undefined;
  } catch {
    return undefined;
  }
}
