import type { ReviewCard } from '../../src/shared/inputCards.ts';
import { button, textArea, textField } from '../common/controls.ts';
import { fill, foreign, make } from '../common/dom.ts';
import { icon } from '../common/icons.ts';
import { callContext, requestTitle } from './cardHead.ts';
import type { CardContext, CardMessage, CardView } from './cardView.ts';
import { noteLine } from './notes.ts';
import { partsView } from './partsView.ts';
import { PromptFrame } from './promptFrame.ts';

/** Text that waits for a person before it goes on: a tool's result to the model, a model's answer to a server. */
export class ReviewCardView implements CardView {
  readonly element: HTMLElement;
  readonly heading: HTMLElement;
  readonly #card: ReviewCard;
  readonly #frame: PromptFrame;
  readonly #text = make('section', { class: 'review-text' });
  #edited: string | undefined;

  constructor(card: ReviewCard, context: CardContext) {
    this.#card = card;
    const isResult = card.subject === 'toolResult';
    this.#frame = new PromptFrame(card, context, {
      className: 'review',
      label: isResult ? 'A result to review' : 'An answer to review',
    });
    this.element = this.#frame.element;
    this.heading = requestTitle(
      card.serverId,
      isResult ? 'has sent a result' : 'gets this answer',
      isResult ? 'tool' : 'chat',
    );
    this.#frame.body.append(
      this.heading,
      make('p', {
        class: 'muted',
        children: [isResult ? 'From ' : 'Written by ', foreign(card.source, 'tool-name')],
      }),
      callContext(card.call),
      make('p', {
        class: 'muted',
        text: isResult
          ? 'The model has not seen it yet. Text in a result may try to give the model orders.'
          : 'The server has not seen it yet.',
      }),
    );
    if (card.isError) {
      this.#frame.body.append(noteLine({ severity: 'caution', message: 'The tool reports an error.' }));
    }
    this.#frame.body.append(this.#text);
    this.#showText(false);
    this.#showMain();
  }

  receive(message: CardMessage): void {
    this.#frame.receive(message);
  }

  holdsWork(): boolean {
    return true;
  }

  dispose(): void {
    this.#frame.dispose();
  }

  #showMain(): void {
    const target = this.#card.subject === 'toolResult' ? 'Model' : 'Server';
    this.#frame.bar.show([
      [
        {
          label: `Send to ${target}`,
          appearance: 'primary',
          permits: true,
          run: () =>
            this.#frame.answer({
              kind: 'release',
              ...(this.#edited === undefined ? {} : { text: this.#edited }),
            }),
        },
      ],
      [
        { label: 'Withhold', permits: false, run: () => this.#frame.answer({ kind: 'withhold' }) },
        {
          label: 'Withhold with Reason…',
          appearance: 'icon',
          icon: 'chevronDown',
          permits: false,
          run: () => this.#showWithhold(),
        },
      ],
    ]);
  }

  #showWithhold(): void {
    let reason = '';
    const field = textField({
      label: 'Reason',
      placeholder: 'Optional',
      onInput: (value) => (reason = value),
    });
    const panel = make('div', {
      class: 'panel',
      attributes: { role: 'group', 'aria-label': 'Withhold' },
      children: [field],
    });
    this.#frame.bar.show(
      [
        [
          {
            label: 'Withhold',
            permits: false,
            run: () => this.#frame.answer({ kind: 'withhold', ...(reason.trim() === '' ? {} : { reason }) }),
          },
        ],
        [{ label: 'Back', permits: false, run: () => this.#backToMain() }],
      ],
      panel,
    );
    this.#frame.moved();
    field.focus();
  }

  #backToMain(): void {
    this.#showMain();
    this.#frame.moved();
  }

  #showText(editing: boolean): void {
    const { parts, editable } = this.#card;
    const [only] = parts;
    const title = make('h3', {
      class: 'section-title',
      text: this.#card.subject === 'toolResult' ? 'Result' : 'Answer',
    });
    const bar = make('div', { class: 'section-bar', children: [title, make('span', { class: 'spring' })] });
    if (!editing || only?.kind !== 'text') {
      if (editable) {
        bar.append(
          button({
            label: 'Edit Text',
            appearance: 'icon',
            icon: icon('edit'),
            onClick: () => this.#startEditing(),
          }),
        );
      }
      return fill(this.#text, bar, partsView(parts, 'Text under review'));
    }
    const area = textArea({
      label: 'Text to send',
      value: only.text,
      rows: 8,
      className: 'code',
      onInput: (value) => (this.#edited = value === only.text ? undefined : value),
    });
    fill(this.#text, bar, area);
    area.focus();
  }

  #startEditing(): void {
    this.#showText(true);
    this.#frame.moved();
  }
}
