import { make } from '../common/dom.ts';

/** What the page says while nothing waits and nothing has run; that nothing waits stands above it already. */
export function emptyPage(): HTMLElement {
  return make('div', {
    class: 'empty',
    children: [
      make('p', {
        class: 'muted',
        text: 'A tool call that needs your approval appears here, with who asks for it and exactly what will be sent.',
      }),
    ],
  });
}
