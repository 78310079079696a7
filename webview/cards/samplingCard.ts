import type { SamplingCard, SamplingPart } from '../../src/shared/inputCards.ts';
import { asSent } from '../common/asSent.ts';
import { button, dropdown, textArea } from '../common/controls.ts';
import { fill, foreign, make } from '../common/dom.ts';
import { count } from '../common/format.ts';
import { icon } from '../common/icons.ts';
import { onEscape } from '../common/keys.ts';
import { callContext, requestTitle } from './cardHead.ts';
import type { CardContext, CardMessage, CardView } from './cardView.ts';
import { noteLine } from './notes.ts';
import { partView } from './partsView.ts';
import { PromptFrame } from './promptFrame.ts';

/** A server's wish to have a model answer something: the words, the model, and what it may cost. */
export class SamplingCardView implements CardView {
  readonly element: HTMLElement;
  readonly heading: HTMLElement;
  readonly #card: SamplingCard;
  readonly #frame: PromptFrame;
  readonly #words = make('section', { class: 'conversation' });
  /** Texts that the person has changed, by `message/part`; `system` for the system prompt. */
  readonly #edits = new Map<string, string>();
  readonly #lacking = make('div', { attributes: { role: 'status' } });
  #model: SamplingCard['models'][number] | undefined;

  constructor(card: SamplingCard, context: CardContext) {
    this.#card = card;
    this.#model = card.models[card.suggested];
    this.#frame = new PromptFrame(card, context, { className: 'sampling', label: 'A server asks a model' });
    this.element = this.#frame.element;
    this.heading = requestTitle(card.serverId, 'wants to ask a model', 'chat');
    const facts = [`Up to ${count(card.maxTokens)} tokens`, ...card.wishes];
    this.#frame.body.append(
      this.heading,
      callContext(card.call),
      this.#modelView(),
      this.#lacking,
      make('ul', {
        class: 'wishes muted',
        children: facts.map((fact) => make('li', { children: [foreign(fact)] })),
      }),
    );
    if (card.notPassedOn.length > 0) {
      const message = `Not passed on: ${card.notPassedOn.join('; ')}.`;
      this.#frame.body.append(noteLine({ severity: 'info', message }));
    }
    if (card.usage !== undefined) this.#frame.body.append(make('p', { class: 'muted', text: card.usage }));
    if (card.tools.length > 0) {
      const label = `Tools that the server lends to the model: ${card.tools.join(', ')}`;
      this.#frame.body.append(
        partView(
          { kind: 'other', label, ...(card.toolText === undefined ? {} : { text: card.toolText }) },
          'Tools',
        ),
      );
    }
    this.#frame.body.append(this.#words);
    this.#showWords(false);
    this.#frame.bar.show([
      [
        {
          label: 'Ask Model',
          appearance: 'primary',
          permits: true,
          ready: () => this.#model !== undefined && this.#model.lacks === undefined,
          run: () => this.#send(),
        },
      ],
      [
        {
          label: 'Decline',
          permits: false,
          title: 'Tell the server that you say no',
          run: () => this.#frame.answer({ kind: 'decline' }),
        },
        {
          label: 'Cancel',
          permits: false,
          title: 'Close without an answer',
          run: () => this.#frame.answer({ kind: 'cancel' }),
        },
      ],
    ]);
    onEscape(this.element, () => this.#frame.answer({ kind: 'cancel' }));
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

  #modelView(): HTMLElement {
    const { models, suggested } = this.#card;
    if (models.length === 0) return make('p', { text: 'No model is available.' });
    const choice = dropdown({
      label: 'Model',
      choices: models.map(({ label, lacks }, index) => ({
        value: String(index),
        label: foreign(lacks === undefined ? label : `${label} (${lacks})`),
      })),
      value: String(suggested),
      onChange: (value) => {
        this.#model = models[Number(value)];
        this.#drawLacking();
        this.#frame.bar.update();
      },
    });
    return make('div', {
      class: 'model-choice',
      children: [make('span', { class: 'muted', text: 'Model' }), choice],
    });
  }

  /** A model that cannot take what the server sends is not asked, and why is said before anybody tries. */
  #drawLacking(): void {
    const { label, lacks } = this.#model ?? {};
    const message = `${label ?? ''} ${lacks ?? ''}: it cannot be asked this.`;
    fill(this.#lacking, lacks !== undefined && noteLine({ severity: 'caution', message }));
  }

  #showWords(editing: boolean): void {
    const { messages, systemPrompt } = this.#card;
    const edit = button({
      label: 'Edit Texts',
      appearance: 'icon',
      icon: icon('edit'),
      onClick: () => {
        this.#showWords(true);
        this.#frame.moved();
      },
    });
    const title = make('h3', { class: 'section-title', text: 'What the model is asked' });
    fill(
      this.#words,
      make('div', {
        class: 'section-bar',
        children: [title, make('span', { class: 'spring' }), !editing && edit],
      }),
      systemPrompt !== undefined &&
        this.#turn('Instructions', [this.#text('system', systemPrompt, 'Instructions', editing)]),
      ...messages.map(({ role, parts }, message) =>
        this.#turn(
          role === 'user' ? 'User' : 'Assistant',
          parts.map((part, place) => this.#part(`${message}/${place}`, part, editing)),
        ),
      ),
    );
  }

  #turn(role: string, parts: readonly HTMLElement[]): HTMLElement {
    return make('div', {
      class: 'turn',
      children: [make('p', { class: 'turn-role muted', text: role }), ...parts],
    });
  }

  #part(key: string, part: SamplingPart, editing: boolean): HTMLElement {
    return part.kind === 'text' ? this.#text(key, part.text, 'Message', editing) : partView(part, 'Message');
  }

  #text(key: string, text: string, label: string, editing: boolean): HTMLElement {
    if (!editing) return partView({ kind: 'text', text }, label);
    const sent = asSent();
    const shown = this.#edits.get(key) ?? text;
    sent.show(shown);
    const area = textArea({
      label,
      value: shown,
      rows: Math.min(12, Math.max(2, text.split('\n').length)),
      className: 'code',
      onInput: (value) => {
        if (value === text) this.#edits.delete(key);
        else this.#edits.set(key, value);
        sent.show(value);
      },
    });
    return make('div', { children: [area, sent.element] });
  }

  #send(): void {
    const systemPrompt = this.#edits.get('system');
    const edits = Array.from(this.#edits)
      .filter(([key]) => key !== 'system')
      .map(([key, text]) => {
        const [message = 0, part = 0] = key.split('/').map(Number);
        return { message, part, text };
      });
    this.#frame.answer({
      kind: 'sample',
      modelId: this.#model?.id ?? '',
      ...(systemPrompt === undefined ? {} : { systemPrompt }),
      edits,
    });
  }
}
