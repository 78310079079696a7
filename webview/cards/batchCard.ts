import type { ApprovalCard } from '../../src/shared/approvalCard.ts';
import { type CheckboxElement, button, checkbox, setDisabled } from '../common/controls.ts';
import { make } from '../common/dom.ts';
import { counted } from '../common/format.ts';
import { post } from '../common/host.ts';
import { icon } from '../common/icons.ts';
import { ActionBar } from './actionBar.ts';
import { argumentTable } from './argumentsView.ts';
import { callTitle, callerLine } from './cardHead.ts';
import type { CardMessage, CardView } from './cardView.ts';
import { changeView } from './difference.ts';
import { noteLine, sortNotes } from './notes.ts';
import { refusalText } from './refusalText.ts';
import { Sight } from './sight.ts';

interface Item {
  readonly card: ApprovalCard;
  readonly element: HTMLElement;
  readonly box: CheckboxElement;
  readonly sight: Sight;
  /** Its arguments have been in view for long enough. */
  seen: boolean;
  selected: boolean;
}

/** All waiting calls of one tool, each with its arguments in full; those that were read can be answered together. */
export class BatchCardView implements CardView {
  readonly element: HTMLElement;
  readonly heading: HTMLElement;
  readonly #end = make('div', { class: 'card-end' });
  readonly bar = new ActionBar(this.#end);
  readonly #items = new Map<string, Item>();
  readonly #list = make('ol', { class: 'batch' });
  readonly #count = make('p', { class: 'muted' });
  readonly #onClose: () => void;
  readonly #own: Sight;

  constructor(cards: readonly ApprovalCard[], options: { readonly onClose: () => void }) {
    this.#onClose = options.onClose;
    const [first] = cards;
    this.heading = callTitle(first?.serverId ?? '', first?.tool.name ?? '');
    const body = make('div', {
      class: 'card-body',
      children: [
        this.heading,
        first?.change && changeView(first.change),
        make('div', {
          class: 'section-bar',
          children: [
            button({ label: 'Select All Read', className: 'small', onClick: () => this.#selectAll() }),
            make('span', { class: 'spring' }),
            button({
              label: 'Close',
              appearance: 'icon',
              icon: icon('close'),
              onClick: () => this.#onClose(),
            }),
          ],
        }),
        this.#count,
        this.#list,
      ],
    });
    this.element = make('article', {
      class: 'card batch-card',
      attributes: { 'aria-label': 'Calls of one tool that wait for your answer' },
      children: [body, this.#end, this.bar.element],
    });
    for (const card of cards) this.#add(card);
    // The bar stands for no prompt of its own: this sight only knows whether the buttons have come to rest.
    this.#own = new Sight(undefined, this.bar.element, body, (stood) => this.bar.setArmed(stood));
    this.#showButtons();
    this.#draw();
  }

  /** Cards that have joined or left since. */
  setCards(cards: readonly ApprovalCard[]): void {
    const ids = new Set(cards.map(({ id }) => id));
    for (const [id, item] of this.#items) {
      if (ids.has(id)) continue;
      item.sight.dispose();
      item.element.remove();
      this.#items.delete(id);
    }
    for (const card of cards) if (!this.#items.has(card.id)) this.#add(card);
    // What was sent has been answered, or the refusal has come.
    this.bar.setBusy(false);
    this.#draw();
  }

  receive(message: CardMessage): void {
    switch (message.kind) {
      case 'armed':
        return this.#items.get(message.id)?.sight.agree(message.digest);
      case 'visibility':
        this.#own.setPageVisible(message.visible);
        for (const { sight } of this.#items.values()) sight.setPageVisible(message.visible);
        return;
      case 'refused':
        this.bar.setBusy(false);
        return this.bar.say(refusalText(message.reason));
      case 'checked':
      case 'opened':
        return;
    }
  }

  dispose(): void {
    this.#own.dispose();
    this.bar.dispose();
    for (const { sight } of this.#items.values()) sight.dispose();
  }

  #add(card: ApprovalCard): void {
    const notes = sortNotes(card.notes);
    const box = checkbox({
      label: make('span', { class: 'batch-label', text: `Call ${this.#items.size + 1}` }),
      disabled: true,
      onChange: (selected) => {
        item.selected = selected;
        this.#draw();
      },
    });
    const head = make('div', {
      class: 'batch-head',
      children: [box, make('span', { class: 'batch-unread muted', text: 'not read yet' })],
    });
    const element = make('li', {
      class: 'batch-item',
      children: [
        head,
        callerLine(card.caller),
        ...notes.general.map((note) => noteLine(note)),
        argumentTable(card.arguments, {
          notes: card.notes,
          open: (path) => post({ kind: 'openText', id: card.id, path }),
        }),
      ],
    });
    // What counts as read is the end: the head alone says nothing of the arguments under it.
    const end = make('div', { class: 'batch-end' });
    element.append(end);
    const item: Item = {
      card,
      element,
      box,
      seen: false,
      selected: false,
      sight: new Sight(
        { id: card.id, digest: card.digest },
        end,
        element,
        (armed) => this.#see(item, armed),
        // What was read stays read while this list is open: its items cannot all be in view at once.
        { keep: true },
      ),
    };
    this.#items.set(card.id, item);
    this.#list.append(element);
  }

  #see(item: Item, armed: boolean): void {
    item.seen = armed;
    setDisabled(item.box, !armed);
    item.element.classList.toggle('read', armed);
    if (!armed) {
      item.selected = false;
      item.box.checked = false;
    }
    this.#draw();
  }

  #selectAll(): void {
    for (const item of this.#items.values()) {
      item.selected = item.seen;
      item.box.checked = item.seen;
    }
    this.#draw();
  }

  #draw(): void {
    const selected = this.#selected().length;
    this.#count.textContent = `${counted(this.#items.size, 'call')} waiting, ${selected} selected`;
    this.bar.update();
  }

  #selected(): readonly Item[] {
    return Array.from(this.#items.values()).filter((item) => item.selected);
  }

  #send(kind: 'allow' | 'deny'): void {
    this.bar.setBusy(true);
    this.bar.say('');
    const prompts = this.#selected().map(({ card: { id, digest } }) => ({ id, digest }));
    post({ kind: 'answerMany', prompts, answer: { kind } });
  }

  #showButtons(): void {
    const ready = (): boolean => this.#selected().length > 0;
    this.bar.show([
      [
        {
          label: 'Allow Selected Once',
          appearance: 'primary',
          permits: true,
          ready,
          run: () => this.#send('allow'),
        },
      ],
      [{ label: 'Deny Selected', permits: false, ready, run: () => this.#send('deny') }],
    ]);
  }
}
