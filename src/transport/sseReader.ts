import { createParser, type EventSourceParser } from 'eventsource-parser';
import { HostError } from '../base/errors.ts';

export interface SseEvent {
  /** `message` unless the stream says otherwise. */
  readonly type: string;
  readonly data: string;
}

export interface SseHandler {
  event(event: SseEvent): void;
}

/** Longer ids are not kept: they would not fit into the header of a reconnection. */
const maxIdLength = 1024;

/**
 * Reads one event stream, however its bytes are cut up. Strict about UTF-8, where the standard is lenient,
 * because a replaced character is a changed message.
 */
export class SseReader {
  readonly #parser: EventSourceParser;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  #tooLarge = false;
  #afterCarriageReturn = false;
  #lastEventId: string | undefined;
  #retryMs: number | undefined;

  /** `maxEventChars`: UTF-16 units that one event may have; comments and unknown fields count too. */
  constructor(handler: SseHandler, maxEventChars: number) {
    this.#parser = createParser({
      maxBufferSize: maxEventChars,
      onEvent: ({ id, event, data }) => {
        if (id !== undefined) this.#lastEventId = id.length > maxIdLength ? undefined : id;
        handler.event({ type: event ?? 'message', data });
      },
      onRetry: (ms) => {
        this.#retryMs = ms;
      },
      onError: (error) => {
        if (error.type === 'max-buffer-size-exceeded') this.#tooLarge = true;
      },
    });
  }

  /** Id of the last event that had one; empty ids reset it (HTML: "last event ID"). */
  get lastEventId(): string | undefined {
    return this.#lastEventId === '' ? undefined : this.#lastEventId;
  }

  /** Milliseconds that the server wants between connections, if it said so. */
  get retryMs(): number | undefined {
    return this.#retryMs;
  }

  /**
   * Takes the next bytes; events are handed over before it returns.
   * @throws HostError `malformedMessage` (not UTF-8), `messageTooLarge`; the stream is then unusable
   */
  push(chunk: Uint8Array): void {
    let text;
    try {
      text = this.#decoder.decode(chunk, { stream: true });
    } catch (cause) {
      throw new HostError('malformedMessage', 'The event stream is not UTF-8.', { cause });
    }
    this.#parser.feed(this.#oneLineEnding(text));
    if (this.#tooLarge) throw new HostError('messageTooLarge', 'An event of the stream is too large.');
  }

  /** CR and CRLF become LF. The parser would hold back a CR until it knows what follows. */
  #oneLineEnding(text: string): string {
    if (text === '') return text;
    const start = this.#afterCarriageReturn && text.startsWith('\n') ? 1 : 0;
    this.#afterCarriageReturn = text.endsWith('\r');
    const rest = start === 0 ? text : text.slice(1);
    return rest.includes('\r') ? rest.replace(/\r\n?/g, '\n') : rest;
  }
}
