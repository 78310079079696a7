import type { HostMessage } from '../../src/shared/hostMessage.ts';
import type { ApprovalCard } from '../../src/shared/promptCard.ts';
import { make } from '../common/dom.ts';
import { post } from '../common/host.ts';
import { ApprovalActions } from './approvalActions.ts';
import { argumentsView } from './argumentsView.ts';
import { callTitle, callerLine, claims } from './cardHead.ts';
import type { CardView } from './cardView.ts';
import { Sight } from './sight.ts';

/** A call that waits: everything that the answer is about, and the buttons that give it. */
export class ApprovalCardView implements CardView {
  readonly element: HTMLElement;
  readonly heading: HTMLElement;
  readonly id: string;
  readonly digest: string;
  readonly #actions: ApprovalActions;
  readonly #sight: Sight;

  constructor(card: ApprovalCard, onAnswer: () => void) {
    this.id = card.id;
    this.digest = card.digest;
    this.heading = callTitle(card.serverId, card.tool.name);
    const body = make('div', {
      class: 'card-body',
      children: [
        this.heading,
        callerLine(card),
        claims(card.tool),
        argumentsView(card.arguments, {
          open: (path) => post({ kind: 'openText', id: card.id, path }),
        }),
      ],
    });
    this.#actions = new ApprovalActions(card, (answer) => {
      onAnswer();
      post({ kind: 'answer', id: card.id, digest: card.digest, answer });
    });
    this.element = make('article', { class: 'card approval', children: [body, this.#actions.element] });
    this.element.setAttribute('aria-label', `${card.serverId}, ${card.tool.name}: waits for your answer`);
    this.#sight = new Sight({ id: card.id, digest: card.digest }, this.#actions.element, body, (armed) =>
      this.#actions.setArmed(armed),
    );
  }

  receive(message: HostMessage): void {
    if (message.kind === 'armed') this.#sight.agree(message.digest);
    else if (message.kind === 'visibility') this.#sight.setPageVisible(message.visible);
    else if (message.kind === 'refused') this.#actions.refused(message);
  }

  dispose(): void {
    this.#sight.dispose();
  }
}
