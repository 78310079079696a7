import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';

/** Notices closer together than this are one. Milliseconds. */
const settleMs = 100;
/** While notices keep coming, at most one announcement in this time. Milliseconds. */
const spacingMs = 1_000;

/** Turns any number of "it changed" notices into few announcements; the last notice is never lost. */
export class ChangeNotices implements Disposable {
  readonly #clock: Clock;
  readonly #announce: () => void;
  #timer: Disposable | undefined;
  #last = -Infinity;

  constructor(clock: Clock, announce: () => void) {
    this.#clock = clock;
    this.#announce = announce;
  }

  notice(): void {
    if (this.#timer !== undefined) return;
    const wait = Math.max(settleMs, this.#last + spacingMs - this.#clock.monotonic());
    this.#timer = this.#clock.after(wait, () => {
      this.#timer = undefined;
      this.#last = this.#clock.monotonic();
      this.#announce();
    });
  }

  dispose(): void {
    this.#timer?.dispose();
  }
}
