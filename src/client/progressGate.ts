import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import { isJsonObject, type JsonObject } from '../base/json.ts';
import type { Progress } from '../protocol/model.ts';

/** Shortest time between two reports to the listener. Milliseconds. */
const spacing = 100;

/**
 * Lets progress through that grows, and not more often than a person can see. The last report is never
 * held back for good: it comes when the spacing is over.
 */
export class ProgressGate implements Disposable {
  readonly #clock: Clock;
  readonly #listener: ((progress: Progress) => void) | undefined;
  #highest = -Infinity;
  #held: Progress | undefined;
  #timer: Disposable | undefined;

  constructor(clock: Clock, listener: ((progress: Progress) => void) | undefined) {
    this.#clock = clock;
    this.#listener = listener;
  }

  /** True when the report counts as life: it grew. Anything else is dropped (specification: progress). */
  accept(progress: Progress): boolean {
    if (!(progress.progress > this.#highest)) return false;
    this.#highest = progress.progress;
    if (this.#listener === undefined) return true;
    this.#held = progress;
    if (this.#timer === undefined) this.#release();
    return true;
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#held = undefined;
  }

  #release(): void {
    this.#timer = undefined;
    const held = this.#held;
    if (held === undefined) return;
    this.#held = undefined;
    this.#timer = this.#clock.after(spacing, () => this.#release());
    this.#listener?.(held);
  }
}

/** Characters of the message with a report; it is one line on a card. */
const longestMessage = 1_000;

/** JSON can spell numbers that are too large to be any: nothing would ever grow beyond them. */
function isFiniteNumber(value: unknown): value is number {
  return Number.isFinite(value);
}

/** Reads the body of a progress notification; `undefined` when it is none. */
export function readProgress(params: JsonObject | undefined): Progress | undefined {
  if (!isJsonObject(params)) return undefined;
  const { progress, total, message } = params;
  if (!isFiniteNumber(progress)) return undefined;
  return {
    progress,
    ...(isFiniteNumber(total) ? { total } : undefined),
    ...(typeof message === 'string' ? { message: message.slice(0, longestMessage) } : undefined),
  };
}
