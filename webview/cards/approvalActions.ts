import type { ApprovalCard, GrantScope } from '../../src/shared/approvalCard.ts';
import type { PageAnswer } from '../../src/shared/pageMessage.ts';
import { codeText } from '../common/codeText.ts';
import { radioGroup, textField } from '../common/controls.ts';
import { fill, make } from '../common/dom.ts';
import { onEscape } from '../common/keys.ts';
import type { Action } from './actionBar.ts';
import type { PromptFrame } from './promptFrame.ts';

const scopeLabels: Readonly<Record<GrantScope, string>> = {
  session: 'This session',
  workspace: 'This workspace',
  everywhere: 'Everywhere',
};

/** The buttons under a call that waits, and the two panels behind them. */
export class ApprovalActions {
  readonly #card: ApprovalCard;
  readonly #frame: PromptFrame;
  /** How many others of the same server wait; for the wording of "Deny all". */
  #others = 0;

  constructor(card: ApprovalCard, frame: PromptFrame) {
    this.#card = card;
    this.#frame = frame;
    this.showMain();
  }

  setOthers(others: number): void {
    this.#others = others;
  }

  showMain(): void {
    const allow: Action[] = [
      {
        label: 'Allow Once',
        appearance: 'primary',
        permits: true,
        isShortcut: true,
        run: () => this.#send({ kind: 'allow' }),
      },
    ];
    if (this.#card.proposals.length > 0) {
      allow.push({
        label: 'Allow and Remember…',
        appearance: 'icon',
        icon: 'chevronDown',
        permits: true,
        run: () => this.#showRemember(),
      });
    }
    const deny: Action[] = [
      { label: 'Deny', permits: false, run: () => this.#send({ kind: 'deny' }) },
      {
        label: 'Deny with Options…',
        appearance: 'icon',
        icon: 'chevronDown',
        permits: false,
        run: () => this.#showDeny(),
      },
    ];
    this.#frame.bar.show([allow, deny]);
  }

  #back(): void {
    this.showMain();
    this.#frame.moved();
    this.#frame.bar.focus();
  }

  #showRemember(): void {
    const { proposals, scopes } = this.#card;
    let scope: GrantScope = scopes[0] ?? 'session';
    let proposal = proposals[0];
    const preview = make('p', { class: 'preview-line' });
    const draw = (): void => fill(preview, proposal && codeText(proposal.previews[scope]));
    draw();
    const panel = make('div', {
      class: 'panel',
      attributes: { role: 'group', 'aria-label': 'Allow and remember' },
    });
    panel.append(
      make('h3', { class: 'section-title', text: 'Allow and remember' }),
      radioGroup({
        label: 'For how long',
        choices: scopes.map((value) => ({ value, label: scopeLabels[value] })),
        value: scope,
        onChange: (value) => {
          scope = scopes.find((candidate) => candidate === value) ?? 'session';
          draw();
        },
      }),
      make('h4', { class: 'panel-title', text: 'For which calls' }),
      radioGroup({
        label: 'For which calls',
        choices: proposals.map(({ id, label }) => ({ value: id, label: codeText(label) })),
        ...(proposal === undefined ? {} : { value: proposal.id }),
        onChange: (value) => {
          proposal = proposals.find(({ id }) => id === value) ?? proposal;
          draw();
        },
      }),
      preview,
    );
    this.#open(panel, [
      [
        {
          label: 'Allow and Remember',
          appearance: 'primary',
          permits: true,
          run: () => proposal && this.#send({ kind: 'allow', grant: { scope, proposalId: proposal.id } }),
        },
      ],
      [{ label: 'Back', permits: false, run: () => this.#back() }],
    ]);
  }

  #showDeny(): void {
    let reason = '';
    const said = (): { readonly reason?: string } => (reason.trim() === '' ? {} : { reason });
    const panel = make('div', {
      class: 'panel',
      attributes: { role: 'group', 'aria-label': 'Deny with options' },
    });
    panel.append(
      make('h3', { class: 'section-title', text: 'Deny' }),
      textField({
        label: 'Reason for the model',
        placeholder: 'Optional',
        onInput: (value) => (reason = value),
      }),
    );
    const all = this.#others > 0 ? `Deny All ${this.#others + 1} from This Server` : undefined;
    const turn = this.#card.caller.turn !== undefined;
    this.#open(panel, [
      [
        { label: 'Deny', permits: false, run: () => this.#send({ kind: 'deny', ...said() }) },
        ...(all === undefined
          ? []
          : [
              {
                label: all,
                permits: false,
                run: () => this.#send({ kind: 'deny', also: 'server', ...said() }),
              },
            ]),
        ...(turn
          ? [
              {
                label: 'Deny and Stop the Turn',
                permits: false,
                run: () => this.#send({ kind: 'deny', also: 'turn', ...said() }),
              },
            ]
          : []),
      ],
      [{ label: 'Back', permits: false, run: () => this.#back() }],
    ]);
  }

  #open(panel: HTMLElement, groups: readonly (readonly Action[])[]): void {
    this.#frame.bar.show(groups, panel);
    // Other buttons stand where the pointer is now: a double press must not reach them.
    this.#frame.moved();
    panel.tabIndex = -1;
    onEscape(panel, () => this.#back());
    panel.focus({ preventScroll: true });
  }

  #send(answer: PageAnswer): void {
    this.#frame.answer(answer);
  }
}
