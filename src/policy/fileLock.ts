import { randomUUID } from 'node:crypto';
import { link, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { HostError } from '../base/errors.ts';

const retryMs = 15;
const giveUpMs = 15_000;
/** Held locks are released within milliseconds; one this old belongs to a process that died. */
const staleMs = 10_000;

/*
 * Real time and not a `Clock`: ages are compared with what the file system says, and waiting must keep the process
 * alive until the change is stored.
 */

/** Runs something while a lock file says so to all other processes. `stillHeld` tells whether it still does. */
export async function withFileLock<T>(
  path: string,
  run: (stillHeld: () => Promise<boolean>) => Promise<T>,
): Promise<T> {
  const token = randomUUID();
  const started = performance.now();
  while (!(await tryLock(path, token))) {
    await removeStale(path);
    if (performance.now() - started > giveUpMs) {
      throw new HostError('timeout', `The lock "${path}" is held by another window and does not come free.`);
    }
    // Not all at once: windows that wait for each other spread out.
    await delay(retryMs + Math.random() * retryMs);
  }
  const stillHeld = async (): Promise<boolean> => (await contents(path)) === token;
  try {
    return await run(stillHeld);
  } finally {
    if (await stillHeld()) await rm(path, { force: true });
  }
}

async function tryLock(path: string, token: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx', 0o600);
    try {
      await file.writeFile(token);
    } finally {
      await file.close();
    }
    return true;
  } catch (error) {
    // Windows says EPERM while a file of this name is being deleted.
    if (hasCode(error, 'EEXIST') || (process.platform === 'win32' && hasCode(error, 'EPERM'))) return false;
    throw error;
  }
}

async function removeStale(path: string): Promise<void> {
  const holder = await contents(path);
  const age = await ageOf(path);
  if (holder === undefined || age === undefined || age < staleMs) return;
  // Only one process can move it away; and what was moved is looked at again, in case a new lock was there by then.
  const moved = `${path}.${randomUUID()}`;
  try {
    await rename(path, moved);
  } catch {
    return;
  }
  if ((await contents(moved)) !== holder) await link(moved, path).catch(() => undefined);
  await rm(moved, { force: true });
}

async function contents(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    return undefined;
  }
}

async function ageOf(path: string): Promise<number | undefined> {
  try {
    return Date.now() - (await stat(path)).mtimeMs;
  } catch {
    return undefined;
  }
}

/** Whether an error of the file system has this code. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && Reflect.get(error, 'code') === code;
}
