import { LineSplitter } from './lineSplitter.ts';

/** Longer lines are cut. Bytes. */
const maxLine = 8 * 1024;
const keptLines = 20;

/** What a server prints beside the protocol: handed on line by line, the last lines kept for its obituary. */
export class StderrLines {
  readonly #splitter: LineSplitter;
  readonly #last: string[] = [];

  constructor(onLine: (line: string) => void) {
    const add = (line: string): void => {
      this.#last.push(line);
      if (this.#last.length > keptLines) this.#last.shift();
      onLine(line);
    };
    this.#splitter = new LineSplitter(maxLine, {
      line: (bytes) => add(bytes.toString('utf8').replace(/\r$/, '')),
      oversized: (head, _tail, length) => add(`${head.toString('utf8')}… (${length} bytes)`),
    });
  }

  /** The last lines, oldest first. */
  get last(): readonly string[] {
    return [...this.#last];
  }

  push(chunk: Buffer): void {
    this.#splitter.push(chunk);
  }

  end(): void {
    this.#splitter.end();
  }
}
