/** Pattern size times text length that one decision may cost: half a second for the worst pattern, rarely a tenth. */
export const decisionWork = 10_000_000;

/**
 * Bounds the time of one decision over all patterns together, so that neither long arguments nor a workspace's many
 * rules can hold up the editor. Counted, not timed: the same call always gets the same decision.
 */
export class WorkBudget {
  #left: number;

  constructor(work: number = decisionWork) {
    this.#left = work;
  }

  /** False if that much is not left; then the answer is "unsure". */
  spend(patternSize: number, textLength: number): boolean {
    const cost = patternSize * textLength;
    if (cost > this.#left) return false;
    this.#left -= cost;
    return true;
  }
}
