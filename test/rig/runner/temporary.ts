import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Makes the one folder that holds every temporary file of a run, and names it to all processes below. */
export function makeRunFolder(): string {
  removeAbandoned();
  const folder = mkdtempSync(path.join(tmpdir(), `countersign-${process.pid}-`));
  process.env['RIG_TEMP'] = folder;
  return folder;
}

// Runs that were killed could not tidy up; their process id, in the folder's name, no longer runs.
function removeAbandoned(): void {
  for (const name of globSync('countersign-*-*', { cwd: tmpdir() })) {
    const pid = Number(/^countersign-(\d+)-/.exec(name)?.[1]);
    if (Number.isInteger(pid) && !runs(pid)) remove(path.join(tmpdir(), name));
  }
}

function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // Someone else's; theirs to remove.
  }
}

function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
