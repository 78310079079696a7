import { abortError } from '../base/abort.ts';
import type { Clock } from '../base/clock.ts';
import { HostError, RpcError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import type {
  JsonRpcErrorResponse,
  JsonRpcMessage,
  JsonRpcNotification,
  JsonRpcRequest,
  JsonRpcResult,
  RequestId,
} from '../protocol/jsonRpc.ts';
import { method } from '../protocol/methods.ts';
import type { LogLevel, Progress } from '../protocol/model.ts';
import type { WireCodec } from '../protocol/wire/codec.ts';
import {
  accepted,
  type Listening,
  type MessageOrigin,
  type SendOptions,
  type Transport,
  type TransportEvents,
} from '../transport/transport.ts';
import { DeadlineTimer } from './deadlines.ts';
import type { MessageObserver } from './mcpClient.ts';
import { type Finish, PendingRequest } from './pendingRequest.ts';
import { readProgress } from './progressGate.ts';

export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds without a reply or progress; Infinity: no limit. */
  readonly timeoutMs: number;
  /** Milliseconds in all, not counting pauses; Infinity: no limit. */
  readonly maxTimeoutMs: number;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  readonly callId?: string | undefined;
  readonly traceparent?: string | undefined;
  readonly onMessage?: MessageObserver | undefined;
  readonly logLevel?: LogLevel | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Part of finding out how to talk to the server: never cancelled by a message, and an error without an id is for it. */
  readonly handshake?: boolean;
  /** How the parameters are written, if not as everything else is. */
  readonly codec?: WireCodec;
  /** Learns the id of the request before anything can arrive for it. */
  readonly onId?: (id: RequestId) => void;
}

/** How one exchange ended, with the HTTP status where there was one. */
export type ExchangeOutcome =
  | { readonly kind: 'result'; readonly result: JsonObject }
  | { readonly kind: 'error'; readonly error: RpcError; readonly httpStatus: number | undefined }
  | { readonly kind: 'failed'; readonly error: HostError };

/** What the connection passes on, because it is not the answer to a request of ours. */
export interface ConnectionEvents {
  notification(message: JsonRpcNotification, origin: MessageOrigin): void;
  request(message: JsonRpcRequest, origin: MessageOrigin): void;
  /** The answer to a handshake request that was given up before it came. */
  late(name: string, answer: JsonRpcResult | JsonRpcErrorResponse): void;
  /** As the transport says. */
  listening?(state: Listening): void;
  /** Something was dropped or ignored. For the log. */
  problem(error: HostError): void;
  closed(error: HostError | undefined): void;
}

/** Requests in flight over one transport: ids, timeouts, cancellation, progress. Knows no method's meaning. */
export class RpcConnection implements TransportEvents {
  readonly transport: Transport;
  /** How parameters are written; changes once when the era is settled. */
  codec: WireCodec;
  readonly #clock: Clock;
  readonly #events: ConnectionEvents;
  readonly #pending = new Map<RequestId, PendingRequest>();
  /** Methods of handshake requests that were given up, by id. */
  readonly #abandoned = new Map<RequestId, string>();
  readonly #deadlines: DeadlineTimer;
  readonly #ended = new AbortController();
  /** Why we are ending the connection. */
  #reason: HostError | undefined;
  #lastId = 0;

  constructor(transport: Transport, codec: WireCodec, clock: Clock, events: ConnectionEvents) {
    this.transport = transport;
    this.codec = codec;
    this.#clock = clock;
    this.#events = events;
    this.#deadlines = new DeadlineTimer(clock, () => this.#expire());
  }

  /** Fires when the connection has ended; its reason is a HostError. */
  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  /**
   * Sends a request and waits for its result.
   * Rejects with RpcError (the peer said so) or HostError (`timeout`, `cancelled`, or what the transport says).
   */
  request(name: string, params: JsonObject, options: RequestOptions): Promise<JsonObject> {
    return new Promise((resolve, reject) => {
      this.begin(name, params, options, (ending) => {
        if ('result' in ending) resolve(ending.result);
        else reject(endingError(ending));
      });
    });
  }

  /** Like `request`, but tells every end apart and never rejects. */
  exchange(name: string, params: JsonObject, options: RequestOptions): Promise<ExchangeOutcome> {
    return new Promise((resolve) => {
      this.begin(name, params, options, (ending, origin) => {
        if ('result' in ending) return resolve({ kind: 'result', result: ending.result });
        const error = endingError(ending);
        if (error instanceof HostError) resolve({ kind: 'failed', error });
        else resolve({ kind: 'error', error, httpStatus: origin?.httpStatus });
      });
    });
  }

  /** Sends a request; `finish` is called exactly once, maybe at once when nothing could be sent. */
  begin(name: string, params: JsonObject, options: RequestOptions, finish: Finish): void {
    if (this.#ended.signal.aborted) return finish(abortError(this.#ended.signal), undefined);
    if (this.#reason !== undefined) return finish(this.#reason, undefined);
    const { signal } = options;
    if (signal?.aborted === true) return finish(abortError(signal), undefined);
    const id = ++this.#lastId;
    const token = options.handshake === true ? undefined : id;
    const message: JsonRpcRequest = {
      jsonrpc: '2.0',
      id,
      method: name,
      params: (options.codec ?? this.codec).encodeParams(params, options, token),
    };
    const pending = new PendingRequest(id, name, options, finish, this.#clock.monotonic());
    this.#pending.set(id, pending);
    this.#deadlines.arm(pending.deadline);
    if (signal !== undefined) {
      pending.onAbort = () => this.#cancel(pending, abortError(signal));
      signal.addEventListener('abort', pending.onAbort, { once: true });
    }
    options.onId?.(id);
    options.onMessage?.('sent', message);
    const sent = this.transport.send(message, this.#sendOptions(pending));
    if (sent !== accepted) sent.catch((error: unknown) => this.requestFailed(id, toHostError(error)));
  }

  /** Sends a notification. A failure is only logged: nobody waits for it. */
  notify(name: string, params?: JsonObject, relatedRequestId?: RequestId): void {
    const message: JsonRpcMessage =
      params === undefined ? { jsonrpc: '2.0', method: name } : { jsonrpc: '2.0', method: name, params };
    this.#sendQuietly(message, relatedRequestId);
  }

  /** Answers a request of the server (legacy eras). */
  respond(
    answer:
      | Pick<JsonRpcResult, 'id' | 'result'>
      | { readonly id: RequestId; readonly error: JsonRpcErrorResponse['error'] },
    relatedRequestId: RequestId | undefined,
  ): void {
    this.#sendQuietly({ jsonrpc: '2.0', ...answer }, relatedRequestId);
  }

  /** The request in flight that a request of the server belongs to, as far as that can be told. */
  relatedRequest(origin: MessageOrigin): PendingRequest | undefined {
    if (origin.requestId !== undefined) return this.#pending.get(origin.requestId);
    const calls = [...this.#pending.values()].filter((pending) => pending.options.callId !== undefined);
    return calls.length === 1 ? calls[0] : undefined;
  }

  /** Stops the clocks of requests that may be waiting for a person; the returned function starts them again. */
  pause(related: PendingRequest | undefined): () => void {
    const paused = related === undefined ? [...this.#pending.values()] : [related];
    for (const pending of paused) pending.pause(this.#clock.monotonic());
    return () => {
      for (const pending of paused) {
        pending.resume(this.#clock.monotonic());
        if (this.#pending.has(pending.id)) this.#deadlines.arm(pending.deadline);
      }
    };
  }

  message(message: JsonRpcMessage, origin: MessageOrigin): void {
    if ('method' in message) {
      if ('id' in message) {
        this.relatedRequest(origin)?.options.onMessage?.('received', message);
        this.#events.request(message, origin);
      } else if (message.method === method.progress) this.#progress(message);
      else this.#events.notification(message, origin);
      return;
    }
    const pending = this.#answered(message, origin);
    if (pending === undefined) {
      const abandoned = message.id === undefined ? undefined : this.#abandoned.get(message.id);
      if (abandoned !== undefined) return this.#events.late(abandoned, message);
      this.#events.problem(
        new HostError('protocolViolation', 'The server answered a request that is not waiting.', {
          details: { id: message.id ?? null },
        }),
      );
      return;
    }
    this.#settle(pending);
    pending.options.onMessage?.('received', message);
    pending.finish(message, origin);
  }

  requestFailed(id: RequestId, error: HostError): void {
    const pending = this.#pending.get(id);
    if (pending === undefined) return this.#events.problem(error);
    this.#settle(pending);
    pending.finish(error, undefined);
  }

  listening(state: Listening): void {
    this.#events.listening?.(state);
  }

  dropped(problem: HostError): void {
    this.#events.problem(problem);
  }

  /** Ends the connection for a reason of ours, which is what everybody is told. */
  end(error: HostError): Promise<void> {
    this.#reason ??= error;
    return this.transport.close();
  }

  closed(cause: HostError | undefined): void {
    if (this.#ended.signal.aborted) return;
    const error = cause ?? this.#reason;
    const reason = error ?? new HostError('closed', 'The connection was closed.');
    this.#ended.abort(reason);
    this.#deadlines.dispose();
    for (const pending of this.#pending.values()) {
      this.#settle(pending);
      pending.finish(reason, undefined);
    }
    this.#events.closed(error);
  }

  #sendOptions(pending: PendingRequest): SendOptions | undefined {
    if (this.transport.kind === 'stdio') return undefined;
    const { headers } = pending.options;
    pending.exchange = new AbortController();
    return { signal: pending.exchange.signal, ...(headers === undefined ? undefined : { headers }) };
  }

  /** Ends a request from our side, and tells the server in the way its transport has for that. */
  #cancel(pending: PendingRequest, error: HostError): void {
    if (!this.#pending.has(pending.id)) return;
    this.#settle(pending);
    if (pending.options.handshake === true) this.#abandoned.set(pending.id, pending.method);
    // Modern HTTP: closing the reply stream is the message (specification: cancellation).
    const byStream = this.codec.era === 'modern' && this.transport.kind !== 'stdio';
    if (!byStream && pending.options.handshake !== true) {
      this.notify(method.cancelled, { requestId: pending.id, reason: error.message }, pending.id);
    }
    pending.exchange?.abort(error);
    pending.finish(error, undefined);
  }

  #settle(pending: PendingRequest): void {
    this.#pending.delete(pending.id);
    pending.dispose();
  }

  #answered(
    message: JsonRpcResult | JsonRpcErrorResponse,
    origin: MessageOrigin,
  ): PendingRequest | undefined {
    if (message.id !== undefined) {
      // A reply stream belongs to one request; an answer to another one has no business on it.
      const stray = origin.requestId !== undefined && origin.requestId !== message.id;
      return stray ? undefined : this.#pending.get(message.id);
    }
    // Old servers answer what they cannot make sense of with `"id": null`.
    if (origin.requestId !== undefined) return this.#pending.get(origin.requestId);
    const [only, ...more] = this.#pending.values();
    return more.length === 0 && only?.options.handshake === true ? only : undefined;
  }

  #progress(message: JsonRpcNotification): void {
    const token = message.params?.['progressToken'];
    const pending = typeof token === 'number' ? this.#pending.get(token) : undefined;
    const progress = readProgress(message.params);
    pending?.options.onMessage?.('received', message);
    if (pending !== undefined && progress !== undefined) pending.progress(progress, this.#clock);
  }

  #expire(): number {
    const now = this.#clock.monotonic();
    let next = Infinity;
    for (const pending of this.#pending.values()) {
      if (pending.deadline <= now) this.#cancel(pending, pending.timeoutError(now));
      else next = Math.min(next, pending.deadline);
    }
    return next;
  }

  #sendQuietly(message: JsonRpcMessage, relatedRequestId: RequestId | undefined): void {
    const options = relatedRequestId === undefined ? undefined : { relatedRequestId };
    this.transport.send(message, options).catch((error: unknown) => {
      const problem = toHostError(error);
      // Closing overtakes what nobody waits for; that is no problem.
      if (problem.code !== 'closed') this.#events.problem(problem);
    });
  }
}

/** Characters of an error's message: it goes to models, pages and logs as it is. */
const longestError = 20_000;

/** The error that a request ended with. */
export function endingError(ending: JsonRpcErrorResponse | HostError): RpcError | HostError {
  if (ending instanceof HostError) return ending;
  const { code, message, data } = ending.error;
  return new RpcError(code, message.slice(0, longestError), data);
}

function toHostError(error: unknown): HostError {
  if (error instanceof HostError) return error;
  return new HostError('network', 'The message could not be sent.', { cause: error });
}
