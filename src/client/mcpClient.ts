import type { HostError } from '../base/errors.ts';
import type { Event } from '../base/event.ts';
import type { JsonObject } from '../base/json.ts';
import type { JsonRpcMessage } from '../protocol/jsonRpc.ts';
import type {
  CallToolResult,
  Era,
  Implementation,
  InputRequest,
  InputResponse,
  Progress,
  ReadResourceResult,
  ServerCapabilities,
  ToolList,
} from '../protocol/model.ts';

/** Answers what a server asks for in the middle of a request. Never rejects except when the signal fires. */
export type InputHandler = (request: InputRequest, context: InputContext) => Promise<InputResponse>;

export interface InputContext {
  /** Our call that the request belongs to, when that is known (`CallOptions.callId`). */
  readonly callId?: string;
  /** The server's key for the request within its round; legacy: the JSON-RPC id as text. */
  readonly key: string;
  /** Fires when the call is cancelled, the server dies or takes the request back. */
  readonly signal: AbortSignal;
  /** The call is sent again once this is accepted: a page then has to be finished with, not only opened. */
  readonly retries?: true;
}

export type MessageObserver = (direction: 'sent' | 'received', message: JsonRpcMessage) => void;

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds without a reply or progress. */
  readonly timeoutMs?: number;
  /** Milliseconds in all, whatever progress is reported. Time spent waiting for a person does not count. */
  readonly maxTimeoutMs?: number;
  readonly onProgress?: (progress: Progress) => void;
  /** Our id of the call; reaches the input handler. */
  readonly callId?: string;
  /** W3C trace context, sent in `_meta`. */
  readonly traceparent?: string;
  /** Sees the messages of the call as they go out and come in. Must not throw. */
  readonly onMessage?: MessageObserver;
}

/** A connection to one server, ready for use: era and version are settled. */
export interface McpClient {
  readonly era: Era;
  readonly protocolVersion: string;
  /** Self-reported; display only. */
  readonly serverInfo: Implementation | undefined;
  readonly capabilities: ServerCapabilities;
  readonly instructions: string | undefined;

  /** All pages. Served from cache while the server's `ttlMs` allows, unless `refresh` is set. */
  listTools(options?: { readonly signal?: AbortSignal; readonly refresh?: boolean }): Promise<ToolList>;
  /**
   * `tools/call` with its input rounds. Sends `params.arguments` as they are.
   * Rejects with RpcError for an error of the server, HostError for one of ours.
   */
  callTool(
    params: { readonly name: string; readonly arguments: JsonObject },
    options?: CallOptions,
  ): Promise<CallToolResult>;
  /** `resources/read` with its input rounds. */
  readResource(uri: string, options?: CallOptions): Promise<ReadResourceResult>;

  /** The server says that its tools changed (coalesced). */
  readonly onToolsChanged: Event<void>;
  /** The connection ended. `undefined`: we closed it. Fires once. */
  readonly onClosed: Event<HostError | undefined>;
  close(): Promise<void>;
}
