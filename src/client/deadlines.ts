import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';

/**
 * One timer for many deadlines: it runs for the earliest and asks everyone when it fires. Requests that
 * come and go in milliseconds thus never start or stop a timer of their own.
 */
export class DeadlineTimer implements Disposable {
  readonly #clock: Clock;
  readonly #check: () => number;
  #timer: Disposable | undefined;
  #due = Infinity;

  /** `check` ends what is overdue and returns the next deadline (monotonic milliseconds; Infinity: none). */
  constructor(clock: Clock, check: () => number) {
    this.#clock = clock;
    this.#check = check;
  }

  /** Makes sure that the check runs at `deadline` or earlier. */
  arm(deadline: number): void {
    if (deadline >= this.#due) return;
    this.#timer?.dispose();
    this.#due = deadline;
    // Timers take at most 2^31−1 ms; a later deadline is found again when this one fires.
    const wait = Math.min(Math.max(0, deadline - this.#clock.monotonic()), 2_147_483_647);
    this.#timer = this.#clock.after(wait, () => this.#fire());
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#due = Infinity;
  }

  #fire(): void {
    this.#timer = undefined;
    this.#due = Infinity;
    this.arm(this.#check());
  }
}
