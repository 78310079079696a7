/** Milliseconds of one measurement. */
const windowMs = 1_000;
/** Milliseconds of a window that one channel may keep the thread busy. */
const mostBusyMs = 500;

/**
 * Keeps one channel from taking the whole thread, however much comes on it: when it has kept the thread busy for half of
 * a window, the rest of the window belongs to others.
 */
export class ReadingPace {
  #since = -Infinity;
  #busyMs = 0;

  /** So many milliseconds of work have ended now. */
  worked(ms: number, now: number): void {
    if (now - this.#since > windowMs) {
      this.#since = now - ms;
      this.#busyMs = 0;
    }
    this.#busyMs += ms;
  }

  /** Milliseconds that the channel has to wait; 0: none. */
  rest(now: number): number {
    if (this.#busyMs < mostBusyMs) return 0;
    return Math.max(0, this.#since + windowMs - now);
  }
}
