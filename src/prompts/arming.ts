import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import { Emitter } from '../base/event.ts';

interface Sight {
  readonly digest: string;
  readonly timer: Disposable;
  armed: boolean;
}

/**
 * Remembers what one page has in view, and since when. A card is armed once this very content
 * has been in view for the whole delay; leaving the view starts over.
 */
export class Arming implements Disposable {
  readonly #clock: Clock;
  readonly #delayMs: number;
  readonly #sights = new Map<string, Sight>();
  readonly #armed = new Emitter<{ readonly id: string; readonly digest: string }>();
  #visible = true;

  constructor(clock: Clock, delayMs: number) {
    this.#clock = clock;
    this.#delayMs = delayMs;
  }

  readonly onArmed = this.#armed.event;

  /** The page says that the card's buttons are in view. Saying it again does not start over. */
  shown(id: string, digest: string): void {
    if (!this.#visible || this.#sights.get(id)?.digest === digest) return;
    this.hidden(id);
    const sight: Sight = {
      digest,
      armed: false,
      timer: this.#clock.after(this.#delayMs, () => {
        sight.armed = true;
        this.#armed.fire({ id, digest });
      }),
    };
    this.#sights.set(id, sight);
  }

  hidden(id: string): void {
    this.#sights.get(id)?.timer.dispose();
    this.#sights.delete(id);
  }

  /** What the editor says of the whole page: nothing on a hidden page is in view. */
  setVisible(visible: boolean): void {
    this.#visible = visible;
    if (!visible) this.reset();
  }

  /** The prompts that are in view. */
  get ids(): readonly string[] {
    return Array.from(this.#sights.keys());
  }

  isArmed(id: string, digest: string): boolean {
    const sight = this.#sights.get(id);
    return sight?.armed === true && sight.digest === digest;
  }

  dispose(): void {
    this.#visible = false;
    this.reset();
    this.#armed.dispose();
  }

  /** Nothing is in view any more: the page was loaded anew. */
  reset(): void {
    for (const { timer } of this.#sights.values()) timer.dispose();
    this.#sights.clear();
  }
}
