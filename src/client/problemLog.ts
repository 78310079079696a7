import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import type { HostError } from '../base/errors.ts';
import { RateWindow } from '../base/rateWindow.ts';

/** Problems within one window that are written out; the rest is only counted. */
const limit = 20;
const windowMs = 10_000;

/** Writes down what was dropped or ignored, without letting a server fill the log. */
export class ProblemLog implements Disposable {
  readonly #write: (text: string) => void;
  readonly #rate: RateWindow;

  constructor(clock: Clock, write: (text: string) => void) {
    this.#write = write;
    this.#rate = new RateWindow({
      clock,
      limit,
      windowMs,
      onMissed: (count) => write(`${count} more problems of this kind were not written down.`),
    });
  }

  add(error: HostError): void {
    const verdict = this.#rate.take();
    if (verdict === 'held') return;
    const start = error.details['start'];
    this.#write(
      typeof start === 'string' ? `${error.message} It began: ${JSON.stringify(start)}` : error.message,
    );
    if (verdict === 'last') this.#write('More of this kind is only counted for a while.');
  }

  dispose(): void {
    this.#rate.dispose();
  }
}
