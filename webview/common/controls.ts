import {
  type Button,
  type Checkbox,
  type Dropdown,
  type RadioGroup,
  type TextArea,
  type TextField,
  provideVSCodeDesignSystem,
  vsCodeButton,
  vsCodeCheckbox,
  vsCodeDropdown,
  vsCodeOption,
  vsCodeRadio,
  vsCodeRadioGroup,
  vsCodeTextArea,
  vsCodeTextField,
} from '@vscode/webview-ui-toolkit';
import { make } from './dom.ts';

/*
 * The only place that knows the toolkit: it is archived upstream, and replacing it must stay a change to this file.
 */

provideVSCodeDesignSystem().register(
  vsCodeButton(),
  vsCodeCheckbox(),
  vsCodeDropdown(),
  vsCodeOption(),
  vsCodeRadio(),
  vsCodeRadioGroup(),
  vsCodeTextArea(),
  vsCodeTextField(),
);

export type ButtonElement = Button;
export type CheckboxElement = Checkbox;
export type DropdownElement = Dropdown;
export type RadioGroupElement = RadioGroup;
export type TextAreaElement = TextArea;
export type TextFieldElement = TextField;

export interface ButtonOptions {
  /** What the button says; for `icon` buttons the name that screen readers and the tooltip use. */
  readonly label: string;
  readonly appearance?: 'primary' | 'secondary' | 'icon';
  readonly icon?: SVGElement;
  readonly title?: string;
  readonly className?: string;
  readonly disabled?: boolean;
  readonly onClick: (event: MouseEvent) => void;
}

/** A push button. Presses that a script makes up are ignored. */
export function button(options: ButtonOptions): ButtonElement {
  const appearance = options.appearance ?? 'secondary';
  const control = element('vscode-button', options.className);
  control.setAttribute('appearance', appearance);
  if (appearance === 'icon') {
    control.setAttribute('aria-label', options.label);
    control.title = options.title ?? options.label;
    if (options.icon !== undefined) control.append(options.icon);
  } else {
    if (options.icon !== undefined) {
      options.icon.setAttribute('slot', 'start');
      control.append(options.icon);
    }
    control.append(options.label);
    if (options.title !== undefined) control.title = options.title;
  }
  if (options.disabled === true) setDisabled(control, true);
  control.addEventListener('click', (event) => {
    if (event.isTrusted && !control.disabled) options.onClick(event);
  });
  return control;
}

/** Switches a control on or off, at once: the toolkit alone would tell the page only a moment later. */
export function setDisabled(control: HTMLElement & { disabled: boolean }, disabled: boolean): void {
  control.disabled = disabled;
  control.toggleAttribute('disabled', disabled);
}

interface Tags {
  readonly 'vscode-button': Button;
  readonly 'vscode-checkbox': Checkbox;
  readonly 'vscode-dropdown': Dropdown;
  readonly 'vscode-option': HTMLElement;
  readonly 'vscode-radio': HTMLElement;
  readonly 'vscode-radio-group': RadioGroup;
  readonly 'vscode-text-area': TextArea;
  readonly 'vscode-text-field': TextField;
}

function element<K extends keyof Tags>(tag: K, className?: string): Tags[K] {
  // The design system above has registered the class behind the tag.
  const created = document.createElement(tag) as Tags[K];
  if (className !== undefined) created.className = className;
  return created;
}

/** A box to tick. */
export function checkbox(options: {
  readonly label: string | Node;
  readonly checked?: boolean;
  readonly disabled?: boolean;
  readonly onChange: (checked: boolean) => void;
}): CheckboxElement {
  const control = element('vscode-checkbox');
  control.append(options.label);
  control.checked = options.checked ?? false;
  if (options.disabled === true) setDisabled(control, true);
  control.addEventListener('change', () => options.onChange(control.checked));
  return control;
}

export interface Choice {
  readonly value: string;
  readonly label: string | Node;
}

/** One choice of a few, all in sight. Nothing is chosen unless `value` says so. */
export function radioGroup(options: {
  /** For screen readers; what is seen stands beside it. */
  readonly label: string;
  readonly choices: readonly Choice[];
  readonly value?: string;
  readonly onChange: (value: string) => void;
}): RadioGroupElement {
  const control = element('vscode-radio-group');
  control.setAttribute('orientation', 'vertical');
  control.setAttribute('aria-label', options.label);
  // The toolkit links radio buttons of one name, so no two groups may share one.
  names += 1;
  control.setAttribute('name', `radio-${names}`);
  for (const choice of options.choices) {
    const radio = element('vscode-radio');
    radio.setAttribute('value', choice.value);
    radio.append(choice.label);
    control.append(radio);
  }
  if (options.value !== undefined) control.setAttribute('value', options.value);
  control.addEventListener('change', () => options.onChange(control.value));
  return control;
}

let names = 0;

/** One choice of many. Without `value` the first line says that nothing is chosen, and nothing is. */
export function dropdown(options: {
  readonly label: string;
  readonly unchosen?: string;
  readonly choices: readonly Choice[];
  readonly value?: string;
  readonly onChange: (value: string) => void;
}): DropdownElement {
  const control = element('vscode-dropdown');
  control.setAttribute('aria-label', options.label);
  const add = (choice: Choice): void => {
    const option = element('vscode-option');
    option.setAttribute('value', choice.value);
    option.append(choice.label);
    if (choice.value === (options.value ?? '')) option.setAttribute('selected', '');
    control.append(option);
  };
  if (options.unchosen !== undefined) add({ value: '', label: options.unchosen });
  for (const choice of options.choices) add(choice);
  control.addEventListener('change', () => options.onChange(control.value));
  return control;
}

/** A line of text. Enter in it does nothing. */
export function textField(options: {
  readonly label: string | Node;
  readonly value?: string;
  readonly placeholder?: string;
  /** What is typed is not shown. */
  readonly masked?: boolean;
  readonly onInput: (value: string) => void;
}): TextFieldElement {
  const control = element('vscode-text-field');
  if (options.masked === true) control.setAttribute('type', 'password');
  control.append(options.label);
  if (options.placeholder !== undefined) control.setAttribute('placeholder', options.placeholder);
  control.value = options.value ?? '';
  control.addEventListener('input', () => options.onInput(control.value));
  return control;
}

/** Text of several lines. */
export function textArea(options: {
  readonly label: string | Node;
  readonly value?: string;
  readonly placeholder?: string;
  readonly rows?: number;
  readonly className?: string;
  readonly onInput: (value: string) => void;
}): TextAreaElement {
  const control = element('vscode-text-area', options.className);
  control.append(options.label);
  control.setAttribute('rows', String(options.rows ?? 4));
  control.setAttribute('resize', 'vertical');
  if (options.placeholder !== undefined) control.setAttribute('placeholder', options.placeholder);
  control.value = options.value ?? '';
  control.addEventListener('input', () => options.onInput(control.value));
  return control;
}

/** A date, or a date with a time, as the browser lets people pick them. */
export function dateField(options: {
  readonly label: string;
  readonly withTime: boolean;
  readonly value?: string;
  readonly onInput: (value: string) => void;
}): HTMLInputElement {
  // The toolkit has no control for dates.
  const control = make('input', {
    class: 'date-field',
    attributes: { type: options.withTime ? 'datetime-local' : 'date', 'aria-label': options.label },
  });
  // Seconds take room that a narrow view lacks; they are there where the value has some.
  if (options.withTime && !/T\d\d:\d\d(:00)?$/.test(options.value ?? 'T00:00')) control.step = '1';
  control.value = options.value ?? '';
  control.addEventListener('input', () => options.onInput(control.value));
  return control;
}

/** Tells screen readers what belongs to a control beside its name, and whether it is wrong. */
export function describe(control: HTMLElement, text: string, invalid: boolean): void {
  // Inside the toolkit's fields the element that takes the keyboard is not the one on the page.
  const inner = control.shadowRoot?.querySelector<HTMLElement>('input, textarea') ?? control;
  if (text === '') inner.removeAttribute('aria-description');
  else inner.setAttribute('aria-description', text);
  control.setAttribute('aria-invalid', String(invalid));
}
