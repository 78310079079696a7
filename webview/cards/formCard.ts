import type { JsonObject } from '../../src/shared/json.ts';
import type { FormCard } from '../../src/shared/inputCards.ts';
import { make } from '../common/dom.ts';
import { post } from '../common/host.ts';
import { onEscape } from '../common/keys.ts';
import { CheckedInput } from '../forms/checkedInput.ts';
import { FieldsInput, JsonInput } from '../forms/formView.ts';
import { secretWarning } from '../forms/secretWarning.ts';
import type { Action } from './actionBar.ts';
import { callContext, requestTitle, serverWords } from './cardHead.ts';
import type { CardContext, CardMessage, CardView } from './cardView.ts';
import { noteLine } from './notes.ts';
import { PromptFrame } from './promptFrame.ts';

/** A form that a server asks a person to fill in. */
export class FormCardView implements CardView {
  readonly element: HTMLElement;
  readonly heading: HTMLElement;
  readonly #frame: PromptFrame;
  readonly #input: CheckedInput | undefined;
  readonly #state = make('p', { class: 'form-state muted' });

  constructor(card: FormCard, context: CardContext) {
    this.#frame = new PromptFrame(card, context, { className: 'form', label: 'A server asks for input' });
    this.element = this.#frame.element;
    this.heading = requestTitle(card.serverId, 'asks you for input', 'edit');
    this.#frame.body.append(this.heading, callContext(card.call));
    const words = serverWords(card.message);
    if (words !== undefined) this.#frame.body.append(words);
    if (card.secret === true) this.#frame.body.append(secretWarning());
    this.#input = this.#inputOf(card);
    if (this.#input !== undefined) {
      const form = make('div', {
        class: 'server-form',
        attributes: { role: 'group', 'aria-label': 'The form of the server' },
        children: [this.#input.input.element],
      });
      this.#frame.body.append(form, this.#state);
    }
    this.#showButtons(card);
    onEscape(this.element, () => this.#frame.answer({ kind: 'cancel' }));
  }

  receive(message: CardMessage): void {
    this.#frame.receive(message);
    if (message.kind === 'checked') this.#input?.checked(message.revision, message.problems);
    if (message.kind === 'refused') this.#input?.refused(message.problems);
  }

  holdsWork(): boolean {
    return true;
  }

  dispose(): void {
    this.#input?.dispose();
    this.#frame.dispose();
  }

  #inputOf({ id, form }: FormCard): CheckedInput | undefined {
    const options = {
      check: (revision: number, value: JsonObject): void => post({ kind: 'check', id, revision, value }),
      changed: () => this.#changed(),
    };
    switch (form.kind) {
      case 'confirm':
        return undefined;
      case 'impossible': {
        this.#frame.body.append(
          noteLine({ severity: 'caution', message: `This form cannot be answered. ${form.reason}` }),
        );
        return undefined;
      }
      case 'fields':
        return new CheckedInput(
          (changed) => new FieldsInput(form.fields, { editing: false, changed }),
          options,
        );
      case 'json':
        this.#frame.body.append(make('p', { class: 'muted', text: `Answer as JSON. ${form.reason}` }));
        return new CheckedInput(
          (changed) => new JsonInput(form.initial, { label: 'Answer as JSON', changed }),
          options,
        );
    }
  }

  #showButtons({ form }: FormCard): void {
    const refuse: Action[] = [
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
    ];
    if (form.kind === 'impossible') return this.#frame.bar.show([refuse]);
    const submit: Action = {
      label: form.kind === 'confirm' ? 'Confirm' : 'Submit',
      appearance: 'primary',
      permits: true,
      ready: () => this.#input === undefined || this.#input.value !== undefined,
      run: () => this.#frame.answer({ kind: 'submit', content: this.#input?.value ?? {} }),
    };
    this.#frame.bar.show([[submit], refuse]);
  }

  #changed(): void {
    this.#state.textContent = this.#input?.state ?? '';
    this.#frame.bar.update();
  }
}
