import { createParser, type EventSourceParser } from 'eventsource-parser';
import { HostError } from '../base/errors.ts';
import type { LastEventId } from './lastEventId.ts';

export interface SseEvent {
  /** `message` unless the stream says otherwise. */
  readonly type: string;
  readonly data: string;
}

export interface SseHandler {
  event(event: SseEvent): void;
}

/** Lines without an event that end a stream: joining very many short ones takes far more memory than they have characters. */
const maxLines = 1_000_000;

/**
 * Reads one event stream, however its bytes are cut up. Strict about UTF-8, where the standard is lenient,
 * because a replaced character is a changed message.
 */
export class SseReader {
  readonly #parser: EventSourceParser;
  readonly #ids: LastEventId | undefined;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  #tooLarge = false;
  #afterCarriageReturn = false;
  #retryMs: number | undefined;
  /** Since the last event, at least. */
  #lines = 0;

  /**
   * `maxEventChars`: UTF-16 units that one event may have; comments and unknown fields count too.
   * `ids`: told how far the stream has got, for streams that can be resumed.
   */
  constructor(handler: SseHandler, maxEventChars: number, ids?: LastEventId) {
    this.#ids = ids;
    ids?.begin();
    this.#parser = createParser({
      maxBufferSize: maxEventChars,
      onEvent: ({ event, data }) => {
        this.#lines = 0;
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
    const lines = this.#oneLineEnding(text);
    this.#ids?.follow(lines);
    this.#lines += countLines(lines);
    this.#parser.feed(lines);
    if (this.#tooLarge || this.#lines > maxLines)
      throw new HostError('messageTooLarge', 'An event of the stream is too large.');
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

function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
