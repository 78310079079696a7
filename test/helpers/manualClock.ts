import type { Clock } from '../../src/base/clock.ts';
import { toDisposable } from '../../src/base/disposable.ts';

/** Time that passes only when a test says so. */
export class ManualClock implements Clock {
  #elapsed = 0;
  #timers: { readonly at: number; readonly run: () => void }[] = [];
  readonly #start: number;

  constructor(start = 1_700_000_000_000) {
    this.#start = start;
  }

  now(): number {
    return this.#start + this.#elapsed;
  }

  monotonic(): number {
    return this.#elapsed;
  }

  after(ms: number, run: () => void): { dispose(): void } {
    const timer = { at: this.#elapsed + ms, run };
    this.#timers.push(timer);
    return toDisposable(() => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    });
  }

  /** How many timers wait: a leak check. */
  get waiting(): number {
    return this.#timers.length;
  }

  /** Lets time pass, running what falls due in order, what is added on the way included. */
  advance(ms: number): void {
    const end = this.#elapsed + ms;
    for (;;) {
      const next = this.#timers.toSorted((one, other) => one.at - other.at)[0];
      if (next === undefined || next.at > end) break;
      this.#timers = this.#timers.filter((other) => other !== next);
      this.#elapsed = next.at;
      next.run();
    }
    this.#elapsed = end;
  }
}
