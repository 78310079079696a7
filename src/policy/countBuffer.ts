import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';

/** How often something happened since it was last stored, and when last. */
export interface CountSince {
  readonly count: number;
  /** Milliseconds since 1970. */
  readonly lastAt: number;
}

/** Milliseconds after an event until it is stored, so that a burst of calls costs one write. */
const storeAfterMs = 2000;

/** Counts in memory and stores the counts a little later. */
export class CountBuffer implements Disposable {
  readonly #clock: Clock;
  readonly #store: (counts: ReadonlyMap<string, CountSince>) => Promise<void>;
  readonly #counts = new Map<string, CountSince>();
  #timer: Disposable | undefined;
  #storing: Promise<void> = Promise.resolve();

  /** @param store may reject: then the counts are kept for the next time */
  constructor(clock: Clock, store: (counts: ReadonlyMap<string, CountSince>) => Promise<void>) {
    this.#clock = clock;
    this.#store = store;
  }

  /** What waits to be stored. */
  get(key: string): CountSince | undefined {
    return this.#counts.get(key);
  }

  add(key: string): void {
    this.#counts.set(key, { count: (this.get(key)?.count ?? 0) + 1, lastAt: this.#clock.now() });
    this.#timer ??= this.#clock.after(storeAfterMs, () => void this.flush());
  }

  /** Stores what waits. Never rejects. One after the other: two at once would store the same counts twice. */
  flush(): Promise<void> {
    this.#timer?.dispose();
    this.#timer = undefined;
    this.#storing = this.#storing.then(() => this.#flush());
    return this.#storing;
  }

  dispose(): void {
    this.#timer?.dispose();
  }

  async #flush(): Promise<void> {
    if (this.#counts.size === 0) return;
    const stored = new Map(this.#counts);
    try {
      await this.#store(stored);
    } catch {
      // Whoever stores has told the person; a count that comes late or never harms nobody.
      return;
    }
    for (const [key, { count }] of stored) {
      const now = this.#counts.get(key);
      if (now === undefined || now.count <= count) this.#counts.delete(key);
      else this.#counts.set(key, { ...now, count: now.count - count });
    }
  }
}
