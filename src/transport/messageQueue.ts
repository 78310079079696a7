import { delay } from '../base/abort.ts';
import { systemClock } from '../base/clock.ts';
import { TimeSlice } from '../base/timeSlice.ts';
import type { HostError } from '../base/errors.ts';
import {
  longestAtOnce,
  parseLargeMessages,
  parseMessages,
  type ParsedMessage,
} from '../protocol/parseMessages.ts';
import { JunkMeter } from './junkMeter.ts';
import { loopTurn } from './loopTurn.ts';
import { ReadingPace } from './readingPace.ts';

/** Where the texts come from: asked to wait while much is read, so that no more pile up than are on their way. */
export interface MessageSource {
  hold(): void;
  release(): void;
  /** So much came that is no message that the source has to be given up. The queue has stopped. */
  flooded(error: HostError): void;
}

/** Bytes that are cut into texts at a stretch. */
const pieceBytes = 4_096;

type Job =
  | { readonly text: string; readonly deliver: (entries: readonly ParsedMessage[]) => void }
  | { readonly run: () => void };

/**
 * Turns the texts of one channel into messages, in their order: usual ones at once, a long one in pieces, and what
 * comes meanwhile after it. However many come in one piece, other work gets its turn between them.
 */
export class MessageQueue {
  readonly #source: MessageSource;
  readonly #junk = new JunkMeter();
  readonly #pace = new ReadingPace();
  #jobs: Job[] = [];
  #working: Promise<void> | undefined;
  #stopped = false;
  /** The turn of the event loop in which the channel was last looked at, and when that was. */
  #turn: TimeSlice | undefined;
  #lookedAt = 0;

  constructor(source: MessageSource) {
    this.#source = source;
  }

  push(text: string, deliver: (entries: readonly ParsedMessage[]) => void): void {
    if (this.#stopped) return;
    if (this.#working === undefined && text.length <= longestAtOnce && this.#hasTime()) {
      return this.#deliver(text, parseMessages(text), deliver);
    }
    this.#jobs.push({ text, deliver });
    this.#begin();
  }

  /** Has so many bytes cut into texts, piece by piece, because one chunk may hold very many. */
  feed(length: number, cut: (from: number, to: number) => void): void {
    let at = 0;
    while (at < length && !this.#stopped && this.#working === undefined && this.#hasTime()) {
      cut(at, at + pieceBytes);
      at += pieceBytes;
    }
    if (this.#stopped || at >= length) return;
    for (; at < length; at += pieceBytes) {
      const from = at;
      this.#jobs.push({ run: () => cut(from, from + pieceBytes) });
    }
    this.#begin();
  }

  /** Lines of the channel that were found to be no messages. */
  junk(lines: number): void {
    if (!this.#stopped && this.#junk.lines(lines)) this.#flooded();
  }

  /** Runs when everything so far has been delivered: at once, if nothing waits. */
  afterwards(run: () => void): void {
    if (this.#stopped) return;
    if (this.#working === undefined) return run();
    this.#jobs.push({ run });
  }

  /** Resolves when everything has been delivered; `undefined` if nothing waits. */
  get working(): Promise<void> | undefined {
    return this.#working;
  }

  /** Nothing is delivered any more. */
  stop(): void {
    this.#stopped = true;
    this.#jobs = [];
  }

  #hasTime(): boolean {
    const turn = loopTurn();
    const now = performance.now();
    // Between two looks in one turn lies the work on what the first one let through.
    if (turn === this.#turn) this.#pace.worked(now - this.#lookedAt, now);
    this.#turn = turn;
    this.#lookedAt = now;
    return !turn.isUsedUpAt(now) && this.#pace.rest(now) === 0;
  }

  #begin(): void {
    if (this.#working !== undefined) return;
    this.#source.hold();
    this.#working = this.#work().finally(() => {
      this.#working = undefined;
      if (!this.#stopped) this.#source.release();
    });
  }

  async #work(): Promise<void> {
    await this.#rest();
    const slice = new TimeSlice();
    // What is not read in this turn is read in another one.
    await slice.endTurn();
    while (this.#jobs.length > 0) {
      const jobs = this.#jobs;
      this.#jobs = [];
      await this.#run(jobs, slice);
    }
  }

  async #run(jobs: readonly Job[], slice: TimeSlice): Promise<void> {
    for (const job of jobs) {
      if (slice.isUsedUp) {
        this.#pace.worked(slice.elapsedMs, performance.now());
        await this.#rest();
        await slice.endTurn();
      }
      if (this.#stopped) return;
      if ('run' in job) {
        // What it brings comes before what waits already.
        const later = this.#jobs;
        this.#jobs = [];
        job.run();
        const inner = this.#jobs;
        this.#jobs = later;
        if (inner.length > 0) await this.#run(inner, slice);
        continue;
      }
      const { text, deliver } = job;
      if (text.length <= longestAtOnce) this.#deliver(text, parseMessages(text), deliver);
      else {
        const entries = await parseLargeMessages(text, slice);
        if (this.#stopped) return;
        this.#deliver(text, entries, deliver);
        // Whoever waited for it does much with it, and should have begun before the next one comes.
        await slice.endTurn();
      }
    }
  }

  async #rest(): Promise<void> {
    const ms = this.#pace.rest(performance.now());
    if (ms > 0) await delay(systemClock, ms);
  }

  #deliver(
    text: string,
    entries: readonly ParsedMessage[],
    deliver: (entries: readonly ParsedMessage[]) => void,
  ): void {
    let faults = 0;
    for (const entry of entries) if (entry.kind === 'invalid') faults++;
    deliver(entries);
    if (faults > 0 && !this.#stopped && this.#junk.text(text.length, faults)) this.#flooded();
  }

  #flooded(): void {
    this.stop();
    this.#source.flooded(this.#junk.error);
  }
}
