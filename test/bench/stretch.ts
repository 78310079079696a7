/*
 * How long steps hold the thread: what an editor would feel. All times are of this thread's own work, so that other
 * programs on the machine do not count.
 */

/** Milliseconds of work that this thread has done. */
function workMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** What a step took, in milliseconds. */
export interface StepTime {
  readonly allMs: number;
  /** The longest time for which it held the thread between two turns of the loop. */
  readonly longestMs: number;
}

/** Runs a step and watches the thread meanwhile. */
export async function timed(run: () => unknown): Promise<StepTime> {
  let longest = 0;
  let last = workMs();
  let isOver = false;
  const watch = (): void => {
    const now = workMs();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isOver) setImmediate(watch);
  };
  setImmediate(watch);
  await new Promise(setImmediate);
  longest = 0;
  const start = workMs();
  await run();
  const end = workMs();
  await new Promise(setImmediate);
  isOver = true;
  return { allMs: end - start, longestMs: longest };
}

/** Runs a step and prints what it took. */
export async function step(name: string, run: () => unknown): Promise<void> {
  const { allMs, longestMs } = await timed(run);
  console.log(
    `${name.padEnd(52)} ${allMs.toFixed(1).padStart(9)} ms in all ${longestMs.toFixed(1).padStart(7)} ms at a stretch`,
  );
}
