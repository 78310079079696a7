import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { toolsFolder } from '../paths.ts';
import { waitFor } from '../waitFor.ts';

/** Runs `work` while no other process sets up the same checkout. */
export async function withSetupLock(work: () => void): Promise<void> {
  mkdirSync(toolsFolder, { recursive: true });
  const file = path.join(toolsFolder, 'setup.lock');
  await waitFor('the setup that runs in another process', () => tryLock(file), 20 * 60_000);
  try {
    work();
  } finally {
    rmSync(file, { force: true });
  }
}

function tryLock(file: string): boolean {
  // Written aside and then linked, so that nobody ever sees a lock without an owner.
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, String(process.pid));
  try {
    linkSync(draft, file);
    return true;
  } catch {
    if (!isRunning(readOwner(file))) rmSync(file, { force: true });
    return false;
  } finally {
    rmSync(draft, { force: true });
  }
}

function readOwner(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8'));
  } catch {
    return 0;
  }
}

function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Someone else's process may not be signalled, but it runs.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
