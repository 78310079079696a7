import { type Disposable, toDisposable } from './disposable.ts';

/** Registers a listener; the returned disposable removes it. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

/**
 * Announces state to any number of listeners, in order of registration.
 * A listener that throws never stops the others: its error goes to `onError`.
 */
export class Emitter<T> implements Disposable {
  #listeners = new Set<{ readonly run: (value: T) => void }>();
  readonly #onError: (error: unknown) => void;

  constructor(onError: (error: unknown) => void = rethrowLater) {
    this.#onError = onError;
  }

  readonly event: Event<T> = (listener) => {
    // A record per registration, so that one function may be registered twice.
    const entry = { run: listener };
    this.#listeners.add(entry);
    return toDisposable(() => this.#listeners.delete(entry));
  };

  get hasListeners(): boolean {
    return this.#listeners.size > 0;
  }

  fire(value: T): void {
    // A copy, because a listener may register or remove listeners.
    for (const entry of Array.from(this.#listeners)) {
      try {
        entry.run(value);
      } catch (error) {
        this.#onError(error);
      }
    }
  }

  dispose(): void {
    this.#listeners.clear();
  }
}

function rethrowLater(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
