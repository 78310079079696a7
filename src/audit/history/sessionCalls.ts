import { join } from 'node:path';
import { type ReadRecord, readLine } from '../record.ts';
import type { CallEntry, HistoryFilter, RecordPlace } from './callEntry.ts';
import { summarizeCall } from './callSummary.ts';
import { type RawTest, matches, rawTest } from './historyFilter.ts';
import { type RawLine, ReverseLines } from './reverseLines.ts';

/** Records of calls whose beginning is not reached yet. More than this are given up as they are. */
const maximumOpen = 5_000;
const maximumRecords = 1_000;
/** How far clocks are trusted: a file this much older than the filter's beginning is not looked at. */
const clockSlackMs = 86_400_000;

interface Line extends RawLine {
  readonly file: string;
}

interface Group {
  /** Newest first. */
  readonly lines: Line[];
  hasText: boolean;
  possible: boolean;
}

/**
 * The calls of one session, the one that began last first. Reads backwards and only as far as asked, so opening
 * the history takes no longer for a million records than for a hundred.
 */
export class SessionCalls {
  readonly sessionId: string;
  readonly #folder: string;
  readonly #filter: HistoryFilter;
  readonly #raw: RawTest;
  /** Newest first. */
  readonly #files: string[];
  #reader: ReverseLines | undefined;
  #open = new Map<number, Group>();
  #ready: CallEntry[] = [];
  #ended = false;
  /** Records looked at so far. */
  scanned = 0;

  /** `files`: the session's journal files, newest first. */
  constructor(folder: string, sessionId: string, files: readonly string[], filter: HistoryFilter) {
    this.sessionId = sessionId;
    this.#folder = folder;
    this.#files = [...files];
    this.#filter = filter;
    this.#raw = rawTest(filter);
  }

  /** The next call without taking it; `undefined` while more has to be read (`step`) or at the end (`ended`). */
  peek(): CallEntry | undefined {
    return this.#ready[0];
  }
  take(): CallEntry | undefined {
    return this.#ready.shift();
  }
  get ended(): boolean {
    return this.#ended && this.#ready.length === 0;
  }

  /** Reads one more block. */
  async step(): Promise<void> {
    if (this.#ended) return;
    if (this.#reader === undefined) {
      const file = this.#files.shift();
      if (file === undefined) return this.#finish();
      this.#reader = new ReverseLines(join(this.#folder, file));
    }
    const file = fileOf(this.#reader.path);
    const lines = await readBlock(this.#reader);
    if (lines === undefined) {
      this.#reader = undefined;
      return;
    }
    for (const line of lines) {
      if (!this.#ended) this.#line({ ...line, file });
    }
  }

  #line(line: Line): void {
    this.scanned++;
    const head = readHead(line.bytes);
    if (head === undefined) return;
    if (this.#filter.from !== undefined && Date.parse(head.time) < this.#filter.from - clockSlackMs) {
      return this.#finish();
    }
    if (head.call === undefined) return;
    const group = this.#open.get(head.call) ?? { lines: [], hasText: false, possible: true };
    if (group.lines.length === 0) this.#open.set(head.call, group);
    group.possible &&= this.#raw.possible(line.bytes);
    if (group.possible) {
      group.hasText ||= this.#raw.hasText(line.bytes);
      if (group.lines.length < maximumRecords) group.lines.push(line);
    }
    if (head.step === 1) {
      this.#open.delete(head.call);
      this.#complete(group);
    } else if (this.#open.size > maximumOpen) this.#giveUpOldest();
  }

  #giveUpOldest(): void {
    for (const [call, group] of this.#open) {
      this.#open.delete(call);
      return this.#complete(group);
    }
  }

  #complete(group: Group): void {
    if (!group.possible || !group.hasText) return;
    const records: ReadRecord[] = [];
    const places: RecordPlace[] = [];
    for (const { bytes, offset, file } of group.lines.toReversed()) {
      const record = readLine(bytes.toString('utf8'));
      if (record === undefined) continue;
      records.push(record);
      places.push({ file, offset, length: bytes.length });
    }
    const entry = summarizeCall(this.sessionId, records, places);
    if (entry !== undefined && matches(this.#filter, entry, records)) this.#ready.push(entry);
  }

  /** Calls whose beginning was deleted or damaged are told as far as they are there. */
  #finish(): void {
    this.#ended = true;
    const left = [...this.#open.values()];
    this.#open = new Map();
    for (const group of left) this.#complete(group);
  }
}

interface LineHead {
  readonly time: string;
  readonly call: number | undefined;
  readonly step: number | undefined;
}

const headPattern = /^\{"v":1,"seq":\d{1,16},"time":"([^"]{1,40})"(?:,"call":(\d{1,16}),"step":(\d{1,16}))?/;

/** Reads the beginning of a line, which is always in the same order. */
function readHead(bytes: Buffer): LineHead | undefined {
  const match = headPattern.exec(bytes.toString('latin1', 0, 130));
  if (match === null) return undefined;
  const [, time = '', call, step] = match;
  return {
    time,
    call: call === undefined ? undefined : Number(call),
    step: step === undefined ? undefined : Number(step),
  };
}

function fileOf(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

/** A file that another window has just deleted has no lines. */
async function readBlock(reader: ReverseLines): Promise<readonly RawLine[] | undefined> {
  try {
    return await reader.next();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
