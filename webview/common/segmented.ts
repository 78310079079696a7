import { make } from './dom.ts';

/** A choice between a few views of the same thing, as a row of two or three joined buttons. */
export function segmented<T extends string>(options: {
  readonly label: string;
  readonly choices: readonly { readonly value: T; readonly label: string }[];
  readonly value: T;
  readonly onChange: (value: T) => void;
}): HTMLElement {
  const group = make('div', {
    class: 'segmented',
    attributes: { role: 'group', 'aria-label': options.label },
  });
  const buttons = options.choices.map((choice) => {
    const control = make('button', { text: choice.label, attributes: { type: 'button' } });
    control.addEventListener('click', () => {
      press(choice.value);
      options.onChange(choice.value);
    });
    group.append(control);
    return { control, value: choice.value };
  });
  const press = (value: T): void => {
    for (const entry of buttons) entry.control.setAttribute('aria-pressed', String(entry.value === value));
  };
  press(options.value);
  return group;
}
