import { nextTurn } from './nextTurn.ts';

/**
 * Lets long work on the host's thread give way: `pause` returns at once until the slice is used up, then waits for
 * everything else that is due.
 */
export class TimeSlice {
  readonly #budgetMs: number;
  #start = performance.now();

  /** `budgetMs`: milliseconds of work between two pauses. */
  constructor(budgetMs = 8) {
    this.#budgetMs = budgetMs;
  }

  /** True when the slice is used up. For loops so hot that an await in each turn would cost more than the work. */
  get isUsedUp(): boolean {
    return this.isUsedUpAt(performance.now());
  }

  /** As `isUsedUp`, for whoever has just looked at the clock. */
  isUsedUpAt(now: number): boolean {
    return now - this.#start >= this.#budgetMs;
  }

  /** Milliseconds since the slice began. */
  get elapsedMs(): number {
    return performance.now() - this.#start;
  }

  async pause(): Promise<void> {
    if (this.isUsedUp) await this.endTurn();
  }

  /** Waits for everything else that is due, and begins anew. */
  async endTurn(): Promise<void> {
    await nextTurn();
    this.#start = performance.now();
  }
}
