import { TimeSlice } from '../base/timeSlice.ts';
import {
  longestAtOnce,
  parseLargeMessages,
  parseMessages,
  type ParsedMessage,
} from '../protocol/parseMessages.ts';

/** Where the texts come from: asked to wait while a long one is read, so that no more pile up than are on their way. */
export interface MessageSource {
  hold(): void;
  release(): void;
}

type Job =
  | { readonly text: string; readonly deliver: (entries: readonly ParsedMessage[]) => void }
  | { readonly run: () => void };

/**
 * Turns the texts of one channel into messages, in their order: a usual one at once, a long one in pieces, and what
 * comes meanwhile after it.
 */
export class MessageQueue {
  readonly #source: MessageSource;
  readonly #jobs: Job[] = [];
  #working: Promise<void> | undefined;
  #stopped = false;

  constructor(source: MessageSource) {
    this.#source = source;
  }

  push(text: string, deliver: (entries: readonly ParsedMessage[]) => void): void {
    if (this.#stopped) return;
    if (this.#working === undefined && text.length <= longestAtOnce) return deliver(parseMessages(text));
    this.#jobs.push({ text, deliver });
    this.#begin();
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
    this.#jobs.length = 0;
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
    const slice = new TimeSlice();
    for (let job = this.#jobs.shift(); job !== undefined; job = this.#jobs.shift()) {
      await slice.pause();
      if (this.#stopped) return;
      if ('run' in job) {
        job.run();
        continue;
      }
      const { text, deliver } = job;
      const entries =
        text.length <= longestAtOnce ? parseMessages(text) : await parseLargeMessages(text, slice);
      if (this.#stopped) return;
      deliver(entries);
    }
  }
}
