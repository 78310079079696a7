const newline = 0x0a;
/** How much of both ends of an oversized line is kept. Bytes. */
const sampleSize = 1_024;

export interface LineSink {
  /** One line without its newline. The bytes are only valid during the call. */
  line(bytes: Buffer): void;
  /** So many empty lines, after the others of their chunk. Without it they are lines like others. */
  blank?(count: number): void;
  /** A line that was longer than the limit, after its end has come: its first and its last bytes. */
  oversized(head: Buffer, tail: Buffer, length: number): void;
}

/**
 * Cuts a stream of bytes into lines. Whole lines inside a chunk are handed on without a copy; an
 * unfinished line is copied once into a buffer that doubles, so that neither many tiny chunks nor one
 * endless line can take more memory than about twice the limit.
 */
export class LineSplitter {
  readonly #sink: LineSink;
  readonly #limit: number;
  #kept = Buffer.alloc(0);
  #keptLength = 0;
  /** The line in progress, once it is over the limit. */
  #oversized: OversizedLine | undefined;

  /** `limit`: longest line, in bytes, without its newline. */
  constructor(limit: number, sink: LineSink) {
    this.#limit = limit;
    this.#sink = sink;
  }

  push(chunk: Buffer): void {
    let start = 0;
    let blank = 0;
    const counted = this.#sink.blank !== undefined;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      // Nothing is cheaper to send than blank lines, so they have to be cheap here too.
      if (end === start && counted && this.#keptLength === 0 && this.#oversized === undefined) blank++;
      else this.#endLine(chunk.subarray(start, end));
      start = end + 1;
    }
    if (blank > 0) this.#sink.blank?.(blank);
    if (start < chunk.length) this.#keep(chunk.subarray(start));
  }

  /** The stream has ended: what is left is a line too. */
  end(): void {
    if (this.#keptLength > 0 || this.#oversized !== undefined) this.#endLine(Buffer.alloc(0));
  }

  #endLine(rest: Buffer): void {
    if (this.#keptLength === 0 && this.#oversized === undefined && rest.length <= this.#limit) {
      this.#sink.line(rest);
      return;
    }
    this.#keep(rest);
    const oversized = this.#oversized;
    if (oversized !== undefined) {
      this.#oversized = undefined;
      this.#sink.oversized(oversized.head, oversized.tail, oversized.length);
      return;
    }
    const line = this.#kept.subarray(0, this.#keptLength);
    this.#keptLength = 0;
    // A large buffer is let go: lines of that size are rare.
    if (this.#kept.length > 65_536) this.#kept = Buffer.alloc(0);
    this.#sink.line(line);
  }

  #keep(bytes: Buffer): void {
    if (this.#oversized !== undefined) {
      this.#oversized.add(bytes);
      return;
    }
    const length = this.#keptLength + bytes.length;
    if (length > this.#limit) {
      this.#oversized = new OversizedLine();
      this.#oversized.add(this.#kept.subarray(0, this.#keptLength));
      this.#oversized.add(bytes);
      this.#kept = Buffer.alloc(0);
      this.#keptLength = 0;
      return;
    }
    if (length > this.#kept.length) {
      const grown = Buffer.allocUnsafe(Math.max(1_024, length, Math.min(this.#kept.length * 2, this.#limit)));
      this.#kept.copy(grown, 0, 0, this.#keptLength);
      this.#kept = grown;
    }
    bytes.copy(this.#kept, this.#keptLength);
    this.#keptLength = length;
  }
}

/** Both ends of a line that is too long to keep. */
class OversizedLine {
  head = Buffer.alloc(0);
  tail = Buffer.alloc(0);
  length = 0;

  add(bytes: Buffer): void {
    this.length += bytes.length;
    if (this.head.length < sampleSize)
      this.head = Buffer.concat([this.head, bytes.subarray(0, sampleSize - this.head.length)]);
    // A copy, so that the chunk itself can go.
    this.tail =
      bytes.length >= sampleSize
        ? Buffer.from(bytes.subarray(-sampleSize))
        : Buffer.concat([this.tail.subarray(-(sampleSize - bytes.length)), bytes]);
  }
}
