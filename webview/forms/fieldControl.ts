import type { JsonValue } from '../../src/shared/json.ts';
import type { FormField } from '../../src/shared/formModel.ts';

/** What stands in a field: nothing, a value, or something that is no value yet. */
export type FieldState =
  | { readonly kind: 'empty' }
  | { readonly kind: 'value'; readonly value: JsonValue }
  | { readonly kind: 'bad'; readonly message: string };

/** One control of a form, as the form sees it. */
export interface FieldControl {
  readonly element: HTMLElement;
  /** What takes the keyboard, and what screen readers read. */
  readonly target: HTMLElement;
  read(): FieldState;
}

/** Makes the control for a field. `changed` is called with every stroke. */
export type MakeControl<F extends FormField> = (
  field: F,
  context: { readonly label: HTMLElement; readonly editing: boolean; readonly changed: () => void },
) => FieldControl;
