import type { CallView } from '../../src/shared/callView.ts';
import type { HostMessage } from '../../src/shared/hostMessage.ts';
import type { PromptCard, PromptSummary } from '../../src/shared/promptCard.ts';
import { fill, make } from '../common/dom.ts';
import { button } from '../common/controls.ts';
import { counted } from '../common/format.ts';
import { post } from '../common/host.ts';
import { icon } from '../common/icons.ts';
import { Announcer } from './announcer.ts';
import { ApprovalCardView } from './approvalCard.ts';
import { CallCardView } from './callCard.ts';
import type { CardView } from './cardView.ts';
import { type Current, nextCurrent } from './current.ts';
import { emptyPage } from './emptyPage.ts';
import { RowList, callRow, promptRow } from './lists.ts';
import { Pager } from './pager.ts';

/** The page: one card at the top, and under it what else waits, what runs, and what has ended. */
export class ApprovalsPage {
  readonly #announcer = new Announcer();
  readonly #pager = new Pager((id) => this.#pick(id));
  readonly #slot = make('div', { class: 'slot' });
  readonly #empty = emptyPage();
  readonly #waiting = new RowList('Waiting', (id) => this.#pick(id));
  readonly #running = new RowList('Running', (id) => this.#show({ kind: 'call', callId: id }, true));
  readonly #finished = new RowList('Recent', (id) => this.#show({ kind: 'call', callId: id }, true), [
    button({
      label: 'Clear recent calls',
      appearance: 'icon',
      icon: icon('clear'),
      onClick: () => post({ kind: 'clearFinished' }),
    }),
  ]);
  readonly #main: HTMLElement;
  readonly #cards = new Map<string, PromptCard>();
  #prompts: readonly PromptSummary[] = [];
  #calls: readonly CallView[] = [];
  #current: Current = { kind: 'nothing' };
  #view: { readonly key: string; readonly card: CardView } | undefined;
  #answered: string | undefined;
  #pointerInside = false;

  constructor(root: HTMLElement) {
    this.#main = make('main', {
      attributes: { 'aria-label': 'Approvals' },
      children: [this.#pager.element, this.#slot, this.#empty],
    });
    const aside = make('aside', {
      attributes: { 'aria-label': 'Other calls' },
      children: [this.#waiting.element, this.#running.element, this.#finished.element],
    });
    root.append(this.#announcer.element, make('div', { class: 'layout', children: [this.#main, aside] }));
    this.#slot.addEventListener('pointerenter', () => (this.#pointerInside = true));
    this.#slot.addEventListener('pointerleave', () => (this.#pointerInside = false));
    this.#draw();
  }

  receive(message: HostMessage): void {
    switch (message.kind) {
      case 'state':
        return this.#setState(message.prompts, message.calls);
      case 'cards':
        for (const card of message.cards) this.#cards.set(card.id, card);
        return this.#draw();
      case 'show':
        if (message.id !== undefined && this.#prompts.some(({ id }) => id === message.id)) {
          this.#show({ kind: 'prompt', id: message.id }, false);
        }
        if (message.focus === 'move') this.#focusCard();
        return;
      case 'armed':
      case 'refused':
      case 'checked':
        if (this.#view?.key.startsWith(`${message.id} `) === true) this.#view.card.receive(message);
        if (message.kind === 'refused' && this.#answered === message.id) this.#answered = undefined;
        return;
      case 'visibility':
        return this.#view?.card.receive(message);
    }
  }

  #setState(prompts: readonly PromptSummary[], calls: readonly CallView[]): void {
    const before = this.#prompts.map(({ id }) => id);
    this.#announcer.prompts(this.#prompts, prompts);
    this.#prompts = prompts;
    this.#calls = calls;
    const waiting = new Map(prompts.map(({ id, digest }) => [id, digest]));
    for (const [id, card] of this.#cards) if (waiting.get(id) !== card.digest) this.#cards.delete(id);
    const engaged = this.#pointerInside || this.#slot.contains(document.activeElement);
    this.#current = nextCurrent(this.#current, { prompts, calls, before, engaged, answered: this.#answered });
    if (this.#answered !== undefined && !waiting.has(this.#answered)) this.#answered = undefined;
    this.#draw();
  }

  #pick(id: string): void {
    this.#show({ kind: 'prompt', id }, true);
  }

  #show(current: Current, byPerson: boolean): void {
    this.#current = current;
    this.#draw();
    if (byPerson) {
      this.#slot.scrollIntoView({ block: 'nearest' });
      window.scrollTo({ top: 0 });
    }
  }

  #draw(): void {
    const current = this.#current;
    this.#drawCard();
    this.#empty.hidden = current.kind !== 'nothing' || this.#prompts.length > 0;
    const promptId = current.kind === 'prompt' ? current.id : undefined;
    this.#pager.update(
      this.#prompts.map(({ id }) => id),
      promptId,
    );
    // The one on show is not listed again, unless it is one of several.
    const others = this.#prompts.length === 1 && promptId !== undefined ? [] : this.#prompts;
    this.#waiting.update(others.map(promptRow), promptId);
    const callId = current.kind === 'call' ? current.callId : undefined;
    const isRunning = ({ state }: CallView): boolean => state.kind === 'running';
    this.#running.update(
      this.#calls.filter((call) => isRunning(call) && call.id !== callId).map(callRow),
      callId,
    );
    this.#finished.update(this.#calls.filter((call) => !isRunning(call)).map(callRow), callId);
    document.title =
      this.#prompts.length === 0
        ? 'Approvals'
        : `Approvals: ${counted(this.#prompts.length, 'call')} waiting`;
  }

  #drawCard(): void {
    const current = this.#current;
    if (current.kind === 'prompt') {
      const card = this.#cards.get(current.id);
      if (card === undefined) {
        post({ kind: 'need', ids: [current.id] });
        return this.#replace(undefined);
      }
      return this.#replace(
        `${card.id} ${card.digest}`,
        () => new ApprovalCardView(card, () => (this.#answered = card.id)),
      );
    }
    if (current.kind === 'call') {
      const call = this.#calls.find(({ id }) => id === current.callId);
      if (call === undefined) return this.#replace(undefined);
      this.#replace(`call ${call.id}`, () => new CallCardView(call));
      if (this.#view?.card instanceof CallCardView) this.#view.card.update(call);
      return;
    }
    // An answered prompt stays as it was, its buttons off, until its call is heard of.
    if (current.kind === 'nothing') this.#replace(undefined);
  }

  #replace(key: string | undefined, create?: () => CardView): void {
    if (this.#view?.key === key) return;
    const hadFocus = this.#slot.contains(document.activeElement);
    this.#view?.card.dispose();
    this.#view = key === undefined || create === undefined ? undefined : { key, card: create() };
    fill(this.#slot, this.#view?.card.element);
    // The keyboard stays on the card, but never on a button: a key that is still held must not answer this one.
    if (hadFocus) this.#focusCard();
  }

  #focusCard(): void {
    this.#view?.card.heading.focus({ preventScroll: true });
  }
}
