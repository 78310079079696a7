import type { HostMessage } from '../../src/shared/hostMessage.ts';
import type { PageAnswer } from '../../src/shared/pageMessage.ts';
import type { ApprovalCard } from '../../src/shared/promptCard.ts';
import { type ButtonElement, button } from '../common/controls.ts';
import { make } from '../common/dom.ts';
import { refusalText } from './refusalText.ts';

/** The buttons under a call that waits. Allow works only while the card is armed; Deny always does. */
export class ApprovalActions {
  readonly element = make('div', { class: 'actions', attributes: { role: 'group', 'aria-label': 'Answer' } });
  readonly #answer: (answer: PageAnswer) => void;
  readonly #status = make('p', { class: 'status', attributes: { role: 'status' } });
  readonly #allow: ButtonElement;
  readonly #deny: ButtonElement;
  #armed = false;
  #sent = false;

  constructor(_card: ApprovalCard, answer: (answer: PageAnswer) => void) {
    this.#answer = answer;
    this.#allow = button({
      label: 'Allow Once',
      appearance: 'primary',
      disabled: true,
      onClick: () => this.#send({ kind: 'allow' }),
    });
    this.#deny = button({ label: 'Deny', onClick: () => this.#send({ kind: 'deny' }) });
    const buttons = make('div', {
      class: 'buttons',
      children: [
        make('div', { class: 'button-group', children: [this.#allow] }),
        make('div', { class: 'button-group', children: [this.#deny] }),
      ],
    });
    this.element.append(buttons, this.#status);
  }

  setArmed(armed: boolean): void {
    this.#armed = armed;
    this.#allow.disabled = !armed || this.#sent;
  }

  /** The extension did not take the answer: say why, and let the person answer again. */
  refused({ reason }: Extract<HostMessage, { kind: 'refused' }>): void {
    this.#sent = false;
    this.#deny.disabled = false;
    this.setArmed(this.#armed);
    this.#status.textContent = refusalText(reason);
  }

  #send(answer: PageAnswer): void {
    if (this.#sent || (answer.kind === 'allow' && !this.#armed)) return;
    this.#sent = true;
    this.#allow.disabled = true;
    this.#deny.disabled = true;
    this.#status.textContent = '';
    this.#answer(answer);
  }
}
