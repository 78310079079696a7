import type { JsonObject } from '../../src/base/json.ts';
import type { ApprovalCard } from '../../src/shared/approvalCard.ts';
import type { PageAnswer } from '../../src/shared/pageMessage.ts';
import { button } from '../common/controls.ts';
import { fill, make } from '../common/dom.ts';
import { counted } from '../common/format.ts';
import { post } from '../common/host.ts';
import { icon } from '../common/icons.ts';
import { EditView } from '../forms/editView.ts';
import { ApprovalActions } from './approvalActions.ts';
import { argumentsView } from './argumentsView.ts';
import { callTitle, callerLine, claims } from './cardHead.ts';
import type { CardContext, CardMessage, CardView } from './cardView.ts';
import { changeView } from './difference.ts';
import { noteLine, sortNotes } from './notes.ts';
import { refusalText } from './refusalText.ts';
import { Sight } from './sight.ts';

/** A call that waits: everything that the answer is about, and the buttons that give it. */
export class ApprovalCardView implements CardView {
  readonly element: HTMLElement;
  readonly heading: HTMLElement;
  readonly #card: ApprovalCard;
  readonly #context: CardContext;
  readonly #actions: ApprovalActions;
  readonly #sight: Sight;
  readonly #arguments = make('div');
  readonly #group = make('p', { class: 'group-line', attributes: { hidden: '' } });
  #edit: EditView | undefined;

  constructor(card: ApprovalCard, context: CardContext) {
    this.#card = card;
    this.#context = context;
    const notes = sortNotes(card.notes);
    const inside = notes.cautionsInArguments;
    this.heading = callTitle(card.serverId, card.tool.name);
    const body = make('div', {
      class: 'card-body',
      children: [
        this.heading,
        card.change && changeView(card.change),
        callerLine(card.caller, card.reason),
        claims(card.tool),
        notes.general.length > 0 && make('div', { class: 'notes', children: notes.general.map(noteLine) }),
        inside > 0 &&
          noteLine({ severity: 'caution', message: `${counted(inside, 'caution')} in the arguments below` }),
        this.#group,
        this.#arguments,
      ],
    });
    this.#actions = new ApprovalActions(card, {
      answer: (answer) => this.#answer(answer),
      moved: () => this.#sight.moved(),
    });
    this.element = make('article', { class: 'card approval', children: [body, this.#actions.bar.element] });
    this.element.setAttribute('aria-label', 'A call that waits for your answer');
    this.#showArguments();
    this.#sight = new Sight({ id: card.id, digest: card.digest }, this.#actions.bar.element, body, (armed) =>
      this.#actions.bar.setArmed(armed),
    );
  }

  receive(message: CardMessage): void {
    switch (message.kind) {
      case 'armed':
        return this.#sight.agree(message.digest);
      case 'visibility':
        return this.#sight.setPageVisible(message.visible);
      case 'checked':
        return this.#edit?.checked(message.revision, message.problems);
      case 'refused':
        this.#actions.bar.setBusy(false);
        this.#actions.bar.say(refusalText(message.reason));
        return this.#edit?.refused(message.problems);
      case 'opened':
        return;
    }
  }

  setNeighbours(neighbours: { readonly sameServer: number; readonly sameTool: number }): void {
    this.#actions.setOthers(neighbours.sameServer);
    this.#group.hidden = neighbours.sameTool === 0;
    if (neighbours.sameTool === 0) return fill(this.#group);
    fill(
      this.#group,
      make('span', { text: `${counted(neighbours.sameTool + 1, 'call')} of this tool are waiting.` }),
      button({ label: 'Review Together', className: 'small', onClick: () => this.#context.reviewTogether() }),
    );
  }

  dispose(): void {
    this.#edit?.dispose();
    this.#sight.dispose();
  }

  #answer(answer: PageAnswer): void {
    this.#context.onAnswer();
    post({ kind: 'answer', id: this.#card.id, digest: this.#card.digest, answer });
  }

  #showArguments(): void {
    const edit =
      this.#card.form === undefined
        ? []
        : [
            button({
              label: 'Edit Arguments',
              appearance: 'icon',
              icon: icon('edit'),
              onClick: () => this.#startEditing(),
            }),
          ];
    fill(
      this.#arguments,
      argumentsView(this.#card.arguments, {
        notes: this.#card.notes,
        open: (path) => post({ kind: 'openText', id: this.#card.id, path }),
        buttons: edit,
      }),
    );
  }

  #startEditing(): void {
    const { form, id, arguments: original } = this.#card;
    if (form === undefined) return;
    const edit = new EditView(form, original, {
      title: 'Edit arguments',
      check: (revision, value) => post({ kind: 'check', id, revision, value }),
      changed: () => this.#actions.bar.update(),
    });
    this.#edit = edit;
    fill(this.#arguments, edit.element);
    this.#actions.bar.show([
      [
        {
          label: 'Allow Edited Once',
          appearance: 'primary',
          permits: true,
          ready: () => edit.value !== undefined,
          run: () => this.#sendEdited(edit.value),
        },
      ],
      [{ label: 'Discard Changes', permits: false, run: () => this.#stopEditing() }],
    ]);
    this.#sight.moved();
    edit.focus();
  }

  #sendEdited(value: JsonObject | undefined): void {
    if (value === undefined) return;
    this.#actions.bar.setBusy(true);
    this.#actions.bar.say('');
    this.#answer({ kind: 'allow', edited: value });
  }

  #stopEditing(): void {
    this.#edit?.dispose();
    this.#edit = undefined;
    this.#showArguments();
    this.#actions.bar.say('');
    this.#actions.showMain();
    this.#sight.moved();
    this.heading.focus({ preventScroll: true });
  }
}
