import { isJsonObject, type JsonObject } from '../base/json.ts';
import type { SchemaState, SchemaVerdict } from './schemaVerdict.ts';

/** What the host asks of the schema worker. `key` names a schema for as long as the worker lives. */
export type SchemaRequest =
  | { readonly kind: 'admit'; readonly key: number; readonly schema: JsonObject }
  | { readonly kind: 'check'; readonly key: number; readonly value: unknown };

/** What the schema worker answers, one reply per request and in their order. */
export type SchemaReply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'admitted'; readonly state: SchemaState }
  | { readonly kind: 'checked'; readonly verdict: SchemaVerdict }
  /** The schema is not there (any more): admit it first. */
  | { readonly kind: 'unknownKey' };

const REPLIES = ['ready', 'admitted', 'checked', 'unknownKey'];

/** The worker runs our own code, so the kind of a reply is all that can be wrong with it. */
export function isSchemaReply(message: unknown): message is SchemaReply {
  return isJsonObject(message) && typeof message['kind'] === 'string' && REPLIES.includes(message['kind']);
}
