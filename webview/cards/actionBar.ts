import { type ButtonElement, button } from '../common/controls.ts';
import { fill, make } from '../common/dom.ts';
import type { IconName } from '../common/icons.ts';
import { icon } from '../common/icons.ts';

/** One way to answer. */
export interface Action {
  readonly label: string;
  readonly appearance?: 'primary' | 'secondary' | 'icon';
  readonly icon?: IconName;
  readonly title?: string;
  /** True: it lets something happen, so it works only while the card is armed. */
  readonly permits: boolean;
  /** False while the answer would not be complete. */
  readonly ready?: () => boolean;
  readonly run: () => void;
}

/** The buttons under a card: those that permit on the left, those that refuse on the right. */
export class ActionBar {
  readonly element = make('div', { class: 'actions', attributes: { role: 'group', 'aria-label': 'Answer' } });
  readonly #panel = make('div', { class: 'action-panel', attributes: { hidden: '' } });
  readonly #buttons = make('div', { class: 'buttons' });
  readonly #status = make('p', { class: 'status', attributes: { role: 'status' } });
  #controls: { readonly action: Action; readonly control: ButtonElement }[] = [];
  #armed = false;
  #busy = false;

  constructor() {
    this.element.append(this.#panel, this.#buttons, this.#status);
  }

  /** Shows these groups of buttons; the last one stands at the far end. Above them, more to choose from. */
  show(groups: readonly (readonly Action[])[], panel?: HTMLElement): void {
    this.#controls = [];
    fill(this.#buttons, ...groups.map((group) => this.#group(group)));
    fill(this.#panel, panel);
    this.#panel.hidden = panel === undefined;
    this.update();
  }

  setArmed(armed: boolean): void {
    this.#armed = armed;
    this.update();
  }

  /** An answer is on its way: nothing can be pressed. */
  setBusy(busy: boolean): void {
    this.#busy = busy;
    this.update();
  }

  say(text: string): void {
    this.#status.textContent = text;
  }

  /** Looks again which buttons work. */
  update(): void {
    for (const { action, control } of this.#controls) control.disabled = !this.#works(action);
  }

  #works({ permits, ready }: Action): boolean {
    return !this.#busy && (!permits || this.#armed) && ready?.() !== false;
  }

  #group(actions: readonly Action[]): HTMLElement {
    const controls = actions.map((action) => {
      const control = button({
        label: action.label,
        appearance: action.appearance ?? 'secondary',
        ...(action.icon === undefined ? {} : { icon: icon(action.icon) }),
        ...(action.title === undefined ? {} : { title: action.title }),
        disabled: true,
        onClick: () => {
          // Looked at again: between the last look and the press the card may have lost its ground.
          if (this.#works(action)) action.run();
        },
      });
      this.#controls.push({ action, control });
      return control;
    });
    return make('div', { class: 'button-group', children: controls });
  }
}
