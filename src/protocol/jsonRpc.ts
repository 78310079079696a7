import type { JsonObject, JsonValue } from '../base/json.ts';

export type RequestId = string | number;

export interface JsonRpcRequest {
  readonly jsonrpc: '2.0';
  readonly id: RequestId;
  readonly method: string;
  readonly params?: JsonObject;
}
export interface JsonRpcNotification {
  readonly jsonrpc: '2.0';
  readonly method: string;
  readonly params?: JsonObject;
}
export interface JsonRpcResult {
  readonly jsonrpc: '2.0';
  readonly id: RequestId;
  readonly result: JsonObject;
}
export interface JsonRpcErrorResponse {
  readonly jsonrpc: '2.0';
  /** Absent when the peer could not read the id. */
  readonly id?: RequestId;
  readonly error: { readonly code: number; readonly message: string; readonly data?: JsonValue };
}
export type JsonRpcMessage = JsonRpcRequest | JsonRpcNotification | JsonRpcResult | JsonRpcErrorResponse;

/** True for messages that carry a method and an id. */
export function isRequest(message: JsonRpcMessage): message is JsonRpcRequest {
  return 'method' in message && 'id' in message;
}
