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
  if (options.disabled === true) control.disabled = true;
  control.addEventListener('click', (event) => {
    if (event.isTrusted && !control.disabled) options.onClick(event);
  });
  return control;
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
  readonly onChange: (checked: boolean) => void;
}): CheckboxElement {
  const control = element('vscode-checkbox');
  control.append(options.label);
  control.checked = options.checked ?? false;
  control.addEventListener('change', () => options.onChange(control.checked));
  return control;
}

/** One choice of a few, all in sight. Nothing is chosen unless `value` says so. */
export function radioGroup(options: {
  readonly label: string;
  readonly name: string;
  readonly choices: readonly { readonly value: string; readonly label: string | Node }[];
  readonly value?: string;
  readonly onChange: (value: string) => void;
}): RadioGroupElement {
  const control = element('vscode-radio-group');
  control.setAttribute('orientation', 'vertical');
  control.setAttribute('name', options.name);
  control.setAttribute('aria-label', options.label);
  const label = make('span', { class: 'group-label', text: options.label });
  label.slot = 'label';
  control.append(label);
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
