import { setTimeout as delay } from 'node:timers/promises';

/** Asks `probe` until it returns something other than undefined or false; fails after `timeout` milliseconds. */
export async function waitFor<T>(
  what: string,
  probe: () => T | undefined | false | Promise<T | undefined | false>,
  timeout = 60_000,
): Promise<T> {
  const end = performance.now() + timeout;
  for (;;) {
    const found = await probe();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > end) throw new Error(`waited ${timeout} ms in vain for ${what}`);
    await delay(50);
  }
}
