import { basename } from 'node:path';
import { ChainCheck } from './chainCheck.ts';
import { journalLines } from './journalLines.ts';
import type { ReadRecord } from './record.ts';
import type { KeyedDigest } from './redaction/keyedDigest.ts';
import { type SegmentHead, headBeside, isAlive, sealText, wasRestarted } from './segmentHead.ts';
import { parseSegmentName } from './segmentName.ts';
import type { Finding, JournalReport } from './verifyReport.ts';

/** What a record is known to be from elsewhere. */
export interface KnownRecord {
  readonly seq: number;
  readonly hash: string;
  /** Who says so, for the report. */
  readonly by: string;
}

export interface VerifyOptions {
  /** To check the seal; without it the seal is not looked at. */
  readonly key?: KeyedDigest;
  /** What other files, or a person who copied a hash, know of this one. */
  readonly known?: readonly KnownRecord[];
  readonly signal?: AbortSignal;
  readonly onRecord?: (record: ReadRecord) => void;
}

/** A report, and what only the check of a whole folder needs of it. */
export interface CheckedJournal {
  readonly report: JournalReport;
  readonly first: ReadRecord | undefined;
  readonly settledElsewhere: ReadonlySet<string>;
}

/** Checks one journal file: the chain, its end, its calls. Rejects only if the file cannot be read at all. */
export async function verifyJournal(path: string, options: VerifyOptions = {}): Promise<JournalReport> {
  return (await checkJournal(path, options)).report;
}

export async function checkJournal(path: string, options: VerifyOptions = {}): Promise<CheckedJournal> {
  // First the head: while the file is being written, the head read later could be ahead of what was read here.
  const head = headBeside(path);
  const known = [...(options.known ?? []), ...knownByHead(head)];
  const check = new ChainCheck(new Set(known.map((record) => record.seq)), options.onRecord);
  for await (const lines of journalLines(path, options.signal)) for (const line of lines) check.line(line);
  const findings: Finding[] = [
    ...check.findings,
    ...endFindings(check, head),
    ...knownFindings(check, known, head),
    ...sealFindings(head, options.key),
    ...nameFindings(check.first, path),
  ];
  const closing = check.last?.kind === 'sessionClosed' || check.last?.kind === 'segmentClosed';
  return {
    first: check.first,
    settledElsewhere: check.settledElsewhere,
    report: {
      path,
      sessionId: head?.sessionId ?? parseSegmentName(basename(path))?.sessionId,
      records: check.records,
      firstSeq: check.first?.seq,
      lastSeq: check.last?.seq,
      lastHash: check.last?.hash,
      end:
        head?.closed === true || closing
          ? 'closed'
          : head !== undefined && isAlive(head)
            ? 'live'
            : 'unclosed',
      intact: findings.every((finding) => finding.level === 'notice') && check.moreFindings === 0,
      findings,
      moreFindings: check.moreFindings,
      openCalls: [...check.openCalls.values()],
    },
  };
}

function knownByHead(head: SegmentHead | undefined): KnownRecord[] {
  if (head === undefined) return [];
  const known: KnownRecord[] = [{ seq: head.seq, hash: head.hash, by: 'the head file' }];
  if (head.seal !== undefined) known.push({ seq: head.seal.seq, hash: head.seal.hash, by: 'the seal' });
  return known;
}

function endFindings(check: ChainCheck, head: SegmentHead | undefined): Finding[] {
  const foundSeq = check.last?.seq ?? 0;
  if (head === undefined) {
    const empty: Finding[] = check.records === 0 ? [{ kind: 'empty', level: 'notice' }] : [];
    return [...empty, { kind: 'headMissing', level: 'notice' }];
  }
  if (head.closed && foundSeq > head.seq) {
    return [{ kind: 'beyondEnd', level: 'damage', expectedSeq: head.seq, foundSeq }];
  }
  // Killed between creating the file and writing its first record.
  if (check.records === 0 && head.bytes === 0) return [{ kind: 'empty', level: 'notice' }];
  return [];
}

function knownFindings(
  check: ChainCheck,
  known: readonly KnownRecord[],
  head: SegmentHead | undefined,
): Finding[] {
  const foundSeq = check.last?.seq ?? 0;
  const findings: Finding[] = [];
  for (const { seq, hash, by } of known) {
    // A head from before the first record names the end of the file before this one.
    if (head?.bytes === 0 && seq === head.seq) continue;
    if (seq > foundSeq) {
      if (findings.some((finding) => finding.kind === 'truncated' || finding.kind === 'unsyncedTail'))
        continue;
      const lostInCrash = head !== undefined && foundSeq >= head.synced && wasRestarted(head);
      findings.push(
        lostInCrash
          ? { kind: 'unsyncedTail', level: 'notice', expectedSeq: seq, foundSeq }
          : { kind: 'truncated', level: 'damage', expectedSeq: seq, foundSeq, by },
      );
    } else if (check.watched.get(seq) !== hash) {
      findings.push({ kind: 'rewritten', level: 'damage', seq, by });
    }
  }
  return findings;
}

function sealFindings(head: SegmentHead | undefined, key: KeyedDigest | undefined): Finding[] {
  if (head === undefined || key === undefined) return [];
  if (head.seal === undefined) return head.synced > 0 ? [{ kind: 'unsealed', level: 'notice' }] : [];
  const { seq, hash, mac } = head.seal;
  const own = key.full(sealText(head.sessionId, seq, hash));
  return own === mac ? [] : [{ kind: 'forgedHead', level: 'damage' }];
}

/** A file under another file's name. */
function nameFindings(first: ReadRecord | undefined, path: string): Finding[] {
  const name = parseSegmentName(basename(path));
  if (first === undefined || name === undefined || first.kind !== 'segmentOpened') return [];
  const { sessionId, number } = first.fields;
  if (sessionId === name.sessionId && number === name.number) return [];
  return [{ kind: 'wrongStart', level: 'damage', seq: first.seq, line: 1, offset: 0 }];
}
