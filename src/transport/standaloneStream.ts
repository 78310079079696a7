import { HostError } from '../base/errors.ts';
import type { HttpContext } from './httpContext.ts';
import { LegacyEventStream } from './legacyEventStream.ts';
import { MessageQueue } from './messageQueue.ts';
import type { SseEvent } from './sseReader.ts';

/** The stream on which a legacy server speaks unasked (2025-11-25: transports, "Listening for Messages"). */
export class StandaloneStream {
  readonly #context: HttpContext;
  readonly #stream: LegacyEventStream;
  readonly #queue = new MessageQueue({
    hold: () => this.#stream.hold(),
    release: () => this.#stream.release(),
    flooded: (error) => {
      this.#stream.stop();
      this.#context.events.listening?.('none');
      this.#context.events.dropped(error);
    },
  });
  #wasOpen = false;

  constructor(context: HttpContext, headers: () => readonly string[]) {
    this.#context = context;
    this.#stream = new LegacyEventStream(context, {
      headers,
      // Without the stream change notices would be missing for as long as the session lasts.
      maxFailures: Infinity,
      queue: this.#queue,
      onEvent: (event) => this.#event(event),
      onOpen: () => {
        this.#wasOpen = true;
        context.events.listening?.('open');
      },
      onBroken: () => context.events.listening?.('lost'),
      onEnded: (error) => {
        context.events.listening?.(this.#wasOpen && meansForgotten(error) ? 'forgotten' : 'none');
        // 405 says that there is no such stream, which is as good as any answer.
        if (error.details['status'] !== 405) this.#context.events.dropped(error);
      },
    });
  }

  start(): void {
    this.#stream.start();
  }

  stop(): void {
    this.#queue.stop();
    this.#stream.stop();
  }

  #event(event: SseEvent): void {
    if (event.data === '') return;
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
}

/** 404 says so; widespread servers say 400. Of a stream that was never open the same means that there is none. */
function meansForgotten(error: HostError): boolean {
  return error.code === 'sessionExpired' || error.details['status'] === 400;
}
