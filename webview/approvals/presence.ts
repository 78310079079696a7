/** Milliseconds without a movement or a key after which a person counts as not being at the page. */
const restMs = 4_000;

/** Whether a person is at this page right now, as far as a page can tell. */
export class Presence {
  readonly #card: HTMLElement;
  #last = Number.NEGATIVE_INFINITY;
  #timer = 0;
  #onRest: (() => void) | undefined;

  /** `card`: where the keyboard means that somebody is reading. */
  constructor(card: HTMLElement) {
    this.#card = card;
    for (const kind of ['pointermove', 'pointerdown', 'wheel', 'keydown']) {
      window.addEventListener(kind, () => this.#act(), { capture: true, passive: true });
    }
    // A pointer that has left the page is at something else.
    document.documentElement.addEventListener('pointerleave', () => this.#leave());
  }

  /** Something moved lately. */
  get isActive(): boolean {
    return performance.now() - this.#last < restMs;
  }

  /** Something moved lately, or the keyboard is on the card. */
  get isEngaged(): boolean {
    return this.isActive || (document.hasFocus() && this.#card.contains(document.activeElement));
  }

  /** Runs once, when nothing has moved for a while; a later call takes the place of an earlier one. */
  whenAtRest(run: () => void): void {
    this.#onRest = run;
    this.#wait();
  }

  #act(): void {
    this.#last = performance.now();
    if (this.#onRest !== undefined) this.#wait();
  }

  #leave(): void {
    this.#last = Number.NEGATIVE_INFINITY;
    this.#rest();
  }

  #wait(): void {
    window.clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.#rest(), restMs);
  }

  #rest(): void {
    window.clearTimeout(this.#timer);
    const run = this.#onRest;
    this.#onRest = undefined;
    run?.();
  }
}
