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
import { ReadingPace } from './readingPace.ts';

/** Where the texts come from: asked to wait while much is read, so that no more pile up than are on their way. */
export interface MessageSource {
  hold(): void;
  release(): void;
  /** So much came that is no message that the source has to be given up. The queue has stopped. */
  flooded(error: HostError): void;
}

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
  /** How long texts may be read at once in this turn of the event loop; absent between the turns. */
  #turn: TimeSlice | undefined;
  readonly #endTurn = (): void => {
    const worked = this.#turn?.elapsedMs ?? 0;
    this.#turn = undefined;
    const now = performance.now();
    this.#pace.worked(worked, now);
    // The work begins with the rest that is due.
    if (!this.#stopped && this.#pace.rest(now) > 0) this.#begin();
  };

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
    if (this.#turn === undefined) {
      this.#turn = new TimeSlice();
      process.nextTick(this.#endTurn);
    }
    return !this.#turn.isUsedUp;
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
    while (this.#jobs.length > 0) {
      const jobs = this.#jobs;
      this.#jobs = [];
      for (const job of jobs) {
        if (slice.isUsedUp) {
          this.#pace.worked(slice.elapsedMs, performance.now());
          await this.#rest();
          await slice.pause();
        }
        if (this.#stopped) return;
        if ('run' in job) {
          job.run();
          continue;
        }
        const { text, deliver } = job;
        const entries =
          text.length <= longestAtOnce ? parseMessages(text) : await parseLargeMessages(text, slice);
        if (this.#stopped) return;
        this.#deliver(text, entries, deliver);
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
