import type { LinkState, ResultPart } from '../../src/shared/resultView.ts';
import { button } from '../common/controls.ts';
import { fill, foreign, make } from '../common/dom.ts';
import { byteSize } from '../common/format.ts';
import { noteLine } from '../cards/notes.ts';
import { partFrame } from './partFrame.ts';
import { typeFact, uriLine } from './partView.ts';
import type { PartContext } from './resultPanel.ts';

/** A link to a resource of the same server. Opening it reads the resource there; the page itself leads nowhere. */
export class LinkView {
  readonly element: HTMLElement;
  readonly #context: PartContext;
  readonly #state = make('div', { class: 'link-state', attributes: { role: 'status' } });
  readonly #open;

  constructor(part: ResultPart & { readonly kind: 'link' }, context: PartContext) {
    this.#context = context;
    const { title, name, uri, description, mimeType, size } = part;
    const shownTitle = title === undefined || title === '' ? name : title;
    this.#open = button({
      label: 'Open',
      title: 'Read it from the server',
      className: 'small',
      onClick: () => context.use('read'),
    });
    const heading = make('p', { class: 'link-name', children: [foreign(shownTitle)] });
    if (shownTitle !== name) heading.append(make('span', { class: 'muted', children: [' ', foreign(name)] }));
    this.element = partFrame({
      title: `Link${context.number}`,
      annotations: part.annotations,
      facts: [...typeFact(mimeType), ...(size === undefined ? [] : [`said to be ${byteSize(size)}`])],
      buttons: [this.#open],
      body: [
        heading,
        uriLine(uri),
        description === undefined || description === ''
          ? undefined
          : make('p', { class: 'link-description', children: [foreign(description, 'text')] }),
        this.#state,
      ],
    });
  }

  setState(state: LinkState): void {
    this.#open.hidden = state.kind === 'reading';
    switch (state.kind) {
      case 'reading': {
        const words = make('span', { children: ['Reading…'] });
        if (state.progress !== undefined) words.append(' ', foreign(state.progress));
        const cancel = button({
          label: 'Cancel',
          className: 'small',
          onClick: () => this.#context.use('cancelRead'),
        });
        return fill(this.#state, words, cancel);
      }
      case 'failed':
        return fill(this.#state, noteLine({ severity: 'caution', message: state.message }));
      case 'read':
        return fill(this.#state, make('span', { class: 'muted', text: 'Opened.' }));
    }
  }
}
