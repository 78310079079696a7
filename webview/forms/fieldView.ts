import type { FormField } from '../../src/shared/formModel.ts';
import { asSent } from '../common/asSent.ts';
import { describe } from '../common/controls.ts';
import { fill, foreign, make } from '../common/dom.ts';
import { counted } from '../common/format.ts';
import { icon } from '../common/icons.ts';
import { afterPress } from '../common/press.ts';
import { booleanControl, choiceControl, choicesControl } from './choiceControls.ts';
import type { FieldControl, FieldState } from './fieldControl.ts';
import { secretWarning } from './secretWarning.ts';
import { jsonControl, numberControl, textControl } from './textControls.ts';

/** One field with its label, its description, and what is wrong with it. */
export class FieldView {
  readonly element: HTMLElement;
  readonly field: FormField;
  readonly #control: FieldControl;
  readonly #asSent = asSent();
  readonly #problem = make('p', { class: 'problem', attributes: { hidden: '' } });
  // In these words it becomes part of the control's name, which does not change later.
  readonly #required = make('span', { class: 'required', text: ' (required)' });
  readonly #hint: string;
  #touched = false;
  #message = '';

  constructor(field: FormField, options: { readonly editing: boolean; readonly changed: () => void }) {
    this.field = field;
    const label = make('span', {
      class: 'field-label',
      children: [
        foreign(field.label),
        field.required && this.#required,
        field.label !== field.name &&
          make('span', { class: 'field-name muted', children: [' ', foreign(field.name)] }),
      ],
    });
    this.#control = makeControl(field, {
      label,
      editing: options.editing,
      changed: () => {
        this.#touched = true;
        // What was wrong before this stroke need not be wrong now; the next look will tell.
        this.#message = '';
        this.#required.textContent = requiredText(field, this.read());
        this.#drawAsSent();
        this.#draw();
        options.changed();
      },
    });
    this.#required.textContent = requiredText(field, this.read());
    this.#hint = hintOf(field);
    this.element = make('div', {
      class: `field field-${field.kind}`,
      children: [
        this.#control.element,
        this.#asSent.element,
        field.description !== undefined &&
          make('p', { class: 'hint muted', children: [foreign(field.description)] }),
        this.#hint !== '' && make('p', { class: 'hint muted', text: this.#hint }),
        field.secret && !options.editing && secretWarning(),
        this.#problem,
      ],
    });
    this.#drawAsSent();
    // What the server proposes is nobody's typing: if it is wrong, that is said at once.
    this.#touched = !options.editing && field.initial !== undefined;
    // A person who leaves a required field empty is told so, but not before they have been there.
    this.element.addEventListener('focusout', () => {
      this.#touched = true;
      this.#draw();
    });
  }

  read(): FieldState {
    return this.#control.read();
  }

  /** Called once the element is on the page. */
  connected(): void {
    this.#draw();
  }

  /** `''`: nothing is wrong. */
  setProblem(message: string): void {
    this.#message = message;
    this.#draw();
  }

  /** Shows what is wrong even if nobody has been at the field. */
  insist(): void {
    this.#touched = true;
    this.#draw();
  }

  focus(): void {
    this.#control.target.focus();
  }

  #drawAsSent(): void {
    if (this.field.kind !== 'text') return;
    const state = this.read();
    const text = state.kind === 'value' && typeof state.value === 'string' ? state.value : '';
    this.#asSent.show(text, this.field.secret);
  }

  #draw(): void {
    afterPress(() => this.#drawNow());
  }

  #drawNow(): void {
    const shown = this.#touched ? this.#message : '';
    this.#problem.hidden = shown === '';
    fill(
      this.#problem,
      shown !== '' && icon('warning'),
      shown !== '' && make('span', { children: [foreign(shown)] }),
    );
    const about = [this.field.description ?? '', this.#hint, shown].filter((part) => part !== '').join(' ');
    describe(this.#control.target, about, shown !== '');
  }
}

/** Buttons of which none is pressed look like a choice that was made: the label says that it was not. */
function requiredText({ kind }: FormField, { kind: state }: FieldState): string {
  return kind === 'choice' && state === 'empty' ? ' (required, not chosen yet)' : ' (required)';
}

function makeControl(field: FormField, context: Parameters<typeof textControl>[1]): FieldControl {
  switch (field.kind) {
    case 'text':
      return textControl(field, context);
    case 'number':
      return numberControl(field, context);
    case 'boolean':
      return booleanControl(field, context);
    case 'choice':
      return choiceControl(field, context);
    case 'choices':
      return choicesControl(field, context);
    case 'json':
      return jsonControl(field, context);
  }
}

/** What the schema asks of a value, in words. */
function hintOf(field: FormField): string {
  if (field.kind === 'text') {
    const { minLength, maxLength, format } = field;
    const words = format === 'email' ? 'An e-mail address.' : format === 'uri' ? 'A URL.' : '';
    const length =
      minLength !== undefined && minLength > 0 && maxLength !== undefined
        ? `${minLength} to ${counted(maxLength, 'character')}.`
        : minLength !== undefined && minLength > 1
          ? `At least ${counted(minLength, 'character')}.`
          : maxLength !== undefined
            ? `At most ${counted(maxLength, 'character')}.`
            : '';
    return [words, length].filter((part) => part !== '').join(' ');
  }
  if (field.kind !== 'number') return '';
  const { minimum, maximum, integer } = field;
  const what = integer ? 'A whole number' : 'A number';
  if (minimum !== undefined && maximum !== undefined) return `${what} from ${minimum} to ${maximum}.`;
  if (minimum !== undefined) return `${what}, at least ${minimum}.`;
  if (maximum !== undefined) return `${what}, at most ${maximum}.`;
  return integer ? `${what}.` : '';
}
