import { stat, unlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { AuditLog } from './auditLog.ts';
import { isJsonObject } from '../base/json.ts';
import { firstRecord } from './firstRecord.ts';
import { journalLines } from './journalLines.ts';
import { readLine } from './record.ts';
import { headBeside, isAlive } from './segmentHead.ts';
import { headName } from './segmentName.ts';
import { claimsOf, journalFiles } from './verifyFolder.ts';

/** What is kept. `undefined`: without limit. */
export interface RetentionLimits {
  /** Days since a file was last written to. */
  readonly days: number | undefined;
  /** Bytes of all journal files together. */
  readonly totalBytes: number | undefined;
}

export interface KeptFile {
  readonly file: string;
  readonly bytes: number;
  /** Milliseconds since 1970. */
  readonly lastWritten: number;
  /** Some window still writes to it. */
  readonly live: boolean;
}

export interface Removal {
  readonly file: string;
  readonly bytes: number;
  readonly cause: 'age' | 'totalSize' | 'person';
}

/** Which files go: too old ones, then the oldest until the rest fits. Files in use stay. */
export function planRetention(
  files: readonly KeptFile[],
  limits: RetentionLimits,
  now: number,
): readonly Removal[] {
  const removals: Removal[] = [];
  let total = files.reduce((sum, file) => sum + file.bytes, 0);
  for (const { file, bytes, lastWritten, live } of [...files].sort((a, b) => a.lastWritten - b.lastWritten)) {
    if (live) continue;
    const tooOld = limits.days !== undefined && now - lastWritten > limits.days * 86_400_000;
    const tooMuch = limits.totalBytes !== undefined && total > limits.totalBytes;
    if (!tooOld && !tooMuch) continue;
    removals.push({ file, bytes, cause: tooOld ? 'age' : 'totalSize' });
    total -= bytes;
  }
  return removals;
}

/** Deletes what the limits do not keep, each deletion on record before it happens. Returns what was deleted. */
export async function applyRetention(
  log: AuditLog,
  limits: RetentionLimits,
  now: number,
): Promise<readonly Removal[]> {
  const files = await keptFiles(log);
  return removeFiles(log, planRetention(files, limits, now));
}

/** Deletes all files that no window writes to, for a person who asks for it. */
export async function deleteHistory(log: AuditLog): Promise<readonly Removal[]> {
  const files = await keptFiles(log);
  const removals = files
    .filter((file) => !file.live)
    .map(({ file, bytes }): Removal => ({ file, bytes, cause: 'person' }));
  return removeFiles(log, removals);
}

async function keptFiles(log: AuditLog): Promise<readonly KeptFile[]> {
  const kept: KeptFile[] = [];
  for (const { file } of await journalFiles(log.folder)) {
    const path = join(log.folder, file);
    const found = await stat(path).catch(() => undefined);
    // Another window may have deleted it since the folder was read.
    if (found === undefined) continue;
    const head = headBeside(path);
    const live = path === log.path || (head !== undefined && isAlive(head));
    kept.push({ file, bytes: found.size, lastWritten: found.mtimeMs, live });
  }
  return kept;
}

async function removeFiles(log: AuditLog, removals: readonly Removal[]): Promise<readonly Removal[]> {
  if (removals.length === 0) return [];
  const going = new Set(removals.map(({ file }) => file));
  const spokenOf = await claimedByOthers(log.folder, going);
  const done: Removal[] = [];
  for (const removal of removals) {
    const path = join(log.folder, removal.file);
    const head = headBeside(path);
    await carryDeletions(log, path, spokenOf);
    log.record({
      kind: 'journalDeleted',
      ...removal,
      ...(head === undefined ? {} : { last: { seq: head.seq, hash: head.hash } }),
    });
    await log.sync();
    await removeIfThere(path);
    await removeIfThere(headName(path));
    done.push(removal);
  }
  return done;
}

/** Files that those which stay name. */
async function claimedByOthers(folder: string, going: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  const claimed = new Set<string>();
  for (const { file } of await journalFiles(folder)) {
    if (going.has(file)) continue;
    const first = await firstRecord(join(folder, file));
    if (first !== undefined) for (const claim of claimsOf(first)) claimed.add(claim.file);
  }
  return claimed;
}

/** What a file says of earlier deletions must outlive it, as long as others still name what was deleted. */
async function carryDeletions(log: AuditLog, path: string, spokenOf: ReadonlySet<string>): Promise<void> {
  try {
    for await (const lines of journalLines(path)) {
      for (const { bytes } of lines) {
        if (!bytes.includes('"kind":"journalDeleted"')) continue;
        const record = readLine(bytes.toString('utf8'));
        const { file, bytes: size, last, cause } = record?.fields ?? {};
        if (record?.kind !== 'journalDeleted' || typeof file !== 'string' || !spokenOf.has(file)) continue;
        log.record({
          kind: 'journalDeleted',
          file: basename(file),
          bytes: typeof size === 'number' ? size : 0,
          cause: cause === 'age' || cause === 'totalSize' ? cause : 'person',
          ...lastOf(last),
        });
      }
    }
  } catch {
    // Unreadable or already gone: there is nothing to carry over.
  }
}

function lastOf(value: unknown): { readonly last?: { readonly seq: number; readonly hash: string } } {
  if (!isJsonObject(value)) return {};
  const { seq, hash } = value;
  return typeof seq === 'number' && typeof hash === 'string' ? { last: { seq, hash } } : {};
}

async function removeIfThere(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
}
