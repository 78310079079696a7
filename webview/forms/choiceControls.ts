import type { FormField } from '../../src/shared/formModel.ts';
import { checkbox, dropdown, radioGroup } from '../common/controls.ts';
import { foreign, make } from '../common/dom.ts';
import { counted } from '../common/format.ts';
import type { FieldState, MakeControl } from './fieldControl.ts';

type Of<K extends FormField['kind']> = Extract<FormField, { kind: K }>;

/** Up to so many options all stand in sight. */
const fewOptions = 5;

/** A box to tick. What is seen is what is sent: not ticked is no. */
export const booleanControl: MakeControl<Of<'boolean'>> = (field, context) => {
  let checked = field.initial ?? false;
  let touched = false;
  const isAbsent = (): boolean =>
    context.editing && field.initial === undefined && !touched && !field.required;
  const absent = make('p', { class: 'hint muted', text: 'Not among the arguments as it stands.' });
  absent.hidden = !isAbsent();
  const box = checkbox({
    label: context.label,
    checked,
    onChange: (value) => {
      checked = value;
      touched = true;
      absent.hidden = true;
      context.changed();
    },
  });
  return {
    element: make('div', { children: [box, absent] }),
    target: box,
    read: () => (isAbsent() ? { kind: 'empty' } : { kind: 'value', value: checked }),
  };
};

/** One of several. Nothing is chosen until it is chosen, and the control says so. */
export const choiceControl: MakeControl<Of<'choice'>> = (field, context) => {
  let chosen = field.initial === undefined ? '' : String(field.initial);
  const choices = field.options.map(({ label }, index) => ({ value: String(index), label: foreign(label) }));
  const options = {
    label: context.label.textContent ?? '',
    choices,
    ...(chosen === '' ? {} : { value: chosen }),
    onChange: (value: string) => {
      chosen = value;
      context.changed();
    },
  };
  const few = choices.length <= fewOptions;
  const control = few
    ? radioGroup(options)
    : dropdown({ ...options, unchosen: field.required ? 'Choose…' : 'Not chosen' });
  const element = make('div', { class: 'choice', children: [context.label, control] });
  if (few && !field.required)
    element.append(
      clearButton(
        () => chosen !== '',
        control,
        () => (chosen = ''),
        context.changed,
      ),
    );
  return {
    element,
    target: control,
    read: (): FieldState => {
      const option = chosen === '' ? undefined : field.options[Number(chosen)];
      return option === undefined ? { kind: 'empty' } : { kind: 'value', value: option.value };
    },
  };
};

/** An optional choice can be taken back; radio buttons alone offer no way. */
function clearButton(
  isChosen: () => boolean,
  control: HTMLElement & { value: string },
  clear: () => void,
  changed: () => void,
): HTMLElement {
  const link = make('button', { class: 'link', text: 'Clear choice', attributes: { type: 'button' } });
  link.hidden = !isChosen();
  control.addEventListener('change', () => (link.hidden = !isChosen()));
  link.addEventListener('click', () => {
    clear();
    control.value = '';
    for (const radio of control.querySelectorAll<HTMLElement & { checked: boolean }>('vscode-radio')) {
      radio.checked = false;
    }
    link.hidden = true;
    changed();
  });
  return link;
}

/** Some of several. */
export const choicesControl: MakeControl<Of<'choices'>> = (field, context) => {
  const chosen = new Set(field.initial ?? []);
  const group = make('div', {
    class: 'choices',
    attributes: { role: 'group', 'aria-label': context.label.textContent ?? '' },
  });
  for (const [index, option] of field.options.entries()) {
    group.append(
      checkbox({
        label: foreign(option.label),
        checked: chosen.has(index),
        onChange: (checked) => {
          if (checked) chosen.add(index);
          else chosen.delete(index);
          context.changed();
        },
      }),
    );
  }
  const hint = boundsText(field.minItems, field.maxItems);
  const element = make('div', {
    class: 'choice',
    children: [context.label, hint !== undefined && make('p', { class: 'hint muted', text: hint }), group],
  });
  return {
    element,
    target: group,
    read: () => {
      // Without any tick, an empty list goes out only where one has to be given, or one was given before.
      const mayBeEmpty = (field.minItems ?? 0) === 0 && (field.required || field.initial !== undefined);
      if (chosen.size === 0 && !mayBeEmpty) return { kind: 'empty' };
      const values = field.options.filter((_, index) => chosen.has(index)).map(({ value }) => value);
      return { kind: 'value', value: values };
    },
  };
};

function boundsText(min: number | undefined, max: number | undefined): string | undefined {
  if (min !== undefined && max !== undefined && min === max) return `Choose ${counted(min, 'option')}.`;
  if (min !== undefined && min > 0 && max !== undefined) return `Choose ${min} to ${counted(max, 'option')}.`;
  if (min !== undefined && min > 0) return `Choose at least ${counted(min, 'option')}.`;
  return max === undefined ? undefined : `Choose at most ${counted(max, 'option')}.`;
}
