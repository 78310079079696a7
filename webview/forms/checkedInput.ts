import type { JsonObject } from '../../src/shared/json.ts';
import type { InputProblem } from '../../src/shared/hostMessage.ts';
import { counted } from '../common/format.ts';
import type { FormContent, ObjectInput } from './formView.ts';

/** Milliseconds without a stroke before the extension is asked. */
const pauseMs = 120;

/** Keeps asking the extension what it thinks of the value, and knows whether the last word was "valid". */
export class CheckedInput {
  readonly input: ObjectInput;
  readonly #check: (revision: number, value: JsonObject) => void;
  readonly #changed: () => void;
  #revision = 0;
  #timer = 0;
  #value: JsonObject | undefined;
  #state = '';

  /** `make` gets the function to call with every stroke. */
  constructor(
    make: (changed: () => void) => ObjectInput,
    options: { readonly check: (revision: number, value: JsonObject) => void; readonly changed: () => void },
  ) {
    this.#check = options.check;
    this.#changed = options.changed;
    this.input = make(() => this.#typed());
    // The controls of the toolkit are complete only once they stand on the page.
    queueMicrotask(() => {
      this.input.connected();
      this.#ask();
    });
  }

  /** The value, if it is complete and the extension has found nothing wrong with it. */
  get value(): JsonObject | undefined {
    return this.#value;
  }

  /** What is still to be done, in words. */
  get state(): string {
    return this.#state;
  }

  checked(revision: number, problems: readonly InputProblem[]): void {
    if (revision !== this.#revision) return;
    const content = this.input.read();
    const found = this.input.show(problems);
    const valid = content.kind === 'value' && problems.length === 0;
    this.#value = valid ? content.value : undefined;
    this.#state = valid ? '' : stateOf(content, found);
    this.#changed();
  }

  /** The extension has refused the value after all. */
  refused(problems: readonly InputProblem[]): void {
    if (problems.length === 0) return;
    this.#value = undefined;
    this.input.show(problems);
    this.input.insist();
    this.#changed();
  }

  dispose(): void {
    window.clearTimeout(this.#timer);
    this.#revision += 1;
  }

  #typed(): void {
    this.#value = undefined;
    this.#revision += 1;
    window.clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.#ask(), pauseMs);
    this.#changed();
  }

  #ask(): void {
    const content = this.input.read();
    if (content.kind === 'value') {
      this.#state = 'Checking…';
      this.#check(this.#revision, content.value);
      return;
    }
    this.#state = stateOf(content, 0);
    // What is there already is looked at too: a person need not fill in all to learn that the first was wrong.
    if (content.partial === undefined) return this.#changed();
    this.#check(this.#revision, content.partial);
    this.#changed();
  }
}

/** `found`: how much the extension has found wrong beyond what the page knows. */
function stateOf(content: FormContent, found: number): string {
  const { missing, wrong } = content.kind === 'value' ? { missing: 0, wrong: 0 } : content;
  return [
    missing > 0 && `${counted(missing, 'required field')} to fill in.`,
    wrong + found > 0 && `${counted(wrong + found, 'value')} to correct.`,
  ]
    .filter((part) => part !== false)
    .join(' ');
}
