import type { Clock } from '../base/clock.ts';

/**
 * A wall clock that is never set back: what has once expired stays expired for as long as the session lasts.
 * Setting the system's clock back must not give a permission its time again.
 */
export class LatestTime {
  readonly #clock: Clock;
  #offset = -Infinity;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.now();
  }

  /** Milliseconds since 1970: the time now, or what it would be had the clock not been set back. */
  now(): number {
    const monotonic = this.#clock.monotonic();
    this.#offset = Math.max(this.#offset, this.#clock.now() - monotonic);
    return monotonic + this.#offset;
  }
}
