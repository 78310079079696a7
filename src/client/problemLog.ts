import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import type { HostError } from '../base/errors.ts';

/** Problems within one window that are written out; the rest is only counted. */
const written = 20;
/** Milliseconds. */
const window = 10_000;

/** Writes down what was dropped or ignored, without letting a server fill the log. */
export class ProblemLog implements Disposable {
  readonly #clock: Clock;
  readonly #write: (text: string) => void;
  #count = 0;
  #timer: Disposable | undefined;

  constructor(clock: Clock, write: (text: string) => void) {
    this.#clock = clock;
    this.#write = write;
  }

  add(error: HostError): void {
    this.#timer ??= this.#clock.after(window, () => this.#endWindow());
    this.#count++;
    if (this.#count > written) return;
    const start = error.details['start'];
    this.#write(
      typeof start === 'string' ? `${error.message} It began: ${JSON.stringify(start)}` : error.message,
    );
    if (this.#count === written) this.#write('More of this kind is only counted for a while.');
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#endWindow();
  }

  #endWindow(): void {
    this.#timer = undefined;
    const more = this.#count - written;
    this.#count = 0;
    if (more > 0) this.#write(`${more} more problems of this kind were not written down.`);
  }
}
