import { HostError } from '../base/errors.ts';
import { isJsonObject, type JsonObject } from '../base/json.ts';
import type { JsonRpcErrorResponse, JsonRpcMessage, RequestId } from './jsonRpc.ts';
import { TimeSlice } from '../base/timeSlice.ts';
import { hasWideObject, inspectJsonText } from './jsonText.ts';
import { findLostNumbers, findLostNumbersOfLarge, lostByResult, noteLostNumbers } from './lostNumbers.ts';
import { readLargeJson } from './readLargeJson.ts';
import { noteFlaws, type Salvage, salvageTools } from './salvageTools.ts';
import { sniffAnsweredId } from './sniffId.ts';
import { noteTextLength } from './wire/textLength.ts';
import { vouchRepaired, vouchWellFormed } from './wire/wellFormed.ts';

/** One entry of what a peer sent: a message, or why it is none (HostError `malformedMessage`). */
export type ParsedMessage =
  | { readonly kind: 'message'; readonly message: JsonRpcMessage }
  /** `id`: of our request that the broken entry answers, as far as that could be read. */
  | { readonly kind: 'invalid'; readonly id?: RequestId; readonly error: HostError };

/** Deeper JSON than this is refused: recursive code further in must never meet it. */
export const maxJsonDepth = 256;

/** Objects with more members are refused before they are parsed: they take seconds at every step. */
const maxMembers = 50_000;
/** Messages with more lists and objects are refused: sixteen megabytes of brackets would take a gigabyte of memory. */
const maxContainers = 1_000_000;
/** Characters of the shortest member, `"":1,`. */
const leastMember = 5;
/** Characters at either end of a text in which its id is looked for. */
const sniffed = 512;

/** Longer texts are read in pieces (`parseLargeMessages`), so that the thread is not held. Characters. */
export const longestAtOnce = 256 * 1024;

/** How a message or a batch begins. */
const begin = /^[\t\n\r ]*[{[]/;

/** More messages than this in one batch (2025-03-26 only) are refused. */
const maxBatch = 1_000;

/**
 * Reads what a peer sent as one JSON text: a message, or a batch of messages (specification 2025-03-26).
 * Never throws. JSON that is too deep, or an object with the same key twice, is refused: whoever reads
 * such a text elsewhere might see another message than we do.
 */
export function parseMessages(text: string): readonly ParsedMessage[] {
  // What begins otherwise is no message, and finding that out by an exception costs many times as much.
  if (!begin.test(text)) return [invalid('not a JSON object or list', undefined)];
  const read = readText(text, maxJsonDepth);
  if (read.flaw === undefined) {
    const lost = read.hasLongNumber === true ? lostByResult(findLostNumbers(text)) : undefined;
    return readEntries(read.value, (result, path) => {
      vouchWellFormed(result, text);
      noteTextLength(result, text.length);
      noteLostNumbers(result, lost?.get(path));
    });
  }
  const { flaw, cause, value } = read;
  const salvage = cause === undefined ? salvageTools(text, toolFlaw) : undefined;
  if (salvage !== undefined) return readSalvaged(salvage);
  if (cause !== undefined) return [invalid(flaw, undefined, { cause })];
  if (value === undefined)
    return [invalid(flaw, sniffAnsweredId(text.slice(0, sniffed), text.slice(-sniffed)))];
  const entries = Array.isArray(value) ? value.slice(0, maxBatch) : [value];
  return entries.map((entry) => invalid(flaw, answeredId(entry)));
}

interface ReadText {
  /** Undefined if it was not parsed. */
  readonly value?: unknown;
  /** What is wrong with the text; `cause`: it is not JSON at all. */
  readonly flaw?: string;
  readonly cause?: unknown;
  readonly hasLongNumber?: boolean;
}

function readText(text: string, depth: number): ReadText {
  if (text.length > maxMembers * leastMember && hasWideObject(text, maxMembers))
    return { flaw: flawWords.members };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    return { flaw: flawWords.notJson, cause };
  }
  return { value, ...inspectJsonText(text, value, depth) };
}

/** What is wrong with one tool of a list, three levels down in its message. */
const toolFlaw = (text: string): string | undefined => readText(text, maxJsonDepth - 3).flaw;

function readSalvaged({ text, flaws }: Salvage): readonly ParsedMessage[] {
  const { value, flaw } = readText(text, maxJsonDepth);
  if (flaw !== undefined) return [invalid(flaw, answeredId(value))];
  noteFlaws(value, flaws);
  const lost = lostByResult(findLostNumbers(text));
  return readEntries(value, (result, path) => {
    noteTextLength(result, text.length);
    noteLostNumbers(result, lost?.get(path));
  });
}

/**
 * As `parseMessages`, for a text that is too long to be read at a stretch: other work gets its turn meanwhile. Lone
 * surrogates have been replaced by U+FFFD.
 */
export async function parseLargeMessages(
  text: string,
  slice: TimeSlice = new TimeSlice(),
): Promise<readonly ParsedMessage[]> {
  if (!begin.test(text)) return [invalid('not a JSON object or list', undefined)];
  const json = await readLargeJson(
    text,
    { depth: maxJsonDepth, members: maxMembers, containers: maxContainers },
    slice,
  );
  if (json.kind === 'refused') {
    const salvage = json.flaw === 'notJson' ? undefined : salvageTools(text, toolFlaw);
    if (salvage !== undefined) return readSalvaged(salvage);
    const id = sniffAnsweredId(text.slice(0, sniffed), text.slice(-sniffed));
    return [invalid(flawWords[json.flaw], json.flaw === 'notJson' ? undefined : id)];
  }
  const lost = lostByResult(await findLostNumbersOfLarge(text, slice));
  return readEntries(json.value, (result, path) => {
    vouchRepaired(result);
    noteTextLength(result, text.length);
    noteLostNumbers(result, lost?.get(path));
  });
}

const flawWords = {
  notJson: 'not JSON',
  depth: `nested more than ${maxJsonDepth} levels deep`,
  members: `an object with more than ${maxMembers} members`,
  containers: `more than ${maxContainers} lists and objects`,
  sameKey: 'the same key twice in one object',
} as const;

/** Told of a result, and of its path in the text. */
type Note = (result: object, path: string) => void;

function readEntries(value: unknown, note: Note): readonly ParsedMessage[] {
  if (!Array.isArray(value)) return [readMessage(value, note, '')];
  if (value.length === 0 || value.length > maxBatch)
    return [invalid(`a batch of ${value.length} messages`, undefined)];
  return value.map((entry, place) => readMessage(entry, note, `/${place}`));
}

function readMessage(value: unknown, note: Note, path: string): ParsedMessage {
  if (!isJsonObject(value)) return invalid('not an object', undefined);
  const { id, method } = value;
  if (value['jsonrpc'] !== '2.0') return invalid('"jsonrpc" is not "2.0"', answeredId(value));
  if (id !== undefined && id !== null && !isRequestId(id)) return invalid('an impossible id', undefined);
  if (method !== undefined) return readCall(value, id, method);
  // Older JSON-RPC libraries write the member that does not apply as null.
  const failed = value['error'] !== undefined && value['error'] !== null;
  if (failed && value['result'] !== undefined && value['result'] !== null)
    return invalid('both a result and an error', answeredId(value));
  if (failed) return readError(value, id);
  if (!isRequestId(id)) return invalid('neither a method nor an id', undefined);
  if (!isJsonObject(value['result'])) return invalid('the result is not an object', id);
  note(value['result'], `${path}/result`);
  return { kind: 'message', message: { jsonrpc: '2.0', id, result: value['result'] } };
}

function readCall(value: JsonObject, id: unknown, method: unknown): ParsedMessage {
  const params = value['params'];
  if (typeof method !== 'string') return invalid('the method is not a text', undefined);
  // Some servers write `"params": null` for "none"; positional parameters have no meaning in MCP.
  if (params !== undefined && params !== null && !isJsonObject(params))
    return invalid('the parameters are not an object', undefined);
  const rest = isJsonObject(params) ? { method, params } : { method };
  if (id === undefined) return { kind: 'message', message: { jsonrpc: '2.0', ...rest } };
  if (!isRequestId(id)) return invalid('a request whose id is null', undefined);
  return { kind: 'message', message: { jsonrpc: '2.0', id, ...rest } };
}

function readError(value: JsonObject, id: unknown): ParsedMessage {
  const error = value['error'];
  if (!isJsonObject(error) || !Number.isInteger(error['code']))
    return invalid('the error has no code', isRequestId(id) ? id : undefined);
  const { message, data } = error;
  const body: JsonRpcErrorResponse['error'] = {
    code: Number(error['code']),
    message: typeof message === 'string' ? message : '',
    ...(data === undefined ? undefined : { data }),
  };
  const message_: JsonRpcMessage = isRequestId(id)
    ? { jsonrpc: '2.0', id, error: body }
    : { jsonrpc: '2.0', error: body };
  return { kind: 'message', message: message_ };
}

/** The id in a broken entry, when the entry looks like an answer to us. */
function answeredId(value: unknown): RequestId | undefined {
  if (!isJsonObject(value) || 'method' in value) return undefined;
  return isRequestId(value['id']) ? value['id'] : undefined;
}

function isRequestId(value: unknown): value is RequestId {
  return typeof value === 'string' || Number.isSafeInteger(value);
}

function invalid(
  reason: string,
  id: RequestId | undefined,
  options: { cause?: unknown } = {},
): ParsedMessage {
  const error = new HostError(
    'malformedMessage',
    `The server sent something that is no message: ${reason}.`,
    options,
  );
  return id === undefined ? { kind: 'invalid', error } : { kind: 'invalid', id, error };
}
