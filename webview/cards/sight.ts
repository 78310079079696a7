import { armingMs } from '../../src/shared/promptCard.ts';
import { post } from '../common/host.ts';

/** A card that is asked about: which one, and with which content. */
export interface SightTarget {
  readonly id: string;
  readonly digest: string;
}

/**
 * Watches whether the buttons of a card are in view, tells the extension, and says when they may be used:
 * once they have stood still in view for half a second here, and the extension has counted the same.
 */
export class Sight {
  /** Without one, only the standing still counts. */
  readonly #target: SightTarget | undefined;
  readonly #onChange: (armed: boolean) => void;
  readonly #keep: boolean;
  readonly #inView: IntersectionObserver;
  readonly #size: ResizeObserver;
  #intersects = false;
  #pageVisible = true;
  #told = false;
  #agreed = false;
  #stood = false;
  #timer = 0;
  #last = false;

  /**
   * `bar`: the buttons. `body`: what stands above them; when it grows or shrinks, the buttons have moved.
   * `keep`: what was armed stays so when it is scrolled out of view.
   */
  constructor(
    target: SightTarget | undefined,
    bar: HTMLElement,
    body: HTMLElement,
    onChange: (armed: boolean) => void,
    options: { readonly keep?: boolean } = {},
  ) {
    this.#target = target;
    this.#onChange = onChange;
    this.#keep = options.keep ?? false;
    this.#inView = new IntersectionObserver(
      (entries) => {
        this.#intersects = entries.at(-1)?.isIntersecting === true;
        this.#update();
      },
      { threshold: 0.75 },
    );
    this.#inView.observe(bar);
    this.#size = new ResizeObserver(() => this.moved());
    this.#size.observe(body);
    document.addEventListener('visibilitychange', this.#update);
  }

  get armed(): boolean {
    return this.#told && this.#agreed && this.#stood;
  }

  /** The extension has had this content in view for long enough. */
  agree(digest: string): void {
    if (!this.#told || digest !== this.#target?.digest) return;
    this.#agreed = true;
    this.#announce();
  }

  /** The editor shows or hides the whole page. */
  setPageVisible(visible: boolean): void {
    this.#pageVisible = visible;
    // The extension has forgotten what was in view, whatever it was.
    if (!visible) this.#leave();
    this.#update();
  }

  /** The buttons are somewhere else now, or others have taken their place: a press on its way may miss. */
  moved(): void {
    if (this.#keep && this.armed) return;
    this.#stood = false;
    window.clearTimeout(this.#timer);
    if (this.#told) this.#timer = window.setTimeout(() => this.#settle(), armingMs);
    this.#announce();
  }

  dispose(): void {
    this.#inView.disconnect();
    this.#size.disconnect();
    document.removeEventListener('visibilitychange', this.#update);
    this.#leave();
  }

  readonly #update = (): void => {
    const present = this.#pageVisible && document.visibilityState === 'visible';
    const visible = present && (this.#intersects || (this.#keep && this.armed));
    if (visible === this.#told) return;
    if (!visible) return this.#leave();
    this.#told = true;
    if (this.#target === undefined) this.#agreed = true;
    else post({ kind: 'shown', id: this.#target.id, digest: this.#target.digest });
    this.moved();
  };

  #leave(): void {
    window.clearTimeout(this.#timer);
    if (this.#told && this.#target !== undefined) post({ kind: 'hidden', id: this.#target.id });
    this.#told = false;
    this.#agreed = false;
    this.#stood = false;
    this.#announce();
  }

  #settle(): void {
    this.#stood = true;
    this.#announce();
  }

  #announce(): void {
    if (this.armed === this.#last) return;
    this.#last = this.armed;
    this.#onChange(this.armed);
  }
}
