import { isJsonObject, type JsonObject } from '../base/json.ts';
import type { ModelTool, ReadyTools } from './exposedTools.ts';
import { own } from './jsonCopy.ts';
import type { ModelResult } from './resultForModel.ts';
import type { ResultPiece, ResultStore } from './resultStore.ts';

/*
 * Our own tools for the model: searching when there are too many tools to list, and reading on in a result that was
 * cut. They touch no server, so nobody is asked before they run.
 */

const MAX_FOUND = 25;
/** How many tools a search finds, so that enough are left without those that cannot be given to a model. */
export const MAX_LOOKED_AT = 1000;
const DEFAULT_FOUND = 8;
/** The longest answer to a search, in characters. */
const MAX_SEARCH_TEXT = 48 * 1024;

/** Finds tools by words. */
export const SEARCH_TOOLS: ModelTool = {
  name: 'search_tools',
  description:
    'Finds tools by words of their names, titles and descriptions. There are too many tools to list them all, so search before you say that something cannot be done. Call what you find with call_tool.',
  inputSchema: {
    type: 'object',
    properties: {
      query: { type: 'string', description: 'Words for what you want to do, for example "create issue".' },
      limit: { type: 'integer', minimum: 1, maximum: MAX_FOUND, description: 'How many tools to show.' },
    },
    required: ['query'],
  },
};

/** Calls a tool that was found. */
export const CALL_TOOL: ModelTool = {
  name: 'call_tool',
  description: 'Calls a tool that search_tools has found.',
  inputSchema: {
    type: 'object',
    properties: {
      name: { type: 'string', description: 'The name of the tool, as search_tools gave it.' },
      arguments: { type: 'object', description: 'The arguments, as the input schema of the tool says.' },
    },
    required: ['name', 'arguments'],
  },
};

/** Reads on in a result that was cut. */
export const READ_RESULT: ModelTool = {
  name: 'read_result',
  description: 'Reads a piece of a tool result that was cut because it is long.',
  inputSchema: {
    type: 'object',
    properties: {
      id: { type: 'string', description: 'The id that the cut result names.' },
      start: { type: 'integer', minimum: 0, description: 'The first character to read.' },
      length: { type: 'integer', minimum: 1, description: 'How many characters to read at most.' },
    },
    required: ['id'],
  },
};

/** What a model asks of one of our own tools, or what is wrong with it, in words for the model. */
export type HostToolRequest<T> =
  { readonly kind: 'asked'; readonly request: T } | { readonly kind: 'wrong'; readonly message: string };

/** Reads the arguments of `search_tools`. */
export function readSearch(
  input: unknown,
): HostToolRequest<{ readonly query: string; readonly limit: number }> {
  const args = isJsonObject(input) ? input : {};
  const query = own(args, 'query');
  if (typeof query !== 'string' || query.trim() === '')
    return wrong('"query" must be a text with words to search for.');
  const limit = own(args, 'limit');
  const count = typeof limit === 'number' && Number.isFinite(limit) ? Math.trunc(limit) : DEFAULT_FOUND;
  return {
    kind: 'asked',
    request: { query: query.slice(0, 1000), limit: Math.min(Math.max(1, count), MAX_FOUND) },
  };
}

/** Reads the arguments of `call_tool`. Models often write the inner arguments as JSON text. */
export function readCall(
  input: unknown,
): HostToolRequest<{ readonly name: string; readonly arguments: JsonObject }> {
  const args = isJsonObject(input) ? input : {};
  const name = own(args, 'name');
  if (typeof name !== 'string' || name === '')
    return wrong('"name" must be the name of a tool that search_tools gave.');
  const given: unknown = own(args, 'arguments') ?? {};
  const inner = typeof given === 'string' ? parsed(given) : given;
  if (!isJsonObject(inner)) return wrong('"arguments" must be an object with the arguments of the tool.');
  return { kind: 'asked', request: { name, arguments: inner } };
}

/** What the model reads after a search. */
export function searchAnswer(found: ReadyTools, query: string): ModelResult {
  const what = JSON.stringify(query);
  const { tools, unusable } = found;
  if (tools.length === 0) {
    return answer(
      unusable === ''
        ? `No tool was found for ${what}. Try other or fewer words.`
        : `What was found for ${what} cannot be called by a model: ${unusable} Try other words.`,
    );
  }
  const texts: string[] = [];
  let length = 0;
  for (const tool of tools) {
    const text = JSON.stringify(tool);
    length += text.length;
    if (length > MAX_SEARCH_TEXT && texts.length > 0) {
      texts.push('More was found; search with more words to see it.');
      break;
    }
    texts.push(text);
  }
  return answer(texts.join('\n'));
}

/** Carries out `read_result`: a piece of the length that the model names, within the most that it may get at once. */
export function readResult(
  store: ResultStore,
  owner: string,
  input: unknown,
  most: { readonly characters?: number; readonly bytes?: number } = {},
): ModelResult {
  const { characters: pieceLength = 32 * 1024, bytes = Infinity } = most;
  const args = isJsonObject(input) ? input : {};
  const id = own(args, 'id');
  if (typeof id !== 'string') return failure('"id" must be the id that the cut result names.');
  const start = whole(own(args, 'start'), 0);
  const length = Math.min(Math.max(1, whole(own(args, 'length'), pieceLength)), pieceLength);
  const piece = pieceWithin(store.read.bind(store, owner, id, start), length, bytes);
  if (piece.kind === 'unknown') {
    return failure(`There is no result ${JSON.stringify(id.slice(0, 100))} any more. Call the tool again.`);
  }
  const rest =
    piece.end < piece.total
      ? `The rest: read_result ${JSON.stringify({ id, start: piece.end })}.`
      : 'This is the end.';
  return answer(`${piece.text}\n\n[Characters ${piece.start} to ${piece.end} of ${piece.total}. ${rest}]`);
}

/** The piece of this length, or as much of it as so many bytes of UTF-8 hold. */
function pieceWithin(read: (length: number) => ResultPiece, length: number, bytes: number): ResultPiece {
  const piece = read(length);
  const size = piece.kind === 'piece' ? Buffer.byteLength(piece.text) : 0;
  if (size <= bytes || length <= 1) return piece;
  return pieceWithin(read, Math.max(1, Math.min(length - 1, Math.floor((length * bytes) / size))), bytes);
}

function whole(value: unknown, fallback: number): number {
  return typeof value === 'number' && Number.isFinite(value) ? Math.max(0, Math.trunc(value)) : fallback;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function wrong<T>(message: string): HostToolRequest<T> {
  return { kind: 'wrong', message };
}

function answer(text: string): ModelResult {
  return { isError: false, parts: [{ kind: 'text', text: text.toWellFormed() }] };
}

function failure(text: string): ModelResult {
  return { isError: true, parts: [{ kind: 'text', text: text.toWellFormed() }] };
}
