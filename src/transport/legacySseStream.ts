import { HostError } from '../base/errors.ts';
import type { HttpContext } from './httpContext.ts';
import type { HttpExchange, HttpHead, HttpSink } from './httpExchange.ts';
import { refusalError } from './httpRefusal.ts';
import { MessageQueue } from './messageQueue.ts';
import { type SseEvent, SseReader } from './sseReader.ts';
import { mediaType } from './streamableHttpReply.ts';

export interface LegacySseStreamParts {
  /** The server said where messages go; called once, before any message. */
  readonly onTarget: (target: URL) => void;
  /** The stream is over; not called after `stop`. */
  readonly onEnded: (error: HostError) => void;
}

/** The one stream of an HTTP+SSE server (2024-11-05: transports, "HTTP with SSE"). */
export class LegacySseStream implements HttpSink {
  readonly #context: HttpContext;
  readonly #parts: LegacySseStreamParts;
  readonly #reader: SseReader;
  readonly #queue = new MessageQueue({
    hold: () => this.#exchange?.hold(),
    release: () => this.#exchange?.release(),
    flooded: (error) => this.#end(error),
  });
  #exchange: HttpExchange | undefined;
  #hasTarget = false;
  #stopped = false;

  constructor(context: HttpContext, parts: LegacySseStreamParts) {
    this.#context = context;
    this.#parts = parts;
    this.#reader = new SseReader({ event: (event) => this.#event(event) }, context.limits.eventChars);
  }

  start(): void {
    const { endpoint } = this.#context;
    const headers = ['accept', 'text/event-stream'];
    this.#exchange = endpoint.open({ method: 'GET', url: endpoint.url, headers }, this);
  }

  /** Closes the stream; nothing is reported any more. */
  stop(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#queue.stop();
    this.#exchange?.abort();
  }

  head(head: HttpHead): void {
    if (head.status === 200 && mediaType(head.header('content-type')) === 'text/event-stream') return;
    this.#end(refusalError(this.#context.endpoint, head, undefined));
  }

  chunk(bytes: Uint8Array): void {
    this.#queue.feed(bytes.length, (from, to) => {
      try {
        this.#reader.push(bytes.subarray(from, to));
      } catch (error) {
        if (!(error instanceof HostError)) throw error;
        this.#end(error);
      }
    });
  }

  end(): void {
    const error = new HostError('streamEnded', 'The server closed its event stream.');
    this.#queue.afterwards(() => this.#end(error));
  }

  failed(error: HostError): void {
    this.#queue.afterwards(() => this.#end(error));
  }

  #end(error: HostError): void {
    if (this.#stopped) return;
    this.stop();
    this.#parts.onEnded(error);
  }

  #event(event: SseEvent): void {
    if (this.#stopped) return;
    if (!this.#hasTarget) return event.type === 'endpoint' ? this.#target(event.data) : undefined;
    const { events } = this.#context;
    if (event.type !== 'message') {
      return events.dropped(new HostError('protocolViolation', 'An event of an unknown type was ignored.'));
    }
    this.#queue.push(event.data, (entries) => {
      for (const entry of entries) {
        if (entry.kind === 'message') events.message(entry.message, {});
        else events.dropped(entry.error);
      }
    });
  }

  #target(text: string): void {
    const { url } = this.#context.endpoint;
    const target = URL.parse(text, url.href);
    // Another origin would get our messages, and our credentials with them.
    if (target === null || target.origin !== url.origin) {
      return this.#end(
        new HostError('protocolViolation', 'The server wants messages sent to another origin.'),
      );
    }
    this.#hasTarget = true;
    this.#parts.onTarget(target);
  }
}
