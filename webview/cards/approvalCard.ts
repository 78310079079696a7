import type { JsonObject } from '../../src/shared/json.ts';
import type { ApprovalCard } from '../../src/shared/approvalCard.ts';
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
import { generalNotes, noteLine, sortNotes } from './notes.ts';
import { PromptFrame } from './promptFrame.ts';

/** A call that waits: everything that the answer is about, and the buttons that give it. */
export class ApprovalCardView implements CardView {
  readonly element: HTMLElement;
  readonly heading: HTMLElement;
  readonly #card: ApprovalCard;
  readonly #frame: PromptFrame;
  readonly #actions: ApprovalActions;
  readonly #arguments = make('div');
  readonly #obstacle = make('div', { class: 'obstacle', attributes: { role: 'status' } });
  readonly #cautions: HTMLElement | undefined;
  #edit: EditView | undefined;

  constructor(card: ApprovalCard, context: CardContext) {
    this.#card = card;
    const notes = sortNotes(card.notes);
    const inside = notes.cautionsInArguments;
    this.heading = callTitle(card.serverId, card.tool.name);
    this.#frame = new PromptFrame(card, context, {
      className: 'approval',
      label: card.isDraft === true ? 'A tool that you run' : 'A call that waits for your answer',
      mustSee: { element: this.#arguments, label: 'Arguments below ↓' },
    });
    this.element = this.#frame.element;
    if (inside > 0) {
      const message = `${counted(inside, 'caution')} in the arguments below`;
      this.#cautions = noteLine({ severity: 'caution', message });
    }
    fill(
      this.#frame.body,
      this.heading,
      this.#obstacle,
      card.change && changeView(card.change),
      card.isDraft !== true && callerLine(card.caller, card.reason),
      claims(card.tool),
      generalNotes(notes.general),
      this.#cautions,
      this.#arguments,
    );
    this.#actions = new ApprovalActions(card, this.#frame);
    if (card.isDraft === true) this.#startDraft();
    else this.#showArguments();
  }

  receive(message: CardMessage): void {
    this.#frame.receive(message);
    if (message.kind === 'checked') this.#edit?.checked(message.revision, message.problems);
    if (message.kind === 'refused') this.#edit?.refused(message.problems);
  }

  setOthers(sameServer: number): void {
    this.#actions.setOthers(sameServer);
  }

  setObstacle(text: string | undefined): void {
    if ((this.#obstacle.dataset['text'] ?? '') === (text ?? '')) return;
    this.#obstacle.dataset['text'] = text ?? '';
    fill(this.#obstacle, text === undefined ? undefined : noteLine({ severity: 'caution', message: text }));
  }

  holdsWork(): boolean {
    return this.#edit !== undefined;
  }

  dispose(): void {
    this.#edit?.dispose();
    this.#frame.dispose();
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

  /** The person has begun this call: the arguments are theirs from the start. */
  #startDraft(): void {
    const edit = this.#openEditor('Arguments');
    this.#frame.bar.show([
      [
        {
          label: 'Run',
          appearance: 'primary',
          permits: true,
          isShortcut: true,
          ready: () => edit?.value !== undefined,
          run: () => this.#sendEdited(edit?.value),
        },
      ],
      [{ label: 'Discard', permits: false, run: () => this.#frame.answer({ kind: 'deny' }) }],
    ]);
  }

  #openEditor(title: string): EditView | undefined {
    const { form, id, arguments: original } = this.#card;
    if (form === undefined) return undefined;
    const edit = new EditView(form, original, {
      title,
      check: (revision, value) => post({ kind: 'check', id, revision, value }),
      changed: () => {
        this.#frame.bar.update();
        if (this.#card.isDraft === true) this.#frame.bar.say(this.#edit?.state ?? '');
      },
    });
    this.#edit = edit;
    fill(this.#arguments, edit.element);
    return edit;
  }

  #startEditing(): void {
    const edit = this.#openEditor('Edit arguments');
    if (edit === undefined) return;
    // They are about the arguments as they came, which are not shown now.
    if (this.#cautions !== undefined) this.#cautions.hidden = true;
    this.#frame.bar.show([
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
    this.#frame.moved();
    edit.focus();
  }

  #sendEdited(value: JsonObject | undefined): void {
    if (value === undefined) return;
    this.#frame.answer({ kind: 'allow', edited: value });
  }

  #stopEditing(): void {
    this.#edit?.dispose();
    this.#edit = undefined;
    this.#showArguments();
    if (this.#cautions !== undefined) this.#cautions.hidden = false;
    this.#frame.bar.say('');
    this.#actions.showMain();
    this.#frame.moved();
    this.heading.focus({ preventScroll: true });
  }
}
