import { digest } from '../base/canonicalJson.ts';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import { HostError } from '../base/errors.ts';
import { TimeSlice } from '../base/timeSlice.ts';
import { isSmall, writeJson } from '../base/writeJson.ts';
import { Emitter } from '../base/event.ts';
import type { JsonValue } from '../base/json.ts';
import { CallPlaces } from './callPlaces.ts';
import type { AuditEvent, AuditRecord, IntentEvent, ResultEvent } from './events.ts';
import { explainFailure } from './explainFailure.ts';
import { Journal, type JournalOptions } from './journal.ts';
import { KeyedDigest } from './redaction/keyedDigest.ts';
import { knownSecrets } from './redaction/knownSecrets.ts';
import type { WeighedText } from './redaction/placeholder.ts';
import type { CallPlace } from './record.ts';
import { Redactor, type StorageMode } from './redaction/redactor.ts';
import { type StoredEvent, storeEvent } from './storeEvent.ts';
import { TimeTexts } from './timeTexts.ts';
import { type WaitingRecord, WaitingRecords } from './waitingRecords.ts';

export interface AuditSettings {
  readonly folder: string;
  readonly storage: StorageMode;
  /** `group`: within a second, at once only when a person decided. `every`: each intent waits for the disk. */
  readonly sync: 'group' | 'every';
  /** What happens to calls while nothing can be recorded. */
  readonly whenFailing: 'stop' | 'goOn';
  /** Size beyond which a file is left for a new one, in bytes. */
  readonly maximumFileBytes?: number;
  /** False if the key is lost with the session: its seals would look forged later. Default true. */
  readonly seal?: boolean;
}

/** Whether recording works. `since`: ISO 8601. `message` names the cause and the way out. */
export type AuditState =
  | { readonly kind: 'recording' }
  | { readonly kind: 'failing'; readonly since: string; readonly message: string; readonly goingOn: boolean };

/** What the road needs of the record. */
export interface AuditPort {
  /** Notes what happened; written in this turn of the event loop. Never throws. */
  record(event: AuditEvent): void;
  /** As `record`, with pauses before a large result is written. Never rejects. */
  recordResult(event: ResultEvent): Promise<void>;
  /**
   * Resolves when the intent may be acted upon: it is with the operating system, and on the disk if a person decided.
   * Rejects with HostError `auditFailed` otherwise: then the call must not go out.
   */
  intent(event: IntentEvent, options: { readonly personDecided: boolean }): Promise<void>;
}

/** One write to come, and those who wait for it. */
interface Flush {
  /** `laterInTurn`: in the turn's last phase. */
  due: 'laterInTurn' | 'soon' | undefined;
  readonly done: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: HostError) => void;
}

const retryMs = 5_000;
/** Records from which on a write does not wait for more of the same turn: servers shall not idle meanwhile. */
const fullBatch = 16;

/**
 * The record of one session. Takes events, hides secrets, writes them in one go per turn of the event loop, and
 * says no to calls that it could not record.
 */
export class AuditLog implements AuditPort, Disposable {
  #settings: AuditSettings;
  readonly #clock: Clock;
  #redactor: Redactor;
  readonly #journal: Journal;
  readonly #places = new CallPlaces();
  readonly #times = new TimeTexts();
  readonly #recorded = new Emitter<AuditRecord>();
  readonly #stateChanged = new Emitter<AuditState>();
  readonly #waiting = new WaitingRecords();
  #flush: Flush | undefined;
  #retry: Disposable | undefined;
  #state: AuditState = { kind: 'recording' };
  #closed = false;
  #clockOffset: number;

  /** Every event after it was written, or after writing it failed (`seq` is `undefined`). Redacted. */
  readonly onRecorded = this.#recorded.event;
  readonly onStateChanged = this.#stateChanged.event;

  /** `key`: 32 random bytes for the digests, kept where the user's secrets are, the same for all sessions. */
  constructor(settings: AuditSettings, key: Uint8Array, clock: Clock) {
    this.#settings = settings;
    this.#clock = clock;
    this.#redactor = new Redactor(new KeyedDigest(key), settings.storage);
    this.#clockOffset = clock.now() - clock.monotonic();
    this.#journal = new Journal(this.#journalOptions());
    // Calls without a record are a choice that has to be on record itself.
    if (settings.whenFailing === 'goOn') {
      this.#enqueue({ kind: 'recordingChanged', setting: 'whenFailing', value: 'goOn' }, false);
    }
  }

  /** Takes changed settings over from the next event on, and puts the change on record. */
  change(settings: AuditSettings): void {
    const before = new Map<string, unknown>(Object.entries(this.#settings));
    const changed = Object.entries(settings).filter(([name, value]) => before.get(name) !== value);
    if (changed.length === 0) return;
    // What waits belongs to the old settings.
    this.#run();
    this.#settings = settings;
    if (settings.storage !== this.#redactor.storage) {
      const { digest, known } = this.#redactor;
      this.#redactor = new Redactor(digest, settings.storage);
      this.#redactor.known = known;
    }
    this.#journal.change(this.#journalOptions());
    for (const [setting, value] of changed) {
      this.record({ kind: 'recordingChanged', setting, value: String(value) });
    }
  }

  #journalOptions(): JournalOptions {
    const { folder, storage, maximumFileBytes, seal } = this.#settings;
    return {
      folder,
      clock: this.#clock,
      storage,
      ...(maximumFileBytes === undefined ? {} : { maximumBytes: maximumFileBytes }),
      sign: seal === false ? undefined : (text) => this.#redactor.digest.full(text),
      onNoted: (seq, time, event) => this.#recorded.fire({ seq, time, event }),
      onSyncFailed: (error) => this.#fail(error),
    };
  }

  get state(): AuditState {
    return this.#state;
  }
  get folder(): string {
    return this.#settings.folder;
  }
  /** The file being written, if one is open. */
  get path(): string | undefined {
    return this.#journal.path;
  }
  /** Number and hash of the last record. */
  get end(): { readonly seq: number; readonly hash: string } {
    return this.#journal.end;
  }
  get sessionId(): string {
    return this.#journal.sessionId;
  }

  /** The secrets that the user has configured: environment values, headers, tokens, inputs. */
  setKnownSecrets(values: Iterable<string>): void {
    this.#redactor.known = knownSecrets(values);
  }

  /** Whether stored arguments are the very ones that were sent: nothing hidden, nothing cut. */
  areExact(args: JsonValue, storedDigest: string): boolean {
    try {
      return this.#redactor.digest.full(digest(args)) === storedDigest;
    } catch {
      return false;
    }
  }

  record(event: AuditEvent): void {
    // The record of the session's end is its last one.
    if (this.#closed) return;
    this.#enqueue(event, false, this.#noteClock());
    this.#scheduled();
  }

  async recordResult(event: ResultEvent): Promise<void> {
    if (isSmall(event.result)) return this.record(event);
    const weighed = await this.#weigh(event.result);
    if (this.#closed) return;
    this.#enqueue(event, false, this.#noteClock(), weighed);
    this.#scheduled();
  }

  async #weigh(result: unknown): Promise<WeighedText> {
    const slice = new TimeSlice();
    const { pieces } = await writeJson(result, {}, slice);
    const digest = this.#redactor.digest.ofPieces();
    let bytes = 0;
    for (const piece of pieces) {
      bytes += Buffer.byteLength(piece);
      digest.add(piece);
      if (slice.isUsedUp) await slice.pause();
    }
    return { bytes, digest: digest.full() };
  }

  async intent(event: IntentEvent, options: { readonly personDecided: boolean }): Promise<void> {
    if (this.#closed)
      throw new HostError('auditFailed', 'The session is closed: nothing is recorded any more.');
    this.#enqueue(event, true, this.#noteClock());
    await this.#scheduled().done;
    if (!options.personDecided && this.#settings.sync === 'group') return;
    try {
      await this.#journal.sync();
    } catch (error) {
      this.#fail(error);
      if (this.#settings.whenFailing === 'stop') throw this.#refusal(error);
    }
  }

  /** Resolves when everything noted so far is on the disk. Rejects with HostError `auditFailed`. */
  async sync(): Promise<void> {
    try {
      await this.#scheduled().done;
      await this.#journal.sync();
    } catch (error) {
      throw error instanceof HostError ? error : this.#refusal(error);
    }
  }

  /** Tries to write again, creating the folder if it is gone. For a person who says that the cause is removed. */
  async retry(): Promise<AuditState> {
    try {
      this.#journal.createFolder();
      await this.sync();
    } catch (error) {
      this.#fail(error);
    }
    return this.#state;
  }

  /** Writes what waits and the end of the session. `end` then names the session's last record. */
  async close(reason: string): Promise<void> {
    if (this.#closed) return;
    // A window in which nothing happened leaves no file.
    const isUnused = this.#journal.path === undefined && this.#waiting.size === 0;
    if (!isUnused) this.record({ kind: 'sessionClosed', reason });
    this.#closed = true;
    // Nobody is left to be told about a failure here; the state says it.
    await this.sync().catch(() => undefined);
    await this.#journal.close().catch(() => undefined);
    this.dispose();
  }

  dispose(): void {
    this.#retry?.dispose();
    this.#recorded.dispose();
    this.#stateChanged.dispose();
  }

  #enqueue(
    event: AuditEvent,
    intent: boolean,
    now = this.#clock.now(),
    weighed?: WeighedText,
  ): WaitingRecord {
    const stored = storeEvent(event, this.#redactor, weighed);
    const record = this.#waitingRecord(stored, intent, this.#places.next(event), now);
    this.#waiting.add(record);
    // While nothing can be written, memory must not grow for ever.
    if (this.#state.kind === 'failing') this.#waiting.bound();
    return record;
  }

  #waitingRecord(
    { event, json }: StoredEvent,
    intent: boolean,
    place: CallPlace | undefined,
    now = this.#clock.now(),
  ): WaitingRecord {
    return {
      json,
      time: this.#times.text(now),
      place,
      event,
      intent,
      announced: false,
      unrecorded: false,
    };
  }

  /**
   * Events of one turn of the event loop go out in one write. Of several calls at once each answer is a piece of the
   * turn by itself, so the write waits for the turn's last phase; a lone call has nobody to wait for.
   */
  #scheduled(): Flush {
    const flush = (this.#flush ??= newFlush());
    if (flush.due === 'soon') return flush;
    const run = (): void => {
      if (this.#flush === flush) this.#run();
    };
    if (this.#places.open <= 1 || this.#waiting.size >= fullBatch) {
      flush.due = 'soon';
      process.nextTick(run);
    } else if (flush.due === undefined) {
      flush.due = 'laterInTurn';
      setImmediate(run);
    }
    return flush;
  }

  #run(): void {
    const flush = this.#flush;
    this.#flush = undefined;
    // Taken out first: whoever is told of a record may note another one.
    const batch = this.#waiting.take();
    try {
      this.#write(batch);
      flush?.resolve();
    } catch (error) {
      this.#afterFailure(batch, error, flush);
    }
  }

  #write(batch: readonly WaitingRecord[]): void {
    const resumed = this.#resumed();
    const all = resumed === undefined ? batch : [...batch, resumed];
    if (all.length === 0) return;
    const first = this.#journal.write(all);
    if (resumed !== undefined) {
      this.#waiting.forgetLosses();
      this.#setState({ kind: 'recording' });
    }
    this.#announce(all, first);
  }

  #resumed(): WaitingRecord | undefined {
    if (this.#state.kind === 'recording') return undefined;
    const event: AuditEvent = {
      kind: 'recordingResumed',
      failedSince: this.#state.since,
      ...this.#waiting.losses,
    };
    return this.#waitingRecord({ event, json: JSON.stringify(event) }, false, undefined);
  }

  #afterFailure(batch: readonly WaitingRecord[], error: unknown, flush: Flush | undefined): void {
    this.#announce(batch, undefined);
    const goOn = this.#settings.whenFailing === 'goOn';
    this.#waiting.putBack(batch, goOn);
    this.#fail(error);
    this.#waiting.noteKept();
    if (goOn) flush?.resolve();
    else flush?.reject(this.#refusal(error));
  }

  #fail(error: unknown): void {
    const goingOn = this.#settings.whenFailing === 'goOn';
    const failure = explainFailure(error, this.#settings.folder);
    if (this.#state.kind === 'failing' && this.#state.message === failure.message) return;
    const since =
      this.#state.kind === 'failing' ? this.#state.since : new Date(this.#clock.now()).toISOString();
    this.#setState({ kind: 'failing', since, message: failure.message, goingOn });
    const { code, message } = failure;
    this.#announce([this.#enqueue({ kind: 'recordingFailed', code, message, goingOn }, false)], undefined);
    this.#retryLater();
  }

  /** So that recording comes back by itself, also when no call is made meanwhile. */
  #retryLater(): void {
    this.#retry ??= this.#clock.after(retryMs, () => {
      this.#retry = undefined;
      if (this.#state.kind === 'recording') return;
      this.#scheduled();
      this.#retryLater();
    });
  }

  #refusal(cause: unknown): HostError {
    const { message, code } = explainFailure(cause, this.#settings.folder);
    return new HostError('auditFailed', message, { cause, details: { code, folder: this.#settings.folder } });
  }

  #announce(batch: readonly WaitingRecord[], first: number | undefined): void {
    if (!this.#recorded.hasListeners) return;
    for (const [index, waiting] of batch.entries()) {
      if (waiting.announced) continue;
      waiting.announced = true;
      const seq = first === undefined ? undefined : first + index;
      this.#recorded.fire({ seq, time: waiting.time, event: waiting.event });
    }
  }

  #setState(state: AuditState): void {
    this.#state = state;
    this.#stateChanged.fire(state);
  }

  /**
   * Returns the time, in milliseconds since 1970. A wall clock that was set back makes times in the record run
   * backwards: say so where it happens.
   */
  #noteClock(): number {
    const now = this.#clock.now();
    const offset = now - this.#clock.monotonic();
    const byMs = Math.round(offset - this.#clockOffset);
    if (byMs < -1_000) this.#enqueue({ kind: 'clockChanged', byMs }, false, now);
    // Forward jumps are what a sleeping computer looks like.
    if (byMs < -1_000 || byMs > 1_000) this.#clockOffset = offset;
    return now;
  }
}

function newFlush(): Flush {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  promise.catch(() => undefined);
  return { due: undefined, done: promise, resolve, reject };
}
