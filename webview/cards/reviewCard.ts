import type { ReviewCard } from '../../src/shared/inputCards.ts';
import { asSent } from '../common/asSent.ts';
import { button, textArea, textField } from '../common/controls.ts';
import { fill, foreign, make } from '../common/dom.ts';
import { icon } from '../common/icons.ts';
import { callContext, requestTitle } from './cardHead.ts';
import { segmented } from '../common/segmented.ts';
import { ResultPanel } from '../results/resultPanel.ts';
import type { CardContext, CardMessage, CardView, ResultMessage } from './cardView.ts';
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
  #panel: ResultPanel | undefined;

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
    // The result says so itself.
    if (card.isError && card.result === undefined) {
      this.#frame.body.append(noteLine({ severity: 'caution', message: 'The tool reports an error.' }));
    }
    this.#frame.body.append(this.#text);
    this.#showText(false);
    this.#showMain();
  }

  receive(message: CardMessage): void {
    this.#frame.receive(message);
  }

  receiveResult(message: ResultMessage): void {
    if (message.kind === 'link' && message.id === this.#card.call?.callId) {
      this.#panel?.setLink(message.part, message.state);
    }
  }

  holdsWork(): boolean {
    return true;
  }

  dispose(): void {
    this.#panel?.dispose();
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
      return fill(this.#text, bar, this.#underReview(bar));
    }
    const sent = asSent();
    sent.show(only.text);
    const area = textArea({
      label: 'Text to send',
      value: only.text,
      rows: 8,
      className: 'code',
      onInput: (value) => {
        this.#edited = value === only.text ? undefined : value;
        sent.show(value);
      },
    });
    fill(this.#text, bar, area, sent.element);
    area.focus();
  }

  /** The whole result for the person, or exactly what the model would get. */
  #underReview(bar: HTMLElement): HTMLElement {
    const { parts, result, call } = this.#card;
    const forModel = partsView(parts, 'Text under review');
    if (result === undefined || call === undefined) return forModel;
    this.#panel = new ResultPanel(call.callId, result);
    const views = { result: this.#panel.element, model: forModel };
    const body = make('div', { class: 'review-body', children: [views.result] });
    bar.append(
      segmented({
        label: 'Show the result as',
        choices: [
          { value: 'result', label: 'Result' },
          { value: 'model', label: 'As the Model Gets It' },
        ],
        value: 'result',
        onChange: (view) => {
          body.replaceChildren(views[view]);
          this.#frame.moved();
        },
      }),
    );
    return body;
  }

  #startEditing(): void {
    this.#showText(true);
    this.#frame.moved();
  }
}
