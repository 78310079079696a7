import type { Disposable } from '../base/disposable.ts';
import { HostError } from '../base/errors.ts';
import type { HttpContext } from './httpContext.ts';
import { refusalError, sessionExpiredError } from './httpRefusal.ts';
import type { HttpExchange, HttpHead, HttpSink } from './httpExchange.ts';
import { LastEventId } from './lastEventId.ts';
import type { MessageQueue } from './messageQueue.ts';
import { reconnectDelay } from './reconnectDelay.ts';
import { type SseEvent, SseReader } from './sseReader.ts';
import { mediaType } from './streamableHttpReply.ts';

/** A connection that lived this long was sound: the next one may follow soon. Milliseconds. */
const soundAfter = 10_000;

export interface LegacyEventStreamParts {
  /** Session and version headers, asked for at each connection. */
  readonly headers: () => readonly string[];
  /** Connections in a row without an event after which the stream is given up. */
  readonly maxFailures: number;
  /** Takes what comes, and what happens after it, in order. */
  readonly queue: Pick<MessageQueue, 'feed' | 'afterwards'>;
  readonly onEvent: (event: SseEvent) => void;
  /** The server opened the stream, for the first time or again. */
  readonly onOpen?: () => void;
  /** An open stream broke; it is going to be opened again. */
  readonly onBroken?: () => void;
  /** The stream is over for good; not called after `stop`. */
  readonly onEnded: (error: HostError) => void;
}

/**
 * An event stream of the legacy era opened by GET, which connects again when it breaks and continues after
 * the last event (2025-11-25: transports, "Listening for Messages" and "Resumability and Redelivery").
 */
export class LegacyEventStream implements HttpSink {
  readonly #context: HttpContext;
  readonly #parts: LegacyEventStreamParts;
  #exchange: HttpExchange | undefined;
  #timer: Disposable | undefined;
  #reader: SseReader | undefined;
  #ids = new LastEventId();
  #retryMs: number | undefined;
  #failures = 0;
  /** Connections in a row that the server ended soon, whatever came on them. */
  #hasty = 0;
  /** When the connection was opened that stands now; monotonic milliseconds. */
  #openedAt: number | undefined;
  #stopped = false;

  constructor(context: HttpContext, parts: LegacyEventStreamParts) {
    this.#context = context;
    this.#parts = parts;
  }

  /** Connects at once. */
  start(): void {
    const { endpoint } = this.#context;
    const headers = ['accept', 'text/event-stream', ...this.#parts.headers()];
    const { value } = this.#ids;
    if (value !== undefined) headers.push('last-event-id', value);
    this.#reader = undefined;
    this.#exchange = endpoint.open({ method: 'GET', url: endpoint.url, headers }, this);
  }

  /** Connects after the delay that belongs to the broken stream which this one continues. */
  startAfter(ids: LastEventId, retryMs: number | undefined): void {
    this.#ids = ids;
    this.#retryMs = retryMs;
    this.#startLater();
  }

  /** Closes the stream. Nothing is reported any more. */
  stop(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#timer?.dispose();
    this.#exchange?.abort();
  }

  /** Lets what comes wait, until `release`. */
  hold(): void {
    this.#exchange?.hold();
  }

  release(): void {
    this.#exchange?.release();
  }

  head(head: HttpHead): void {
    if (head.status === 200 && mediaType(head.header('content-type')) === 'text/event-stream') {
      const handler = { event: (event: SseEvent): void => this.#event(event) };
      this.#reader = new SseReader(handler, this.#context.limits.eventChars, this.#ids);
      this.#openedAt = this.#context.clock.monotonic();
      this.#parts.onOpen?.();
      return;
    }
    const refusal =
      head.status === 404 ? sessionExpiredError(404) : refusalError(this.#context.endpoint, head, undefined);
    // A server in trouble may recover; any other answer is its decision.
    if (head.status < 500 || head.status === 501) return this.#end(refusal);
    this.#exchange?.abort();
    this.#again(refusal);
  }

  chunk(bytes: Uint8Array): void {
    const reader = this.#reader;
    if (reader === undefined) return;
    this.#parts.queue.feed(bytes.length, (from, to) => {
      try {
        if (!this.#stopped) reader.push(bytes.subarray(from, to));
      } catch (error) {
        if (!(error instanceof HostError)) throw error;
        // The same bytes would come again after a reconnection.
        this.#end(error);
      }
    });
  }

  end(): void {
    this.#parts.queue.afterwards(() => this.#again(undefined));
  }

  failed(error: HostError): void {
    this.#parts.queue.afterwards(() => {
      if (error.code === 'network') this.#again(error);
      else this.#end(error);
    });
  }

  #event(event: SseEvent): void {
    if (this.#stopped) return;
    this.#failures = 0;
    this.#parts.onEvent(event);
  }

  #again(cause: HostError | undefined): void {
    if (this.#stopped) return;
    this.#retryMs = this.#reader?.retryMs ?? this.#retryMs;
    this.#countHaste();
    if (this.#failures >= this.#parts.maxFailures) {
      const options = cause === undefined ? {} : { cause };
      return this.#end(new HostError('streamEnded', 'The event stream could not be continued.', options));
    }
    this.#startLater();
    this.#failures++;
  }

  #countHaste(): void {
    if (this.#openedAt === undefined) return;
    const lived = this.#context.clock.monotonic() - this.#openedAt;
    this.#openedAt = undefined;
    if (lived >= soundAfter) {
      this.#failures = 0;
      this.#hasty = 0;
    } else this.#hasty++;
    this.#parts.onBroken?.();
  }

  #startLater(): void {
    const facts = { retryMs: this.#retryMs, failures: this.#failures, hasty: this.#hasty };
    const delay = reconnectDelay(facts, this.#context.limits, this.#context.random());
    this.#timer = this.#context.clock.after(delay, () => this.start());
  }

  #end(error: HostError): void {
    if (this.#stopped) return;
    this.stop();
    this.#parts.onEnded(error);
  }
}
