import type { UrlCard } from '../../src/shared/inputCards.ts';
import { foreign, make } from '../common/dom.ts';
import { onEscape } from '../common/keys.ts';
import type { Action } from './actionBar.ts';
import { callContext, requestTitle, serverWords } from './cardHead.ts';
import type { CardContext, CardMessage, CardView } from './cardView.ts';
import { noteLine } from './notes.ts';
import { PromptFrame } from './promptFrame.ts';

/** A link that a server asks a person to open: where it leads, in full, before anything happens. */
export class UrlCardView implements CardView {
  readonly element: HTMLElement;
  readonly heading: HTMLElement;
  readonly #frame: PromptFrame;
  readonly #opened = make('p', {
    class: 'opened',
    attributes: { role: 'status', hidden: '' },
    text: 'Opened in your browser. When you are done there, go on with the call.',
  });

  constructor(card: UrlCard, context: CardContext) {
    this.#frame = new PromptFrame(card, context, {
      className: 'url',
      label: 'A server asks you to open a link',
    });
    this.element = this.#frame.element;
    this.heading = requestTitle(card.serverId, 'asks you to open a link', 'open');
    this.#frame.body.append(this.heading, callContext(card.call));
    const words = serverWords(card.message);
    if (words !== undefined) this.#frame.body.append(words);
    this.#frame.body.append(linkView(card));
    for (const message of card.warnings) this.#frame.body.append(noteLine({ severity: 'caution', message }));
    if (card.blocked !== undefined) {
      this.#frame.body.append(noteLine({ severity: 'caution', message: card.blocked }));
    }
    this.#frame.body.append(this.#opened);
    this.#showBefore(card);
    onEscape(this.element, () => this.#frame.answer({ kind: 'cancel' }));
  }

  receive(message: CardMessage): void {
    this.#frame.receive(message);
    if (message.kind === 'opened') this.#showAfter();
  }

  /** Whether the link was opened is known here only. */
  holdsWork(): boolean {
    return !this.#opened.hidden;
  }

  dispose(): void {
    this.#frame.dispose();
  }

  #showBefore(card: UrlCard): void {
    const open: Action = {
      label: 'Open Link',
      appearance: 'primary',
      permits: true,
      run: () => this.#frame.answer({ kind: 'open' }),
    };
    this.#frame.bar.show(card.blocked === undefined ? [[open], this.#refuse()] : [this.#refuse()]);
  }

  #showAfter(): void {
    this.#opened.hidden = false;
    const proceed: Action = {
      label: 'Retry Now',
      appearance: 'primary',
      permits: true,
      run: () => this.#frame.answer({ kind: 'proceed' }),
    };
    const again: Action = {
      label: 'Open Again',
      permits: true,
      run: () => this.#frame.answer({ kind: 'open' }),
    };
    this.#frame.bar.show([[proceed, again], this.#refuse()]);
    this.#frame.moved();
  }

  #refuse(): Action[] {
    return [
      {
        label: 'Decline',
        permits: false,
        title: 'Tell the server that you say no',
        run: () => this.#frame.answer({ kind: 'decline' }),
      },
      {
        label: 'Cancel',
        permits: false,
        title: 'Close without an answer',
        run: () => this.#frame.answer({ kind: 'cancel' }),
      },
    ];
  }
}

/** The host by itself, where nobody can miss it, and the whole link under it. Nothing here can be pressed. */
function linkView({ url, host }: UrlCard): HTMLElement {
  return make('div', {
    class: 'link-view',
    children: [
      host !== '' && make('p', { class: 'link-host', children: [foreign(host)] }),
      make('div', {
        class: 'text-block framed',
        attributes: { tabindex: '0', role: 'group', 'aria-label': 'The whole link' },
        children: [foreign(url, 'text')],
      }),
    ],
  });
}
