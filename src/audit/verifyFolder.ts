import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isJsonObject } from '../base/json.ts';
import { firstRecord } from './firstRecord.ts';
import { type NotedEnd, type SessionFile, fileOfEnd, knownByNote } from './notedEnd.ts';
import type { ReadRecord } from './record.ts';
import type { KeyedDigest } from './redaction/keyedDigest.ts';
import { type SegmentName, parseSegmentName } from './segmentName.ts';
import { type CheckedJournal, type KnownRecord, checkJournal } from './verifyJournal.ts';
import type { Finding, JournalReport, OpenCall } from './verifyReport.ts';

export interface FolderReport {
  readonly folder: string;
  /** By session, oldest first. */
  readonly files: readonly JournalReport[];
  /** What concerns no file that is there: files that are gone. */
  readonly findings: readonly Finding[];
  /** Sent and never answered, in windows that no longer run. */
  readonly openCalls: readonly OpenCall[];
  readonly intact: boolean;
  /** How many ends noted elsewhere were compared. */
  readonly noted: number;
}

export interface FolderVerifyOptions {
  readonly key?: KeyedDigest;
  /** What somebody noted outside the folder. It holds against a forger who can write everything in it. */
  readonly noted?: readonly NotedEnd[];
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

interface FileEntry extends SegmentName {
  readonly file: string;
}

/**
 * Checks all journal files of a folder, and what they say of one another: a file that vanished without a record
 * of its deletion, or that was rewritten as a whole, is told by the others.
 */
export async function verifyFolder(folder: string, options: FolderVerifyOptions = {}): Promise<FolderReport> {
  const files = await journalFiles(folder);
  const { claims, sessionFiles } = await collectClaims(folder, files);
  const homeless = placeNotes(options.noted ?? [], sessionFiles, claims);
  const deleted = new Set<string>();
  const checked: CheckedJournal[] = [];
  for (const { file } of files) {
    options.onProgress?.(checked.length, files.length);
    const journal = await checkJournal(join(folder, file), {
      known: claims.get(file) ?? [],
      ...(options.key === undefined ? {} : { key: options.key }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
      onRecord: (record) => noteDeletion(record, deleted),
    });
    checked.push(journal);
  }
  const present = new Set(files.map(({ file }) => file));
  const findings = [...missingFiles(claims, present, deleted), ...missingSessions(homeless, deleted)];
  const reports = checked.map(({ report }) => report);
  return {
    folder,
    files: reports,
    findings,
    openCalls: openCalls(checked),
    intact: findings.every(({ level }) => level === 'notice') && reports.every((report) => report.intact),
    noted: options.noted?.length ?? 0,
  };
}

/** The journal files of a folder, each session's files together and in order, the oldest session first. */
export async function journalFiles(folder: string): Promise<readonly FileEntry[]> {
  const entries = (await fileNames(folder)).flatMap((file): FileEntry[] => {
    const name = parseSegmentName(file);
    return name === undefined ? [] : [{ ...name, file }];
  });
  const begun = new Map<string, string>();
  for (const { sessionId, openedAt } of entries) {
    const earliest = begun.get(sessionId);
    if (earliest === undefined || openedAt < earliest) begun.set(sessionId, openedAt);
  }
  const rank = (entry: FileEntry): string => `${begun.get(entry.sessionId)} ${entry.sessionId}`;
  return entries.sort((a, b) => (rank(a) < rank(b) ? -1 : rank(a) > rank(b) ? 1 : a.number - b.number));
}

/** Before the first record there is no folder. */
async function fileNames(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

type Claims = Map<string, KnownRecord[]>;

/** What the first record of each file knows of other files, and where each file begins. */
async function collectClaims(
  folder: string,
  files: readonly FileEntry[],
): Promise<{ readonly claims: Claims; readonly sessionFiles: readonly SessionFile[] }> {
  const claims: Claims = new Map();
  const sessionFiles: SessionFile[] = [];
  for (const { file, sessionId } of files) {
    const first = await firstRecord(join(folder, file));
    sessionFiles.push({ file, sessionId, firstSeq: first?.seq });
    if (first === undefined) continue;
    for (const { file: other, seq, hash } of claimsOf(first))
      addClaim(claims, other, { seq, hash, by: file });
  }
  return { claims, sessionFiles };
}

function addClaim(claims: Claims, file: string, record: KnownRecord): void {
  const known = claims.get(file);
  if (known === undefined) claims.set(file, [record]);
  else known.push(record);
}

/** Adds the notes to what is known of the files; returns those whose file is not there. */
function placeNotes(
  noted: readonly NotedEnd[],
  files: readonly SessionFile[],
  claims: Claims,
): readonly NotedEnd[] {
  return noted.filter((end) => {
    const file = fileOfEnd(end, files);
    if (file !== undefined) addClaim(claims, file, knownByNote(end));
    return file === undefined;
  });
}

/** The files that an opening record names. */
export function claimsOf(first: ReadRecord): readonly { file: string; seq: number; hash: string }[] {
  const { previous, others, movedFrom } = first.fields;
  if (first.kind !== 'segmentOpened') return [];
  // After a change of folder, the file before lies elsewhere.
  const before = movedFrom === undefined ? [previous] : [];
  const list: readonly unknown[] = [...before, ...(Array.isArray(others) ? others : [])];
  return list.flatMap((claim) => {
    if (!isJsonObject(claim)) return [];
    const { file, seq, hash } = claim;
    if (typeof file !== 'string' || typeof seq !== 'number' || typeof hash !== 'string') return [];
    // A head from before the first record says nothing yet.
    return parseSegmentName(file) === undefined || seq === 0 ? [] : [{ file, seq, hash }];
  });
}

function noteDeletion(record: ReadRecord, deleted: Set<string>): void {
  const { file } = record.fields;
  if (record.kind === 'journalDeleted' && typeof file === 'string') deleted.add(file);
}

function missingFiles(claims: Claims, present: ReadonlySet<string>, deleted: ReadonlySet<string>): Finding[] {
  return [...claims].flatMap(([file, [claim]]): Finding[] => {
    if (present.has(file) || deleted.has(file)) return [];
    return [{ kind: 'missingFile', level: 'damage', file, by: claim?.by ?? '' }];
  });
}

/** A session that was noted, and of which no file is left that could hold the noted record. */
function missingSessions(homeless: readonly NotedEnd[], deleted: ReadonlySet<string>): Finding[] {
  const onRecord = new Set([...deleted].map((file) => parseSegmentName(file)?.sessionId));
  return [...new Set(homeless.map(({ sessionId }) => sessionId))].map((sessionId): Finding => {
    return onRecord.has(sessionId)
      ? { kind: 'deletedSession', level: 'notice', sessionId }
      : { kind: 'missingSession', level: 'damage', sessionId };
  });
}

function openCalls(checked: readonly CheckedJournal[]): readonly OpenCall[] {
  const open = new Map<string, OpenCall>();
  const live = new Set(checked.flatMap(({ report }) => (report.end === 'live' ? [report.sessionId] : [])));
  for (const { report, settledElsewhere } of checked) {
    for (const callId of settledElsewhere) open.delete(callId);
    if (live.has(report.sessionId)) continue;
    for (const call of report.openCalls) open.set(call.callId, call);
  }
  return [...open.values()];
}
