import { isJsonObject, type JsonObject } from '../base/json.ts';
import type { RequestId } from './jsonRpc.ts';

/** Reserved keys of `_meta` (specification: basic, "_meta"). */
export const metaKey = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  logLevel: 'io.modelcontextprotocol/logLevel',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  subscriptionId: 'io.modelcontextprotocol/subscriptionId',
} as const;

/** The `_meta` of parameters or of a result, if there is one. */
export function readMeta(holder: JsonObject | undefined): JsonObject | undefined {
  const meta = holder?.['_meta'];
  return isJsonObject(meta) ? meta : undefined;
}

/** Which `subscriptions/listen` request a notification belongs to. */
export function readSubscriptionId(params: JsonObject | undefined): RequestId | undefined {
  const id = readMeta(params)?.[metaKey.subscriptionId];
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}

/** True for a value of the W3C `traceparent` header (version 00 and compatible). */
export function isTraceparent(text: string): boolean {
  return /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/.test(text);
}
