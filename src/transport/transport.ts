import type { HostError } from '../base/errors.ts';
import type {
  JsonRpcErrorResponse,
  JsonRpcMessage,
  JsonRpcNotification,
  JsonRpcRequest,
  JsonRpcResult,
  RequestId,
} from '../protocol/jsonRpc.ts';
import type { Era } from '../protocol/model.ts';

export type {
  JsonRpcErrorResponse,
  JsonRpcMessage,
  JsonRpcNotification,
  JsonRpcRequest,
  JsonRpcResult,
  RequestId,
};

/** Where a received message came from: which of our requests its stream belongs to, if any. */
export interface MessageOrigin {
  /** Id of the request whose reply stream carried the message; absent on stdio and on stand-alone streams. */
  readonly requestId?: RequestId;
  /** HTTP status of the exchange, for error bodies: a modern 404 with −32601 is not a missing endpoint. */
  readonly httpStatus?: number;
}

/**
 * What became of the stream on which a server speaks unasked: it was opened; it broke, and is opened again if that can be
 * done; there is none (any more); it broke, and the server has forgotten the session that it belonged to.
 */
export type Listening = 'open' | 'lost' | 'none' | 'forgotten';

/** What a transport tells its owner. Each is called on a fresh stack, never from inside `start` or `send`. */
export interface TransportEvents {
  /** One well-formed JSON-RPC message. */
  message(message: JsonRpcMessage, origin: MessageOrigin): void;
  /**
   * The exchange of one of our requests ended without its response. The request is lost; the transport
   * itself lives on. `httpStatus` (details: status, contentType, bodyStart), `unauthorized` (details: status,
   * wwwAuthenticate), `sessionExpired` (legacy session, 404), `streamEnded`, `network`, `messageTooLarge`,
   * `malformedMessage`.
   * A 4xx or 5xx whose body is a JSON-RPC error is not this: it arrives as `message`, with `origin.httpStatus`.
   */
  requestFailed(id: RequestId, error: HostError): void;
  /** Only of transports where such a stream is opened by itself: streamable HTTP in the legacy era. */
  listening?(state: Listening): void;
  /** Something from the peer was dropped (junk line, bad JSON, oversized). For the log; the transport lives on. */
  dropped(problem: HostError): void;
  /** The end. No event follows. `undefined`: we closed it. */
  closed(error: HostError | undefined): void;
}

export interface SendOptions {
  /** Extra HTTP headers for this message only. Other transports ignore them. */
  readonly headers?: Readonly<Record<string, string>>;
  /** For a request: cancels the exchange (HTTP: closes its reply stream). Other transports ignore it. */
  readonly signal?: AbortSignal;
  /** For a response or notification of ours: the request that it answers or concerns. */
  readonly relatedRequestId?: RequestId;
}

/**
 * What `send` may return for a message that it took at once. Whoever gets this very promise need not wait
 * for it or look at its end; that saves work on the fastest path.
 */
export const accepted: Promise<void> = Promise.resolve();

/** Moves JSON-RPC messages between us and one server. Knows framing, nothing of methods. */
export interface Transport {
  readonly kind: 'stdio' | 'streamableHttp' | 'legacySse';
  /** Opens the channel (spawns, connects). Rejects with HostError; then `closed` is not called. */
  start(events: TransportEvents, signal?: AbortSignal): Promise<void>;
  /**
   * Hands one message over. Resolves when it has been accepted for sending, without waiting for a reply.
   * Rejects with HostError `closed` after the end.
   */
  send(message: JsonRpcMessage, options?: SendOptions): Promise<void>;
  /**
   * Tells which revision was settled (specification: versioning). Streamable HTTP needs it for its version
   * header and, in the legacy era, for session, stand-alone GET stream and resumption. Until then `send`
   * goes by the message itself (`_meta` of a modern request, `initialize` of a legacy one).
   */
  useProtocol(era: Era, version: string): void;
  /** Ends the channel in an orderly way, then by force. Resolves when nothing is left running. */
  close(): Promise<void>;
}
