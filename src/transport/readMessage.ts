import { HostError } from '../base/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import type { JsonRpcErrorResponse, JsonRpcMessage, RequestId } from './transport.ts';

/** Levels of nesting that we accept from a peer: far above any real message, far below any stack. */
export const maxJsonDepth = 500;

/**
 * Parses JSON from a peer.
 * @throws HostError `malformedMessage` for what is not JSON or is nested deeper than `maxDepth`
 */
export function parseJson(text: string, maxDepth: number = maxJsonDepth): JsonValue {
  if (nestingExceeds(text, maxDepth)) {
    throw new HostError('malformedMessage', `The message is nested deeper than ${maxDepth} levels.`);
  }
  try {
    const value: JsonValue = JSON.parse(text);
    return value;
  } catch (cause) {
    throw new HostError('malformedMessage', 'The message is not JSON.', { cause });
  }
}

const quote = 0x22;
const backslash = 0x5c;

/** True when brackets outside strings open more than `max` levels. Reads each character about once. */
function nestingExceeds(text: string, max: number): boolean {
  // A level takes two characters, so a short text needs no look.
  if (text.length <= max * 2) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case quote:
        at = endOfString(text, at);
        if (at === -1) return false;
        break;
      case 0x5b: // [
      case 0x7b: // {
        if (++depth > max) return true;
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth--;
        break;
      default:
    }
  }
  return false;
}

function endOfString(text: string, start: number): number {
  let end = start;
  for (;;) {
    end = text.indexOf('"', end + 1);
    if (end === -1) return -1;
    let before = end;
    while (text.charCodeAt(before - 1) === backslash) before--;
    if ((end - before) % 2 === 0) return end;
  }
}

/**
 * A JSON value as a JSON-RPC message, reduced to the members that JSON-RPC defines; undefined if it is none.
 * A null id of an error response counts as absent.
 */
export function readMessage(value: JsonValue | undefined): JsonRpcMessage | undefined {
  if (!isJsonObject(value) || value['jsonrpc'] !== '2.0') return undefined;
  const { id, method, params, result, error } = value;
  if (typeof method === 'string') {
    if (params !== undefined && !isJsonObject(params)) return undefined;
    const body = params === undefined ? { method } : { method, params };
    if (id === undefined) return { jsonrpc: '2.0', ...body };
    return isRequestId(id) ? { jsonrpc: '2.0', id, ...body } : undefined;
  }
  if (method !== undefined) return undefined;
  if (isJsonObject(result) && error === undefined && isRequestId(id)) return { jsonrpc: '2.0', id, result };
  if (isJsonObject(error) && result === undefined) return readErrorResponse(id, error);
  return undefined;
}

function readErrorResponse(id: JsonValue | undefined, error: JsonObject): JsonRpcErrorResponse | undefined {
  const { code, message, data } = error;
  if (typeof code !== 'number' || typeof message !== 'string') return undefined;
  const body = data === undefined ? { code, message } : { code, message, data };
  if (id === undefined || id === null) return { jsonrpc: '2.0', error: body };
  return isRequestId(id) ? { jsonrpc: '2.0', id, error: body } : undefined;
}

function isRequestId(id: JsonValue | undefined): id is RequestId {
  return typeof id === 'string' || typeof id === 'number';
}
