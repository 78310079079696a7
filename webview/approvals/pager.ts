import { type ButtonElement, button, setDisabled } from '../common/controls.ts';
import { make } from '../common/dom.ts';
import { count } from '../common/format.ts';
import { post } from '../common/host.ts';
import { icon } from '../common/icons.ts';

/** "1 of 3 waiting", a step back and forth, and the way to an editor tab. Always there, so that nothing shifts. */
export class Pager {
  readonly element: HTMLElement;
  readonly #text = make('span', { class: 'pager-text' });
  readonly #back: ButtonElement;
  readonly #forward: ButtonElement;
  #ids: readonly string[] = [];
  #index = -1;

  constructor(onPick: (id: string) => void) {
    const step = (by: number) => (): void => {
      const id = this.#ids[this.#index + by];
      if (id !== undefined) onPick(id);
    };
    this.#back = button({
      label: 'Previous',
      appearance: 'icon',
      icon: icon('chevronLeft'),
      onClick: step(-1),
    });
    this.#forward = button({
      label: 'Next',
      appearance: 'icon',
      icon: icon('chevronRight'),
      onClick: step(1),
    });
    const open = button({
      label: 'Open Approvals in Editor Tab',
      appearance: 'icon',
      icon: icon('open'),
      onClick: () => {
        const id = this.#ids[this.#index];
        post({ kind: 'openPage', ...(id === undefined ? {} : { id }) });
      },
    });
    this.element = make('div', {
      class: 'pager',
      children: [this.#text, this.#back, this.#forward, make('span', { class: 'spring' }), open],
    });
  }

  update(ids: readonly string[], current: string | undefined): void {
    this.#ids = ids;
    this.#index = current === undefined ? -1 : ids.indexOf(current);
    const total = count(ids.length);
    this.#text.textContent =
      ids.length === 0
        ? 'Nothing waiting'
        : this.#index < 0 || ids.length === 1
          ? `${total} waiting`
          : `${count(this.#index + 1)} of ${total} waiting`;
    setDisabled(this.#back, this.#index <= 0);
    setDisabled(this.#forward, this.#index >= ids.length - 1);
    const several = ids.length > 1;
    // Hidden, not removed: the row keeps its height.
    this.#back.classList.toggle('invisible', !several);
    this.#forward.classList.toggle('invisible', !several);
  }
}
