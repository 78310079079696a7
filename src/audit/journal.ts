import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { basename } from 'node:path';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import type { JournalEvent } from './events.ts';
import { folderHeads } from './folderHeads.ts';
import { type CallPlace, noPrevious, sealLine } from './record.ts';
import { Segment, type SegmentProblem } from './segment.ts';
import { segmentName } from './segmentName.ts';

export interface JournalOptions {
  readonly folder: string;
  readonly clock: Clock;
  /** The storage setting, noted at the top of each file. */
  readonly storage: string;
  /** A file is left for a new one beyond this size. */
  readonly maximumBytes?: number;
  /** How long a record may stay unsynced, in milliseconds. */
  readonly groupCommitMs?: number;
  /** Signs the state at each sync with the user's key, so that a rewritten file shows. */
  readonly sign?: ((text: string) => string) | undefined;
  /** A record that the journal wrote about itself. */
  readonly onNoted?: (seq: number, time: string, event: JournalEvent) => void;
  /** A sync that nobody waits for has failed. */
  readonly onSyncFailed?: (error: unknown) => void;
}

/** A record that waits to be written. */
export interface PendingRecord {
  /** The event's JSON text, an object in braces. */
  readonly json: string;
  readonly time: string;
  readonly place: CallPlace | undefined;
}

/** Why nothing can be written, in a form that can be explained to a person. */
export class JournalUnusable extends Error {
  override readonly name = 'JournalUnusable';
  readonly problem: SegmentProblem;
  readonly path: string;

  constructor(problem: SegmentProblem, path: string) {
    super(`The journal file cannot be used: ${problem.kind} (${path})`);
    this.problem = problem;
    this.path = path;
  }
}

/**
 * The files of one session, written one after the other, with one chain through all of them.
 * Knows nothing of calls or redaction. No other session ever writes to these files.
 */
export class Journal {
  /** Twelve hexadecimal digits, new for every session. */
  readonly sessionId = randomBytes(6).toString('hex');
  #options: JournalOptions;
  #movedFrom: string | undefined;
  #segment: Segment | undefined;
  #segmentCount = 0;
  #seq = 0;
  #hash = noPrevious;
  #commit: Disposable | undefined;
  /** The system could not bring the file to the disk: what it says of later writes cannot be trusted. */
  #suspect = false;
  #leaving = new Set<Promise<void>>();

  constructor(options: JournalOptions) {
    this.#options = options;
  }

  /** The file being written, if one is open. */
  get path(): string | undefined {
    return this.#segment?.path;
  }
  /** Number and hash of the last record; worth copying elsewhere. */
  get end(): { readonly seq: number; readonly hash: string } {
    return { seq: this.#seq, hash: this.#hash };
  }

  /**
   * Hands records to the operating system: all of them, or none and an error. Returns the number of the first one.
   * @throws JournalUnusable, or the file system's error
   */
  write(records: readonly PendingRecord[]): number {
    const segment = this.#usableSegment();
    const first = this.#seq + 1;
    this.#append(segment, records);
    this.#commitLater();
    return first;
  }

  /** Resolves when everything written so far is on the disk. */
  async sync(): Promise<void> {
    try {
      await Promise.all([this.#segment?.sync(), ...this.#leaving]);
    } catch (error) {
      this.#suspect = true;
      throw error;
    }
  }

  /** Creates the folder anew; for a person who says so. It is never done silently once a session has begun. */
  createFolder(): void {
    mkdirSync(this.#options.folder, { recursive: true, mode: 0o700 });
  }

  /** From the next record on. In another folder, or with another storage setting, a new file begins. */
  change(options: JournalOptions): void {
    const { folder, storage } = this.#options;
    const isSame = options.folder === folder && options.storage === storage;
    if (!isSame && this.#segment !== undefined) this.#movedFrom ??= folder;
    this.#options = options;
  }

  async close(): Promise<void> {
    this.#commit?.dispose();
    this.#commit = undefined;
    const segment = this.#segment;
    this.#segment = undefined;
    await Promise.all([segment?.finish(), ...this.#leaving]);
  }

  #append(segment: Segment, records: readonly PendingRecord[]): void {
    let seq = this.#seq;
    let hash = this.#hash;
    let text = '';
    for (const record of records) {
      seq++;
      const sealed = sealLine({ seq, time: record.time, place: record.place }, record.json, hash);
      hash = sealed.hash;
      text += `${sealed.line}\n`;
    }
    segment.append(text, { seq, hash });
    this.#seq = seq;
    this.#hash = hash;
  }

  #usableSegment(): Segment {
    const segment = this.#segment;
    if (segment === undefined) return this.#open('session');
    if (this.#movedFrom !== undefined) return this.#open('moved');
    const problem = segment.check();
    if (problem !== undefined) return this.#afterProblem(segment, problem);
    if (this.#suspect) return this.#open('failed');
    if (segment.bytes >= (this.#options.maximumBytes ?? defaultMaximumBytes)) return this.#open('size');
    if (utcDay(segment.openedAt) !== utcDay(this.#options.clock.now())) return this.#open('day');
    return segment;
  }

  #afterProblem(segment: Segment, problem: SegmentProblem): Segment {
    if (problem.kind === 'folderMissing' || problem.kind === 'readOnly') {
      throw new JournalUnusable(problem, segment.path);
    }
    // The records that were in it may be gone, but recording itself works: say so and go on in a new file.
    const next = this.#open('disturbed');
    const message =
      problem.kind === 'sizeChanged'
        ? `It should have ${problem.expected} bytes and has ${problem.found}.`
        : problem.kind === 'replaced'
          ? 'Something else has taken its place.'
          : 'It was removed.';
    this.#note(next, { kind: 'journalDisturbed', file: basename(segment.path), message });
    return next;
  }

  #open(cause: OpenCause): Segment {
    const { folder, clock } = this.#options;
    const left = this.#segment;
    if (this.#segmentCount === 0 || cause === 'moved') this.createFolder();
    const now = clock.now();
    const file = segmentName(now, this.sessionId, this.#segmentCount + 1);
    const next = new Segment({
      folder,
      file,
      sessionId: this.sessionId,
      start: this.end,
      now,
      sign: this.#options.sign,
    });
    try {
      if (left !== undefined && (cause === 'size' || cause === 'day' || cause === 'moved')) {
        this.#note(left, { kind: 'segmentClosed', next: file });
      }
      this.#note(next, this.#opened(cause, left));
    } catch (error) {
      next.discard();
      throw error;
    }
    this.#segmentCount++;
    this.#segment = next;
    this.#suspect = false;
    this.#movedFrom = undefined;
    if (left !== undefined) this.#leave(left);
    return next;
  }

  #opened(cause: OpenCause, left: Segment | undefined): JournalEvent {
    const { folder, storage } = this.#options;
    return {
      kind: 'segmentOpened',
      sessionId: this.sessionId,
      number: this.#segmentCount + 1,
      ...(left === undefined ? {} : { previous: { file: basename(left.path), ...this.end } }),
      ...(this.#movedFrom === undefined || this.#movedFrom === folder ? {} : { movedFrom: this.#movedFrom }),
      others: folderHeads(folder, this.sessionId),
      storage,
      cause,
    };
  }

  #leave(segment: Segment): void {
    const leaving: Promise<void> = segment
      .finish()
      .catch((error: unknown) => this.#options.onSyncFailed?.(error))
      .finally(() => this.#leaving.delete(leaving));
    this.#leaving.add(leaving);
  }

  #commitLater(): void {
    this.#commit ??= this.#options.clock.after(this.#options.groupCommitMs ?? 900, () => {
      this.#commit = undefined;
      this.sync().catch((error: unknown) => this.#options.onSyncFailed?.(error));
    });
  }

  #note(segment: Segment, event: JournalEvent): void {
    const time = new Date(this.#options.clock.now()).toISOString();
    this.#append(segment, [{ json: JSON.stringify(event), time, place: undefined }]);
    this.#options.onNoted?.(this.#seq, time, event);
  }
}

type OpenCause = 'session' | 'size' | 'day' | 'moved' | 'disturbed' | 'failed';

const defaultMaximumBytes = 32 * 1024 * 1024;

function utcDay(time: number): number {
  return Math.floor(time / 86_400_000);
}
