import { make } from '../common/dom.ts';
import { icon } from '../common/icons.ts';

/** Beside a field, or over a form, that asks for what nobody should give away there. */
export function secretWarning(): HTMLElement {
  const text =
    'Servers must not ask for passwords, keys or tokens in a form. What you type here goes to the server.';
  return make('p', { class: 'note note-caution', children: [icon('warning'), make('span', { text })] });
}
