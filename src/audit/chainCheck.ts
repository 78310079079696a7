import type { JournalLine } from './journalLines.ts';
import { type ReadRecord, hashHolds, noPrevious, ownHash, readLine } from './record.ts';
import type { Finding, OpenCall, Place } from './verifyReport.ts';

const maximumFindings = 1_000;
const outcomes = new Set(['result', 'error', 'cancelled']);

interface Previous {
  readonly seq: number;
  /** What the next record may name: normally one hash; for an altered record its stated and its real one. */
  readonly hashes: readonly string[];
}

/** Checks the records of one file one after the other. Pure: what it is given is what it judges. */
export class ChainCheck {
  readonly findings: Finding[] = [];
  moreFindings = 0;
  records = 0;
  first: ReadRecord | undefined;
  last: ReadRecord | undefined;
  /** Sent and not yet answered, by call id. */
  readonly openCalls = new Map<string, OpenCall>();
  /** Answered here, but sent in an earlier file. */
  readonly settledElsewhere = new Set<string>();
  /** Hashes of the records whose numbers the caller asked for. */
  readonly watched = new Map<number, string>();
  readonly #watch: ReadonlySet<number>;
  readonly #onRecord: ((record: ReadRecord) => void) | undefined;
  #previous: Previous | undefined;

  constructor(watch: ReadonlySet<number>, onRecord?: (record: ReadRecord) => void) {
    this.#watch = watch;
    this.#onRecord = onRecord;
  }

  line(line: JournalLine): void {
    const place: Place = { line: line.number, offset: line.offset };
    if (!line.ended) {
      return this.#add({ kind: 'tornTail', level: 'notice', bytes: line.bytes.length, ...place });
    }
    const record = readLine(line.bytes.toString('utf8'));
    if (record === undefined) return this.#add({ kind: 'unreadable', level: 'damage', ...place });
    this.records++;
    const holds = hashHolds(line.bytes, record);
    if (!holds) this.#add({ kind: 'altered', level: 'damage', seq: record.seq, ...place });
    this.#follow(record, place);
    const own = holds ? undefined : ownHash(line.bytes);
    this.#previous = { seq: record.seq, hashes: own === undefined ? [record.hash] : [record.hash, own] };
    this.first ??= record;
    this.last = record;
    if (this.#watch.has(record.seq)) this.watched.set(record.seq, record.hash);
    this.#noteCall(record);
    this.#onRecord?.(record);
  }

  #follow(record: ReadRecord, place: Place): void {
    const previous = this.#previous;
    if (previous === undefined) {
      if (!startsFile(record)) this.#add({ kind: 'wrongStart', level: 'damage', seq: record.seq, ...place });
    } else if (record.seq <= previous.seq) {
      this.#add({ kind: 'outOfOrder', level: 'damage', seq: record.seq, ...place });
    } else if (record.seq > previous.seq + 1) {
      const [fromSeq, toSeq] = [previous.seq + 1, record.seq - 1];
      this.#add({ kind: 'missing', level: 'damage', fromSeq, toSeq, ...place });
    } else if (!previous.hashes.includes(record.prev)) {
      this.#add({ kind: 'brokenChain', level: 'damage', seq: record.seq, ...place });
    }
  }

  #noteCall(record: ReadRecord): void {
    const { callId, serverId, tool } = record.fields;
    if (typeof callId !== 'string') return;
    if (outcomes.has(record.kind) && !this.openCalls.delete(callId)) this.settledElsewhere.add(callId);
    if (record.kind !== 'intent') return;
    this.openCalls.set(callId, {
      callId,
      serverId: typeof serverId === 'string' ? serverId : '',
      tool: typeof tool === 'string' ? tool : '',
      seq: record.seq,
      time: record.time,
    });
  }

  #add(finding: Finding): void {
    if (this.findings.length < maximumFindings) this.findings.push(finding);
    else this.moreFindings++;
  }
}

/** The first record of a file opens it and names the file before, if there was one. */
function startsFile(record: ReadRecord): boolean {
  if (record.kind !== 'segmentOpened') return false;
  return record.fields['previous'] === undefined
    ? record.seq === 1 && record.prev === noPrevious
    : record.seq > 1;
}
