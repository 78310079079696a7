import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';

/** How long a list waits until the notices of changes are sure to reach us. Milliseconds. */
const patienceMs = 1_000;

/**
 * Knows whether notices of changed tools reach us. A list that was read while they did not may have changed unheard, so
 * it counts as changed as soon as they do. Lists wait a moment for that, so that ordinary servers are asked only once.
 */
export class Hearing implements Disposable {
  readonly #clock: Clock;
  readonly #onMissed: () => void;
  #open = false;
  /** A list was read, or is being read, of which a change may not have been heard. */
  #unheard = false;
  #waiting: { readonly ready: Promise<void>; readonly release: () => void } | undefined;

  /** `onMissed`: from now on changes are heard, but one may have been missed. */
  constructor(clock: Clock, onMissed: () => void) {
    this.#clock = clock;
    this.#onMissed = onMissed;
  }

  /** While it is not yet known whether notices will reach us: settles when a list need not wait any longer. */
  get ready(): Promise<void> | undefined {
    return this.#waiting?.ready;
  }

  /** True while a change would be heard. */
  get isOpen(): boolean {
    return this.#open;
  }

  /** We have asked for notices. */
  begin(): void {
    this.#open = false;
    this.#waiting?.release();
    const { promise, resolve } = Promise.withResolvers<void>();
    const release = (): void => {
      timer.dispose();
      this.#waiting = undefined;
      resolve();
    };
    const timer = this.#clock.after(patienceMs, release);
    this.#waiting = { ready: promise, release };
  }

  /** A list is read from now on. */
  listing(): void {
    if (!this.#open) this.#unheard = true;
  }

  /** Notices reach us. */
  opened(): void {
    this.#open = true;
    this.#waiting?.release();
    if (!this.#unheard) return;
    this.#unheard = false;
    this.#onMissed();
  }

  /** Notices do not reach us any more; they may later. */
  lost(): void {
    this.#open = false;
    this.#unheard = true;
    this.#waiting?.release();
  }

  /** The server gives no notices. */
  none(): void {
    this.#open = false;
    this.#waiting?.release();
  }

  dispose(): void {
    this.none();
  }
}
