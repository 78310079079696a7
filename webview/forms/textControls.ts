import type { FormField } from '../../src/shared/formModel.ts';
import type { JsonValue } from '../../src/shared/json.ts';
import { visibleJson } from '../../src/shared/visibleText.ts';
import { dateField, textArea, textField } from '../common/controls.ts';
import { fill, make } from '../common/dom.ts';
import type { FieldState, MakeControl } from './fieldControl.ts';
import { localDateTime, sentDateTime } from './dateTime.ts';

type Of<K extends FormField['kind']> = Extract<FormField, { kind: K }>;

/** A string: a line, several lines, or a date. */
export const textControl: MakeControl<Of<'text'>> = (field, context) => {
  if (field.format === 'date' || field.format === 'date-time') return dateControl(field, context);
  const { initial = '' } = field;
  let text = initial;
  const onInput = (value: string): void => {
    text = value;
    context.changed();
  };
  const masked = isMasked(field, context.editing);
  const isLong = initial.includes('\n') || initial.length > 60 || (field.maxLength ?? 0) > 300;
  const options = { label: context.label, value: initial, onInput };
  const element =
    isLong && (!masked || initial.includes('\n'))
      ? textArea({ ...options, rows: Math.min(14, Math.max(3, initial.split('\n').length)) })
      : textField({ ...options, masked });
  return {
    element,
    target: element,
    read: (): FieldState => {
      // A text that was empty before it was edited stays an empty text; elsewhere empty means not given.
      if (text === '' && !(context.editing && field.initial !== undefined)) return { kind: 'empty' };
      return { kind: 'value', value: text };
    },
  };
};

/** A proposal of the server's is no secret to it, and nothing goes back that the person has not seen. */
function isMasked({ secret, initial }: Of<'text' | 'number'>, editing: boolean): boolean {
  return secret && (editing || initial === undefined || initial === '');
}

const dateControl: MakeControl<Of<'text'>> = (field, context) => {
  const withTime = field.format === 'date-time';
  const { initial } = field;
  const shown = initial === undefined ? '' : withTime ? localDateTime(initial) : initial;
  let picked = shown;
  const sent = make('p', { class: 'hint muted' });
  const read = (): FieldState => {
    // What nobody has touched goes out as it came, to the last digit.
    if (picked === shown && initial !== undefined) return { kind: 'value', value: initial };
    if (picked === '') return { kind: 'empty' };
    const value = withTime ? sentDateTime(picked) : picked;
    return value === undefined ? { kind: 'bad', message: 'This is not a date.' } : { kind: 'value', value };
  };
  const draw = (): void => {
    const state = read();
    const value = state.kind === 'value' ? state.value : undefined;
    fill(sent, withTime && typeof value === 'string' && `Sent as ${value}`);
  };
  const input = dateField({
    label: context.label.textContent ?? '',
    withTime,
    value: shown,
    onInput: (value) => {
      picked = value;
      draw();
      context.changed();
    },
  });
  draw();
  return {
    element: make('div', { class: 'choice', children: [context.label, input, sent] }),
    target: input,
    read,
  };
};

/** A number, or an integer that stays one. */
export const numberControl: MakeControl<Of<'number'>> = (field, context) => {
  const shown = field.initial === undefined ? '' : String(field.initial);
  let text = shown;
  const element = textField({
    label: context.label,
    value: shown,
    masked: isMasked(field, context.editing),
    onInput: (value) => {
      text = value.trim();
      context.changed();
    },
  });
  element.setAttribute('inputmode', field.integer ? 'numeric' : 'decimal');
  return {
    element,
    target: element,
    read: () => {
      if (text === '') return { kind: 'empty' };
      return numberIn(text, field.integer);
    },
  };
};

/** Reads a number exactly as it is written; what a computer could only hold rounded is no value. */
export function numberIn(text: string, integer: boolean): FieldState {
  const pattern = integer ? /^[+-]?\d+$/ : /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
  if (!pattern.test(text)) {
    return { kind: 'bad', message: integer ? 'This must be a whole number.' : 'This must be a number.' };
  }
  const value = Number(text);
  if (!Number.isFinite(value)) return { kind: 'bad', message: 'This number is too large.' };
  if (integer && !Number.isSafeInteger(value)) {
    return { kind: 'bad', message: 'This number is too large to be sent exactly.' };
  }
  if (plainDigits(text) !== plainDigits(String(value))) {
    return { kind: 'bad', message: `This number cannot be sent exactly; the nearest one is ${value}.` };
  }
  return { kind: 'value', value };
}

/** The same text for the same number, however it is written: its digits, and the place of the point. */
function plainDigits(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const kept = digits.replace(/0+$/, '');
  if (kept === '') return '0';
  const scale = Number(exponent) - fraction.length + digits.length - kept.length;
  return `${sign === '-' ? '-' : ''}${kept}e${scale}`;
}

/** Any value, as JSON. */
export const jsonControl: MakeControl<Of<'json'>> = (field, context) => {
  const shown = field.initial === undefined ? '' : visibleJson(field.initial);
  let text = shown;
  const element = textArea({
    label: context.label,
    value: shown,
    rows: Math.min(12, Math.max(3, shown.split('\n').length)),
    className: 'code',
    placeholder: 'JSON',
    onInput: (value) => {
      text = value;
      context.changed();
    },
  });
  return { element, target: element, read: () => jsonIn(text) };
};

/** Reads JSON that a person types; a number that could only be sent rounded is no value. */
export function jsonIn(text: string): FieldState {
  if (text.trim() === '') return { kind: 'empty' };
  let inexact: string | undefined;
  const look = (_key: string, value: JsonValue, context?: { readonly source?: string }): JsonValue => {
    const source = context?.source;
    if (
      typeof value === 'number' &&
      source !== undefined &&
      plainDigits(source) !== plainDigits(String(value))
    )
      inexact ??= source;
    return value;
  };
  try {
    const value: JsonValue = JSON.parse(text, look);
    if (inexact === undefined) return { kind: 'value', value };
    return { kind: 'bad', message: `The number ${inexact.slice(0, 100)} cannot be sent exactly.` };
  } catch (error) {
    const detail = error instanceof Error ? `: ${error.message}` : '';
    return { kind: 'bad', message: `This is not JSON${detail}` };
  }
}
