import { type KeyObject, createHmac, createSecretKey } from 'node:crypto';

/**
 * Digests that only the holder of a key can make. Equal values have equal digests, so they remain comparable,
 * but nobody can find a short password by trying them all.
 */
export class KeyedDigest {
  readonly #key: KeyObject;

  /** `key`: 32 random bytes, the same for all sessions of a user. */
  constructor(key: Uint8Array) {
    this.#key = createSecretKey(key);
  }

  /** `hmac-sha256:` and 64 hexadecimal digits. */
  full(text: string): string {
    return `hmac-sha256:${this.#hex(text)}`;
  }

  /** 16 hexadecimal digits, for placeholders. */
  short(text: string): string {
    return this.#hex(text).slice(0, 16);
  }

  #hex(text: string): string {
    return createHmac('sha256', this.#key).update(text, 'utf8').digest('hex');
  }
}
