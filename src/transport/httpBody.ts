import { HostError } from '../base/errors.ts';

const strict = new TextDecoder('utf-8', { fatal: true });

/** Keeps the bytes of one body, up to a bound. */
export class BodyCollector {
  readonly #maxBytes: number;
  #chunks: Uint8Array[] = [];
  #length = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** False when the body has become too large; the chunk is then not kept. */
  push(chunk: Uint8Array): boolean {
    if (this.#length + chunk.length > this.#maxBytes) return false;
    this.#length += chunk.length;
    this.#chunks.push(chunk);
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
    const [first] = this.#chunks;
    return this.#chunks.length === 1 && first !== undefined ? first : Buffer.concat(this.#chunks);
  }
}
