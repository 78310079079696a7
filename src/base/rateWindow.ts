import type { Clock } from './clock.ts';
import type { Disposable } from './disposable.ts';

export interface RateWindowOptions {
  readonly clock: Clock;
  /** How many pass within one window. */
  readonly limit: number;
  readonly windowMs: number;
  /** A window has ended in which this many more were held back; only called if there were any. */
  readonly onMissed: (count: number) => void;
}

/** Lets so many through in a window of time and counts the rest. A window begins with its first. */
export class RateWindow implements Disposable {
  readonly #options: RateWindowOptions;
  #count = 0;
  #timer: Disposable | undefined;

  constructor(options: RateWindowOptions) {
    this.#options = options;
  }

  /** `last`: passes, but the next one in this window will not. */
  take(): 'passes' | 'last' | 'held' {
    const { clock, windowMs, limit } = this.#options;
    this.#timer ??= clock.after(windowMs, () => this.#end());
    this.#count++;
    if (this.#count > limit) return 'held';
    return this.#count === limit ? 'last' : 'passes';
  }

  /** Ends the window. */
  dispose(): void {
    this.#timer?.dispose();
    this.#end();
  }

  #end(): void {
    this.#timer = undefined;
    const missed = this.#count - this.#options.limit;
    this.#count = 0;
    if (missed > 0) this.#options.onMissed(missed);
  }
}
