import { type ButtonElement, button, setDisabled } from '../common/controls.ts';
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
  /** Ctrl+Enter (Cmd+Enter on a Mac) presses it from anywhere on the card that takes no text. */
  readonly isShortcut?: boolean;
  /** False while the answer would not be complete. */
  readonly ready?: () => boolean;
  readonly run: () => void;
}

/** What has to have been in view before something can be allowed, and what the bar says until then. */
export interface MustSee {
  readonly element: HTMLElement;
  readonly label: string;
}

const below = 'More below ↓';

/** The buttons under a card: those that permit on the left, those that refuse on the right. */
export class ActionBar {
  readonly element = make('div', { class: 'actions', attributes: { role: 'group', 'aria-label': 'Answer' } });
  readonly #panel = make('div', { class: 'action-panel', attributes: { hidden: '' } });
  readonly #buttons = make('div', { class: 'buttons' });
  readonly #status = make('p', { class: 'status', attributes: { role: 'status' } });
  #controls: { readonly action: Action; readonly control: ButtonElement }[] = [];
  #armed = false;
  #busy = false;

  readonly #moreBelow = make('button', { class: 'more-below', text: below, attributes: { type: 'button' } });
  #unseen: MustSee | undefined;
  #seeing: IntersectionObserver | undefined;
  readonly #atEnd = new IntersectionObserver(
    (entries) => {
      this.#moreBelow.hidden = entries.at(-1)?.isIntersecting !== false;
    },
    // What stands behind the bar itself is not in view.
    { rootMargin: '0px 0px -48px 0px' },
  );

  /** `end`: stands where the card would end without the bar; while it is out of view, the bar says so. */
  constructor(end: HTMLElement, mustSee?: MustSee) {
    this.#moreBelow.hidden = true;
    this.#moreBelow.addEventListener('click', () => (this.#unseen?.element ?? end).scrollIntoView());
    if (mustSee !== undefined) this.#watch(mustSee);
    this.element.append(this.#moreBelow, this.#panel, this.#buttons, this.#status);
    this.#atEnd.observe(end);
  }

  dispose(): void {
    this.#atEnd.disconnect();
    this.#seeing?.disconnect();
  }

  /** A card can be taller than its view: what is decided about must not be allowed unseen. */
  #watch(mustSee: MustSee): void {
    this.#unseen = mustSee;
    this.#moreBelow.textContent = mustSee.label;
    const seeing = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        seeing.disconnect();
        this.#unseen = undefined;
        this.#moreBelow.textContent = below;
        this.update();
      },
      // The bar itself covers the end of the view, and one line at least has to be in sight.
      { rootMargin: '0px 0px -88px 0px' },
    );
    seeing.observe(mustSee.element);
    this.#seeing = seeing;
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

  /** A line that stands under the buttons from the start, so that it never moves them. */
  note(text: string): void {
    this.element.append(make('p', { class: 'bar-note muted', text }));
  }

  say(text: string): void {
    this.#status.textContent = text;
  }

  /** Presses the button with the shortcut, if it works right now. */
  pressShortcut(): void {
    const action = this.#controls.find(({ action }) => action.isShortcut === true)?.action;
    // Pressed too early, it leads there.
    if (this.#unseen !== undefined) return this.#unseen.element.scrollIntoView();
    if (action !== undefined && this.#works(action)) action.run();
  }

  /** Takes the keyboard, but puts it on no button. */
  focus(): void {
    this.element.tabIndex = -1;
    this.element.focus({ preventScroll: true });
  }

  /** Looks again which buttons work. */
  update(): void {
    for (const { action, control } of this.#controls) {
      const works = this.#works(action);
      // A button that is switched off lets the keyboard go; it stays with the bar, but on no button.
      if (!works && control === document.activeElement) this.focus();
      setDisabled(control, !works);
    }
  }

  #works({ permits, ready }: Action): boolean {
    return !this.#busy && (!permits || (this.#armed && this.#unseen === undefined)) && ready?.() !== false;
  }

  #group(actions: readonly Action[]): HTMLElement {
    const controls = actions.map((action) => {
      const control = button({
        label: action.label,
        appearance: action.appearance ?? 'secondary',
        ...(action.icon === undefined ? {} : { icon: icon(action.icon) }),
        ...titleOf(action),
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

function titleOf({ title, isShortcut, label }: Action): { readonly title?: string } {
  if (isShortcut === true) return { title: `${label} (${isMac ? '⌘' : 'Ctrl+'}Enter)` };
  return title === undefined ? {} : { title };
}

const isMac = navigator.userAgent.includes('Mac OS');
