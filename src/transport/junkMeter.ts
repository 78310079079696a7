import { HostError } from '../base/errors.ts';

/** Milliseconds of one measurement. */
const windowMs = 10_000;
/** Junk within one window that is a flood, weighed. */
const flood = 4_000_000;

/** What finding out that something is no message costs us, compared with a short line that shows it by its first byte. */
const weight = {
  line: 1,
  /** Begins like a message: finding the fault costs an exception. */
  text: 200,
  /** A text that has many faulty parts. */
  part: 100,
  /** This many characters of a text cost as much as a line. */
  charsPerLine: 16,
} as const;

/**
 * Weighs what a server sends that is no message. A little is what careless servers print; a flood costs us more than it
 * costs the server, and is not put up with: 4 million short lines in ten seconds, or 20,000 that look like messages.
 */
export class JunkMeter {
  #since = -Infinity;
  #weight = 0;
  #count = 0;

  /** Lines that show by their first byte that they are none. True: it is a flood by now. */
  lines(count: number): boolean {
    return this.#add(count * weight.line, count);
  }

  /** A text that looked like a message, of this many characters and faulty parts. True: it is a flood by now. */
  text(length: number, parts: number): boolean {
    return this.#add(weight.text + parts * weight.part + length / weight.charsPerLine, parts);
  }

  /** The error that says so, and what a server should do instead. */
  get error(): HostError {
    return new HostError(
      'limitExceeded',
      `The server floods us: it sent ${this.#count} messages or lines that are not MCP within ${windowMs / 1_000} s, so the connection was ended. What a server wants to print belongs on its standard error.`,
      { details: { count: this.#count } },
    );
  }

  #add(more: number, count: number): boolean {
    const now = performance.now();
    if (now - this.#since > windowMs) {
      this.#since = now;
      this.#weight = 0;
      this.#count = 0;
    }
    this.#weight += more;
    this.#count += count;
    return this.#weight > flood;
  }
}
