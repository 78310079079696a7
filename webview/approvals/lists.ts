import type { CallView } from '../../src/shared/callView.ts';
import type { PromptKind, PromptSummary } from '../../src/shared/promptCard.ts';
import { button } from '../common/controls.ts';
import { fill, foreign, make } from '../common/dom.ts';
import { count, duration } from '../common/format.ts';
import { type IconName, icon } from '../common/icons.ts';
import { outcomeIcons, outcomeText } from '../cards/callCard.ts';

/** Rows drawn at once; the rest is one press away. */
const batch = 100;

/** What a row of the lists stands for. */
export interface RowItem {
  readonly key: string;
  /** Changes when the row has to be drawn anew. */
  readonly version: string;
  draw(): readonly (Node | false)[];
}

/** A titled list whose rows keep their place and their focus while others come and go. */
export class RowList {
  readonly element: HTMLElement;
  readonly #title = make('h3', { class: 'list-title' });
  readonly #rows = make('ul', { class: 'rows' });
  readonly #more: HTMLElement;
  readonly #name: string;
  readonly #onPick: (key: string) => void;
  readonly #drawn = new Map<
    string,
    { readonly row: HTMLElement; readonly control: HTMLElement; version: string }
  >();
  #items: readonly RowItem[] = [];
  #current: string | undefined;
  #shown = batch;

  constructor(name: string, onPick: (key: string) => void, buttons: readonly HTMLElement[] = []) {
    this.#name = name;
    this.#onPick = onPick;
    this.#more = make('div', { class: 'more', attributes: { hidden: '' } });
    this.element = make('section', {
      class: 'list',
      attributes: { hidden: '' },
      children: [
        make('div', { class: 'list-bar', children: [this.#title, ...buttons] }),
        this.#rows,
        this.#more,
      ],
    });
  }

  update(items: readonly RowItem[], current: string | undefined): void {
    this.#items = items;
    this.#current = current;
    this.#draw();
  }

  #draw(): void {
    const items = this.#items.slice(0, this.#shown);
    this.element.hidden = items.length === 0;
    this.#title.textContent = `${this.#name} ${count(this.#items.length)}`;
    const keys = new Set(items.map(({ key }) => key));
    for (const [key, { row }] of this.#drawn) {
      if (keys.has(key)) continue;
      row.remove();
      this.#drawn.delete(key);
    }
    let before: Element | null = this.#rows.firstElementChild;
    for (const item of items) {
      const drawn = this.#rowOf(item);
      if (item.key === this.#current) drawn.control.setAttribute('aria-current', 'true');
      else drawn.control.removeAttribute('aria-current');
      // Moving a row that already stands right would take its focus away.
      if (drawn.row === before) before = before.nextElementSibling;
      else this.#rows.insertBefore(drawn.row, before);
    }
    const rest = this.#items.length - items.length;
    this.#more.hidden = rest === 0;
    if (rest > 0) this.#more.replaceChildren(this.#moreButton(rest));
  }

  #rowOf(item: RowItem): { readonly row: HTMLElement; readonly control: HTMLElement } {
    const known = this.#drawn.get(item.key);
    if (known !== undefined) {
      if (known.version !== item.version) fill(known.control, ...item.draw());
      known.version = item.version;
      return known;
    }
    const control = make('button', {
      class: 'row-button',
      attributes: { type: 'button' },
      children: item.draw(),
    });
    control.addEventListener('click', () => this.#onPick(item.key));
    const entry = { row: make('li', { children: [control] }), control, version: item.version };
    this.#drawn.set(item.key, entry);
    return entry;
  }

  #moreButton(rest: number): HTMLElement {
    return button({
      label: `Show ${count(Math.min(rest, batch))} more`,
      onClick: () => {
        this.#shown += batch;
        this.#draw();
      },
    });
  }
}

const kindIcons: Readonly<Record<PromptKind, IconName>> = {
  approval: 'tool',
  form: 'edit',
  url: 'open',
  sampling: 'chat',
  review: 'info',
  launch: 'server',
};

/** A row for a prompt that waits. */
export function promptRow(prompt: PromptSummary): RowItem {
  const caution = prompt.severity === 'caution';
  return {
    key: prompt.id,
    version: prompt.digest,
    draw: () => [
      icon(caution ? 'warning' : kindIcons[prompt.kind]),
      caution && make('span', { class: 'visually-hidden', text: 'Caution: ' }),
      make('span', {
        class: 'row-text',
        children: [
          make('span', {
            class: 'row-title',
            children: [
              foreign(prompt.title),
              make('span', { class: 'muted', children: [' ', foreign(prompt.serverId)] }),
            ],
          }),
          make('span', { class: 'row-preview muted', children: [foreign(prompt.preview)] }),
        ],
      }),
    ],
  };
}

/** A row for a call that runs or has ended. */
export function callRow(call: CallView): RowItem {
  const { state } = call;
  return {
    key: call.id,
    version: state.kind === 'running' ? `running ${progressText(call)}` : state.outcome,
    draw: () => [
      icon(state.kind === 'running' ? 'running' : outcomeIcons[state.outcome]),
      make('span', {
        class: 'row-text',
        children: [
          make('span', {
            class: 'row-title',
            children: [
              foreign(call.toolName),
              make('span', { class: 'muted', children: [' ', foreign(call.serverId)] }),
            ],
          }),
          make('span', { class: 'row-preview muted', children: [callStatus(call)] }),
        ],
      }),
    ],
  };
}

function callStatus({ state, ...call }: CallView): string {
  if (state.kind === 'running') return progressText({ state, ...call });
  const time = state.durationMs === undefined ? '' : ` · ${duration(state.durationMs)}`;
  return `${outcomeText[state.outcome]}${time}`;
}

function progressText({ state }: CallView): string {
  if (state.kind !== 'running') return '';
  const { progress } = state;
  if (progress === undefined) return 'Running';
  return progress.total === undefined
    ? `Running · ${count(progress.progress)}`
    : `Running · ${count(progress.progress)} of ${count(progress.total)}`;
}
