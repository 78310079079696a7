import type { PageAnswer } from '../../src/shared/pageMessage.ts';
import { make } from '../common/dom.ts';
import { clockTime } from '../common/format.ts';
import { post } from '../common/host.ts';
import { onSubmitKey } from '../common/keys.ts';
import { ActionBar, type MustSee } from './actionBar.ts';
import type { CardContext, CardMessage } from './cardView.ts';
import { refusalText } from './refusalText.ts';
import { Sight } from './sight.ts';

/** What all cards share that ask a person something: a body, the buttons under it, and how answers travel. */
export class PromptFrame {
  readonly element: HTMLElement;
  readonly body = make('div', { class: 'card-body' });
  readonly #end = make('div', { class: 'card-end' });
  readonly bar: ActionBar;
  readonly #prompt: { readonly id: string; readonly digest: string };
  readonly #context: CardContext;
  readonly #sight: Sight;

  /**
   * `label`: what the card is, for screen readers; in our words. `mustSee`: nothing can be allowed before it has been
   * in view, and the `label` says where it is.
   */
  constructor(
    prompt: { readonly id: string; readonly digest: string; readonly expiresAt?: number },
    context: CardContext,
    options: { readonly className: string; readonly label: string; readonly mustSee?: MustSee },
  ) {
    this.#prompt = prompt;
    this.#context = context;
    this.bar = new ActionBar(this.#end, options.mustSee);
    this.element = make('article', {
      class: `card ${options.className}`,
      attributes: { 'aria-label': options.label },
      children: [this.body, this.#end, this.bar.element],
    });
    onSubmitKey(this.element, () => this.bar.pressShortcut());
    const { id, digest, expiresAt } = prompt;
    if (expiresAt !== undefined) this.bar.note(`Without an answer, this ends at ${clockTime(expiresAt)}.`);
    this.#sight = new Sight({ id, digest }, this.bar.element, this.body, (armed) => this.bar.setArmed(armed));
  }

  /** Sends an answer; nothing can be pressed until it was taken or refused. */
  answer(answer: PageAnswer): void {
    this.bar.setBusy(true);
    this.bar.say('');
    // A link that is only opened leaves its card where it is.
    if (answer.kind !== 'open') this.#context.onAnswer();
    post({ kind: 'answer', id: this.#prompt.id, digest: this.#prompt.digest, answer });
  }

  /** The buttons are not where they were. */
  moved(): void {
    this.#sight.moved();
  }

  /** What every card does with a message; true if there may be more to do. */
  receive(message: CardMessage): void {
    if (message.kind === 'armed') this.#sight.agree(message.digest);
    else if (message.kind === 'visibility') this.#sight.setPageVisible(message.visible);
    else if (message.kind === 'opened') this.bar.setBusy(false);
    else if (message.kind === 'refused') {
      this.bar.setBusy(false);
      this.bar.say(refusalText(message.reason));
    }
  }

  dispose(): void {
    this.#sight.dispose();
    this.bar.dispose();
  }
}
