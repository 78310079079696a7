import { parseSegmentName } from './segmentName.ts';
import type { KnownRecord } from './verifyJournal.ts';

/** Where a session's record ended when somebody noted it outside the journal. */
export interface NotedEnd {
  readonly sessionId: string;
  readonly seq: number;
  /** Base64url, as the record itself has it. */
  readonly hash: string;
}

const copied = /Record of session ([0-9a-f]{12}) ends with (\d{1,15}), hash ([\w-]{43})(?![\w-])/g;
const reported =
  /(journal-[\w-]+\.jsonl)`?: [^\n`]*?records \d{1,15} to (\d{1,15}), last hash `?([\w-]{43})(?![\w-])/g;

/**
 * Reads the ends out of a noted text: lines of the output channel or of _Copy Last Audit Hash_, and lines of an
 * earlier report, with whatever stands around them. Empty if there are none.
 */
export function readNotedEnds(text: string): readonly NotedEnd[] {
  const ends = [...text.matchAll(copied)].map(([, sessionId = '', seq = '', hash = '']): NotedEnd => {
    return { sessionId, seq: Number(seq), hash };
  });
  for (const [, file = '', seq = '', hash = ''] of text.matchAll(reported)) {
    const sessionId = parseSegmentName(file)?.sessionId;
    if (sessionId !== undefined) ends.push({ sessionId, seq: Number(seq), hash });
  }
  return ends;
}

/** A file of a session, and the number of the record that it begins with. */
export interface SessionFile {
  readonly file: string;
  readonly sessionId: string;
  readonly firstSeq: number | undefined;
}

/**
 * The file in which a noted record must be: the last one of its session that does not begin after it.
 * `undefined` if the session has no such file.
 */
export function fileOfEnd(end: NotedEnd, files: readonly SessionFile[]): string | undefined {
  return files.findLast(
    ({ sessionId, firstSeq }) =>
      sessionId === end.sessionId && (firstSeq === undefined || firstSeq <= end.seq),
  )?.file;
}

/** What a noted end says of the file that holds it. */
export function knownByNote({ seq, hash }: NotedEnd): KnownRecord {
  return { seq, hash, by: 'the hash that was noted' };
}
