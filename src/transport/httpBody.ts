import { HostError } from '../base/errors.ts';

const strict = new TextDecoder('utf-8', { fatal: true });

/** Keeps the bytes of one body, up to a bound; however small its pieces are, they take little more than that. */
export class BodyCollector {
  readonly #maxBytes: number;
  /** The body so far; from its second piece on, the start of a buffer that doubles when it is full. */
  #kept: Uint8Array = new Uint8Array();
  #length = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** False when the body has become too large; the chunk is then not kept. */
  push(chunk: Uint8Array): boolean {
    const length = this.#length + chunk.length;
    if (length > this.#maxBytes) return false;
    // Most bodies come in one piece, which needs no copy.
    if (this.#length === 0) this.#kept = chunk;
    else {
      if (length > this.#kept.length) {
        const grown = new Uint8Array(
          Math.max(1_024, length, Math.min(this.#kept.length * 2, this.#maxBytes)),
        );
        grown.set(this.#kept.subarray(0, this.#length));
        this.#kept = grown;
      }
      this.#kept.set(chunk, this.#length);
    }
    this.#length = length;
    return true;
  }

  /**
   * The whole body, without a byte order mark.
   * @throws HostError `malformedMessage` when it is not UTF-8
   */
  text(): string {
    try {
      return strict.decode(this.bytes());
    } catch (cause) {
      throw new HostError('malformedMessage', 'The body of the reply is not UTF-8.', { cause });
    }
  }

  /** The first characters, for messages and logs; bytes that are not UTF-8 are replaced. */
  start(chars: number): string {
    return Buffer.from(this.bytes().subarray(0, chars * 4))
      .toString('utf8')
      .slice(0, chars);
  }

  /** The whole body as it came. */
  bytes(): Uint8Array {
    return this.#kept.subarray(0, this.#length);
  }
}
