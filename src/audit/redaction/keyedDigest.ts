import { createHmac, hash } from 'node:crypto';

const blockBytes = 64;
const digestBytes = 32;

/**
 * Digests that only the holder of a key can make. Equal values have equal digests, so they remain comparable,
 * but nobody can find a short password by trying them all.
 *
 * HMAC-SHA256 (RFC 2104) under the key's hexadecimal text, made of two one-shot hashes: several are made for every
 * call, and that is a third of what an Hmac object costs.
 */
export class KeyedDigest {
  readonly #key: string;
  readonly #inner: string;
  readonly #outer: Buffer;

  /** `key`: 32 random bytes, the same for all sessions of a user. */
  constructor(key: Uint8Array) {
    if (key.length !== digestBytes) throw new RangeError('The key must have 32 bytes.');
    // 64 ASCII characters: exactly one block, and ASCII it stays under both pads.
    this.#key = Buffer.from(key).toString('hex');
    const block = Buffer.from(this.#key, 'latin1');
    this.#inner = Buffer.from(block.map((byte) => byte ^ 0x36)).toString('latin1');
    this.#outer = Buffer.concat([block.map((byte) => byte ^ 0x5c), Buffer.alloc(digestBytes)]);
  }

  /** `hmac-sha256:` and 64 hexadecimal digits. */
  full(text: string): string {
    return `hmac-sha256:${this.#hex(text)}`;
  }

  /** 16 hexadecimal digits, for placeholders. */
  short(text: string): string {
    return this.#hex(text).slice(0, 16);
  }

  /** The same as `full`, of a text that comes in pieces; none may end within a pair of surrogates. */
  ofPieces(): { add(piece: string): void; full(): string } {
    const mac = createHmac('sha256', this.#key);
    return {
      add: (piece) => void mac.update(piece, 'utf8'),
      full: () => `hmac-sha256:${mac.digest('hex')}`,
    };
  }

  #hex(text: string): string {
    this.#outer.write(hash('sha256', this.#inner + text, 'binary'), blockBytes, 'latin1');
    return hash('sha256', this.#outer, 'hex');
  }
}
