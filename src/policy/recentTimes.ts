/** Times of the latest events, oldest first, for counting those within a window. Adding and counting cost next to nothing. */
export class RecentTimes {
  readonly #windowMs: number;
  #times: number[] = [];
  /** Where the times within the window begin. */
  #head = 0;

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  /** `now` never runs backwards. */
  add(now: number): void {
    this.#times.push(now);
  }

  /** Forgets all but this one. */
  restart(now: number): void {
    this.#times = [now];
    this.#head = 0;
  }

  count(now: number): number {
    const since = now - this.#windowMs;
    while (this.#head < this.#times.length && (this.#times[this.#head] ?? since) <= since) this.#head += 1;
    // Given back in large steps, so that each time is moved once at the most.
    if (this.#head > 1024 && this.#head * 2 > this.#times.length) {
      this.#times = this.#times.slice(this.#head);
      this.#head = 0;
    }
    return this.#times.length - this.#head;
  }
}
