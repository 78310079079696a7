import type { JsonObject } from '../../src/shared/json.ts';
import type { FormModel } from '../../src/shared/formModel.ts';
import type { InputProblem } from '../../src/shared/hostMessage.ts';
import { button } from '../common/controls.ts';
import { make } from '../common/dom.ts';
import { CheckedInput } from './checkedInput.ts';
import { FieldsInput, JsonInput } from './formView.ts';

/** The arguments of a call, open for changes: as a form made from the tool's schema, or as JSON. */
export class EditView {
  readonly element: HTMLElement;
  readonly #options: {
    readonly check: (revision: number, value: JsonObject) => void;
    readonly changed: () => void;
  };
  readonly #body = make('div');
  #input: CheckedInput;

  constructor(
    model: FormModel,
    original: JsonObject,
    options: {
      readonly title: string;
      readonly check: (revision: number, value: JsonObject) => void;
      readonly changed: () => void;
    },
  ) {
    this.#options = options;
    const fields = model.kind === 'fields' ? model.fields : undefined;
    const asForm = (): CheckedInput =>
      new CheckedInput((changed) => new FieldsInput(fields ?? [], { editing: true, changed }), options);
    this.#input = fields === undefined ? this.#asJson(original) : asForm();
    const title = make('h3', { class: 'section-title', text: options.title });
    const bar = make('div', { class: 'section-bar', children: [title, make('span', { class: 'spring' })] });
    if (fields !== undefined) {
      const toJson = button({
        label: 'Edit as JSON',
        className: 'small',
        onClick: () => {
          const content = this.#input.input.read();
          this.#input.dispose();
          this.#input = this.#asJson(content.kind === 'value' ? content.value : (content.partial ?? {}));
          // No way back: a form cannot take over everything that may be typed as JSON.
          toJson.remove();
          this.#show();
          this.focus();
        },
      });
      bar.append(toJson);
    }
    this.element = make('section', { class: 'edit', children: [bar, this.#body] });
    this.#show();
  }

  /** The arguments, if they are complete and valid. */
  get value(): JsonObject | undefined {
    return this.#input.value;
  }

  get state(): string {
    return this.#input.state;
  }

  checked(revision: number, problems: readonly InputProblem[]): void {
    this.#input.checked(revision, problems);
  }

  refused(problems: readonly InputProblem[]): void {
    this.#input.refused(problems);
  }

  focus(): void {
    queueMicrotask(() => this.#input.input.focus());
  }

  dispose(): void {
    this.#input.dispose();
  }

  #asJson(value: JsonObject): CheckedInput {
    return new CheckedInput(
      (changed) => new JsonInput(value, { label: 'Arguments as JSON', changed }),
      this.#options,
    );
  }

  #show(): void {
    this.#body.replaceChildren(this.#input.input.element);
    this.#options.changed();
  }
}
