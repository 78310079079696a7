import { type JsonObject, type JsonValue, isJsonObject } from '../../src/shared/json.ts';
import type { FormField } from '../../src/shared/formModel.ts';
import type { InputProblem } from '../../src/shared/hostMessage.ts';
import { pointer } from '../../src/shared/mask.ts';
import { visibleJson } from '../../src/shared/visibleText.ts';
import { describe, textArea } from '../common/controls.ts';
import { fill, foreign, make } from '../common/dom.ts';
import { icon } from '../common/icons.ts';
import type { FieldState } from './fieldControl.ts';
import { FieldView } from './fieldView.ts';
import { jsonIn } from './textControls.ts';

/** What a form holds: an answer to be checked, or what keeps it from being one. */
export type FormContent =
  | { readonly kind: 'value'; readonly value: JsonObject }
  /** `partial`: what there is so far, if anything can be said of it. */
  | {
      readonly kind: 'incomplete';
      readonly missing: number;
      readonly wrong: number;
      readonly partial?: JsonObject;
    };

/** A way to type an object: by fields, or as JSON. */
export interface ObjectInput {
  readonly element: HTMLElement;
  read(): FormContent;
  /** Shows what the extension finds wrong with the value; returns how much of that the input did not know itself. */
  show(problems: readonly InputProblem[]): number;
  /** Shows all that is wrong, touched or not. */
  insist(): void;
  connected(): void;
  focus(): void;
}

/** A form of one control for each member. */
export class FieldsInput implements ObjectInput {
  readonly element: HTMLElement;
  readonly #views: readonly FieldView[];
  readonly #general = make('div', { class: 'problem', attributes: { hidden: '' } });

  constructor(
    fields: readonly FormField[],
    options: { readonly editing: boolean; readonly changed: () => void },
  ) {
    this.#views = fields.map((field) => new FieldView(field, options));
    this.element = make('div', {
      class: 'fields',
      children: [...this.#views.map(({ element }) => element), this.#general],
    });
  }

  read(): FormContent {
    const members: [string, JsonValue][] = [];
    let missing = 0;
    let wrong = 0;
    for (const view of this.#views) {
      const state = view.read();
      if (state.kind === 'value') members.push([view.field.name, state.value]);
      else if (state.kind === 'bad') wrong += 1;
      else if (view.field.required) missing += 1;
    }
    const value = Object.fromEntries(members);
    return missing > 0 || wrong > 0
      ? { kind: 'incomplete', missing, wrong, partial: value }
      : { kind: 'value', value };
  }

  show(problems: readonly InputProblem[]): number {
    const general: string[] = [];
    const byField = new Map<string, string>();
    for (const { path, message } of problems) {
      const view = this.#views.find(({ field }) => {
        const own = pointer('', field.name);
        return path === own || path.startsWith(`${own}/`);
      });
      if (view === undefined) general.push(message);
      else byField.set(view.field.name, [byField.get(view.field.name) ?? '', message].join(' ').trim());
    }
    let [own, found] = [0, 0];
    for (const view of this.#views) {
      const mine = ownProblem(view.field, view.read());
      const theirs = byField.get(view.field.name) ?? '';
      if (mine !== '') own += 1;
      else if (theirs !== '') found += 1;
      view.setProblem(mine === '' ? theirs : mine);
    }
    // What is said of the whole may come from what is not there yet.
    const whole = own === 0 ? general : [];
    this.#general.hidden = whole.length === 0;
    fill(this.#general, ...whole.map((message) => problemLine(message)));
    return found + whole.length;
  }

  insist(): void {
    for (const view of this.#views) view.insist();
  }

  connected(): void {
    for (const view of this.#views) view.connected();
  }

  focus(): void {
    this.#views[0]?.focus();
  }
}

/** What is wrong with a field before anybody else has looked at it. */
function ownProblem(field: FormField, state: FieldState): string {
  if (state.kind === 'bad') return state.message;
  if (state.kind === 'value' || !field.required) return '';
  if (field.kind === 'choice') return 'Choose one.';
  return field.kind === 'choices' ? 'Choose at least one.' : 'This is required.';
}

/** A whole object as JSON. */
export class JsonInput implements ObjectInput {
  readonly element: HTMLElement;
  readonly #area: HTMLElement & { value: string };
  readonly #problems = make('div', { class: 'problem', attributes: { hidden: '' } });

  constructor(initial: JsonObject, options: { readonly label: string; readonly changed: () => void }) {
    const text = visibleJson(initial);
    this.#area = textArea({
      label: options.label,
      value: text,
      rows: Math.min(20, Math.max(6, text.split('\n').length + 1)),
      className: 'code',
      onInput: () => options.changed(),
    });
    this.element = make('div', { class: 'json-input', children: [this.#area, this.#problems] });
  }

  read(): FormContent {
    const state = jsonIn(this.#area.value);
    if (state.kind === 'value' && isJsonObject(state.value)) return { kind: 'value', value: state.value };
    const message = state.kind === 'bad' ? state.message : 'This must be a JSON object.';
    this.#draw([message]);
    return { kind: 'incomplete', missing: 0, wrong: 1 };
  }

  show(problems: readonly InputProblem[]): number {
    this.#draw(problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)));
    return problems.length;
  }

  insist(): void {
    // Everything that is wrong is in sight already.
  }

  connected(): void {
    this.#draw([]);
  }

  focus(): void {
    this.#area.focus();
  }

  #draw(messages: readonly string[]): void {
    this.#problems.hidden = messages.length === 0;
    fill(this.#problems, ...messages.map((message) => problemLine(message)));
    describe(this.#area, messages.join(' '), messages.length > 0);
  }
}

function problemLine(message: string): HTMLElement {
  return make('p', { children: [icon('warning'), make('span', { children: [foreign(message)] })] });
}
