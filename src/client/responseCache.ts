import type { Clock } from '../base/clock.ts';
import type { CacheHint } from '../protocol/wire/codec.ts';

interface Entry<T> {
  readonly value: T;
  /** Monotonic milliseconds. */
  readonly staleAt: number;
  readonly size: number;
}

/** All entries together. Characters, as counted by whoever stores them. */
const maxSize = 32 * 1024 * 1024;

/**
 * Answers that a server allowed us to use again for a while (specification: caching). Public answers are
 * shared; private ones belong to the authorization that they were given to.
 */
export class ResponseCache<T> {
  readonly #clock: Clock;
  readonly #principal: () => string;
  readonly #entries = new Map<string, Entry<T>>();
  #size = 0;
  #generation = 0;

  constructor(clock: Clock, principal: () => string) {
    this.#clock = clock;
    this.#principal = principal;
  }

  /** Changes whenever everything cached became invalid: what was asked for before must not be stored after. */
  get generation(): number {
    return this.#generation;
  }

  get(key: string): T | undefined {
    const privateKey = this.#key(key, 'private');
    const publicKey = this.#key(key, 'public');
    for (const full of [privateKey, publicKey]) {
      const entry = this.#entries.get(full);
      if (entry === undefined) continue;
      if (this.#clock.monotonic() < entry.staleAt) return entry.value;
      this.#delete(full);
    }
    return undefined;
  }

  /** `generation`: as it was when the request went out. `size`: rough number of characters. */
  set(key: string, value: T, hint: CacheHint, size: number, generation: number): void {
    if (hint.ttlMs <= 0 || size > maxSize || generation !== this.#generation) return;
    const full = this.#key(key, hint.scope);
    this.#delete(full);
    this.#entries.set(full, { value, staleAt: this.#clock.monotonic() + hint.ttlMs, size });
    this.#size += size;
    for (const oldest of this.#entries.keys()) {
      if (this.#size <= maxSize) break;
      this.#delete(oldest);
    }
  }

  clear(): void {
    this.#entries.clear();
    this.#size = 0;
    this.#generation++;
  }

  #delete(full: string): void {
    const entry = this.#entries.get(full);
    if (entry !== undefined && this.#entries.delete(full)) this.#size -= entry.size;
  }

  #key(key: string, scope: CacheHint['scope']): string {
    return scope === 'public' ? `public ${key}` : `private ${JSON.stringify(this.#principal())} ${key}`;
  }
}
