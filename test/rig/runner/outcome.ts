/** What a stage counted. */
export type Outcome = Readonly<{ passed: number; failed: number; skipped: number }>;

/** Nothing ran. */
export const noTests: Outcome = { passed: 0, failed: 0, skipped: 0 };

/** The sum of several outcomes. */
export function sumOutcomes(outcomes: readonly Outcome[]): Outcome {
  return outcomes.reduce(
    (sum, { passed, failed, skipped }) => ({
      passed: sum.passed + passed,
      failed: sum.failed + failed,
      skipped: sum.skipped + skipped,
    }),
    noTests,
  );
}

/** `N passed, N failed`, with `, N skipped` only if there were any. */
export function formatOutcome({ passed, failed, skipped }: Outcome): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** True if something ran and nothing failed; a stage that ran nothing proves nothing. */
export function isSuccess({ passed, failed }: Outcome): boolean {
  return failed === 0 && passed > 0;
}
