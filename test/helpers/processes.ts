import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** True while a process of this number exists and is no zombie. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    // Dead, but not yet waited for: `pid (name) Z …`.
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return process.platform !== 'linux';
  }
}

/** Resolves as soon as the condition holds; rejects after `ms`. */
export async function until(condition: () => boolean | Promise<boolean>, ms: number = 60_000): Promise<void> {
  const end = performance.now() + ms;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`Not within ${ms} ms: ${condition.toString()}`);
    await sleep(10);
  }
}
