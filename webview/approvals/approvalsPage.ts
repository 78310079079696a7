import type { ApprovalCard } from '../../src/shared/approvalCard.ts';
import type { CallView } from '../../src/shared/callView.ts';
import type { HostMessage } from '../../src/shared/hostMessage.ts';
import type { PromptCard, PromptSummary } from '../../src/shared/promptCard.ts';
import { BatchCardView } from '../cards/batchCard.ts';
import { CallCardView } from '../cards/callCard.ts';
import type { CardContext, CardView } from '../cards/cardView.ts';
import { button } from '../common/controls.ts';
import { fill, make } from '../common/dom.ts';
import { count, counted } from '../common/format.ts';
import { post } from '../common/host.ts';
import { icon } from '../common/icons.ts';
import { Announcer } from './announcer.ts';
import { cardViewFor } from './cardViewFor.ts';
import { type Current, nextCurrent } from './current.ts';
import { emptyPage } from './emptyPage.ts';
import { RowList, callRow, promptRow } from './lists.ts';
import { Pager } from './pager.ts';
import { Presence } from './presence.ts';

/** Cards that are asked for at once. */
const mostNeeded = 50;

/** How long an allowed call may take to be heard of, in milliseconds, before its card makes room. */
const patienceMs = 4_000;

interface ShownCard {
  readonly key: string;
  readonly promptId: string | undefined;
  readonly card: CardView;
}

/** The page: one card at the top, and under it what else waits, what runs, and what has ended. */
export class ApprovalsPage {
  readonly #announcer = new Announcer();
  readonly #pager = new Pager((id) => this.#pick(id));
  readonly #slot = make('div', { class: 'slot' });
  readonly #presence = new Presence(this.#slot);
  readonly #empty = emptyPage();
  readonly #together = make('span', { attributes: { hidden: '' } });
  readonly #waiting = new RowList('Waiting', (id) => this.#pick(id), [this.#together]);
  readonly #running = new RowList('Running', (id) => this.#pickCall(id));
  readonly #finished = new RowList('Recent', (id) => this.#pickCall(id), [
    button({
      label: 'Clear Recent Calls',
      appearance: 'icon',
      icon: icon('clear'),
      onClick: () => post({ kind: 'clearFinished' }),
    }),
  ]);
  readonly #cards = new Map<string, PromptCard>();
  readonly #asked = new Set<string>();
  #prompts: readonly PromptSummary[] = [];
  #calls: readonly CallView[] = [];
  #current: Current = { kind: 'nothing' };
  #view: ShownCard | undefined;
  /** Cards with a person's work in them, while another card is on show. */
  readonly #aside = new Map<string, ShownCard>();
  #answered: string | undefined;
  #patience = 0;

  constructor(root: HTMLElement) {
    const title = make('h1', { class: 'visually-hidden', text: 'Approvals' });
    const main = make('main', {
      attributes: { 'aria-label': 'Approvals' },
      children: [title, this.#pager.element, this.#slot, this.#empty],
    });
    const aside = make('aside', {
      attributes: { 'aria-label': 'Other calls' },
      children: [this.#waiting.element, this.#running.element, this.#finished.element],
    });
    root.append(this.#announcer.element, make('div', { class: 'layout', children: [main, aside] }));
    this.#draw();
    // However the keyboard comes into the view, it finds the card: not a button of it.
    window.addEventListener('focus', () => {
      if (document.activeElement === document.body) this.#focusCard();
    });
  }

  receive(message: HostMessage): void {
    switch (message.kind) {
      case 'state':
        this.#addCards(message.cards);
        return this.#setState(message.prompts, message.calls);
      case 'cards':
        this.#addCards(message.cards);
        return this.#draw();
      case 'show':
        if (message.id !== undefined && this.#prompts.some(({ id }) => id === message.id)) {
          this.#show({ kind: 'prompt', id: message.id });
        }
        if (message.focus === 'move') this.#focusCard();
        return;
      case 'armed':
      case 'checked':
      case 'opened':
      case 'refused':
        if (message.kind === 'refused' && this.#answered === message.id) this.#answered = undefined;
        for (const view of this.#views()) {
          if (view.promptId === message.id || view.card instanceof BatchCardView) view.card.receive(message);
        }
        return;
      case 'result':
      case 'link':
        for (const { card } of this.#views()) card.receiveResult?.(message);
        return;
      case 'visibility':
        for (const { card } of this.#views()) card.receive(message);
        return;
    }
  }

  #addCards(cards: readonly PromptCard[]): void {
    for (const card of cards) {
      this.#cards.set(card.id, card);
      this.#asked.delete(card.id);
    }
  }

  #setState(prompts: readonly PromptSummary[], calls: readonly CallView[]): void {
    const before = this.#prompts.map(({ id }) => id);
    this.#announcer.prompts(this.#prompts, prompts);
    this.#prompts = prompts;
    this.#calls = calls;
    const waiting = new Map(prompts.map(({ id, digest }) => [id, digest]));
    const previous = this.#current;
    this.#current = nextCurrent(previous, {
      prompts,
      calls,
      before,
      engaged: this.#presence.isEngaged,
      active: this.#presence.isActive,
      answered: this.#answered,
      landing: (promptId) => this.#landing(promptId),
    });
    this.#keepRoom(previous);
    // What is held back for the person's sake comes once they have turned away.
    if (this.#current.kind === 'call' && this.#current.held === true) {
      this.#presence.whenAtRest(() => this.#setState(this.#prompts, this.#calls));
    }
    for (const [id, card] of this.#cards) if (waiting.get(id) !== card.digest) this.#cards.delete(id);
    this.#dropAside(waiting);
    if (this.#answered !== undefined && !waiting.has(this.#answered)) this.#answered = undefined;
    this.#draw();
  }

  /** What takes the place of a withdrawn prompt keeps its room: nothing may slide under a pointer about to press. */
  #keepRoom(previous: Current): void {
    const current = this.#current;
    if (current === previous) return;
    const inPlace = previous.kind === 'prompt' && current.kind === 'call' && current.held === true;
    this.#slot.style.minBlockSize = inPlace ? `${this.#slot.offsetHeight}px` : '';
  }

  /** Where a prompt goes when it leaves: to the call that came of it, or in whose middle it stood. */
  #landing(promptId: string): Current {
    const card = this.#cards.get(promptId);
    const callId = card !== undefined && 'call' in card ? card.call?.callId : undefined;
    const call = this.#calls.find((known) => known.promptId === promptId || known.id === callId);
    if (call !== undefined) return { kind: 'call', callId: call.id };
    const starts = this.#current.kind === 'answered' || card?.kind === 'approval';
    return starts ? { kind: 'answered', promptId } : { kind: 'nothing' };
  }

  /** The person has chosen what to see. */
  #pick(id: string): void {
    this.#show({ kind: 'prompt', id });
    window.scrollTo({ top: 0 });
  }

  #pickCall(callId: string): void {
    this.#show({ kind: 'call', callId, held: true });
    window.scrollTo({ top: 0 });
  }

  #show(current: Current): void {
    this.#slot.style.minBlockSize = '';
    this.#current = current;
    this.#draw();
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
    this.#drawTogether(promptId);
    const callId = current.kind === 'call' ? current.callId : undefined;
    const isRunning = ({ state }: CallView): boolean => state.kind === 'running';
    this.#running.update(
      this.#calls.filter((call) => isRunning(call) && call.id !== callId).map(callRow),
      callId,
    );
    this.#finished.update(this.#calls.filter((call) => !isRunning(call)).map(callRow), callId);
    const waiting = this.#prompts.length;
    document.title = waiting === 0 ? 'Approvals' : `Approvals: ${counted(waiting, 'call')} waiting`;
  }

  #drawCard(): void {
    const current = this.#current;
    switch (current.kind) {
      case 'prompt':
        return this.#drawPrompt(current.id);
      case 'batch':
        return this.#drawBatch(current.group);
      case 'call': {
        const call = this.#calls.find(({ id }) => id === current.callId);
        if (call === undefined) return this.#replace(undefined);
        this.#replace({ key: `call ${call.id}`, create: () => new CallCardView(call) });
        if (this.#view?.card instanceof CallCardView) this.#view.card.update(call);
        return;
      }
      case 'nothing':
        return this.#replace(undefined);
      case 'answered':
        // It stays as it was, its buttons off, until its call is heard of; but not for ever.
        return this.#waitForCall();
    }
  }

  #waitForCall(): void {
    window.clearTimeout(this.#patience);
    this.#patience = window.setTimeout(() => {
      if (this.#current.kind === 'answered') this.#show({ kind: 'nothing' });
    }, patienceMs);
  }

  #drawPrompt(id: string): void {
    const card = this.#cards.get(id);
    if (card === undefined) {
      this.#need([id]);
      return this.#replace(undefined);
    }
    const context: CardContext = { onAnswer: () => (this.#answered = id) };
    this.#replace({
      key: `${card.id} ${card.digest}`,
      promptId: id,
      create: () => cardViewFor(card, context),
    });
    const others = this.#prompts.filter((prompt) => prompt.id !== id && prompt.serverId === card.serverId);
    this.#view?.card.setOthers?.(others.length);
    this.#view?.card.setObstacle?.(this.#prompts.find((prompt) => prompt.id === id)?.obstacle);
  }

  /** Offers to read all calls of the tool on show together; at the list, where it moves no button of the card. */
  #drawTogether(promptId: string | undefined): void {
    const group = this.#prompts.find(({ id }) => id === promptId)?.group;
    const size = group === undefined ? 0 : this.#prompts.filter((prompt) => prompt.group === group).length;
    this.#together.hidden = size < 2;
    if (group === undefined || size < 2) return;
    const label = `Review ${count(size)} Together`;
    if (this.#together.textContent === label) return;
    const show = (): void => this.#reviewTogether();
    fill(this.#together, button({ label, className: 'small', onClick: show }));
  }

  #reviewTogether(): void {
    const current = this.#current;
    const shown = current.kind === 'prompt' ? this.#prompts.find(({ id }) => id === current.id) : undefined;
    if (shown?.group !== undefined) this.#show({ kind: 'batch', group: shown.group });
    window.scrollTo({ top: 0 });
  }

  #drawBatch(group: string): void {
    const ids = this.#prompts.filter((prompt) => prompt.group === group).map(({ id }) => id);
    this.#need(ids.filter((id) => !this.#cards.has(id)));
    const cards = ids
      .map((id) => this.#cards.get(id))
      .filter((card): card is ApprovalCard => card?.kind === 'approval');
    if (cards.length === 0) return this.#replace(undefined);
    const onClose = (): void => {
      const [first] = ids;
      this.#show(first === undefined ? { kind: 'nothing' } : { kind: 'prompt', id: first });
    };
    this.#replace({ key: `batch ${group}`, create: () => new BatchCardView(cards, { onClose }) });
    if (this.#view?.card instanceof BatchCardView) this.#view.card.setCards(cards);
  }

  #need(ids: readonly string[]): void {
    const missing = ids.filter((id) => !this.#asked.has(id)).slice(0, mostNeeded);
    if (missing.length === 0) return;
    for (const id of missing) this.#asked.add(id);
    post({ kind: 'need', ids: missing });
  }

  #replace(
    next: { readonly key: string; readonly promptId?: string; readonly create: () => CardView } | undefined,
  ): void {
    if (this.#view?.key === next?.key) return;
    const hadFocus = this.#slot.contains(document.activeElement);
    if (this.#view !== undefined) this.#putAway(this.#view);
    this.#view = next && {
      key: next.key,
      promptId: next.promptId,
      card: this.#aside.get(next.key)?.card ?? next.create(),
    };
    if (next !== undefined) this.#aside.delete(next.key);
    fill(this.#slot, this.#view?.card.element);
    // The keyboard stays on the card, but never on a button: a key that is still held must not answer this one.
    if (hadFocus) this.#focusCard();
  }

  /** The card on show, and those that were put aside: what is said of them must not get lost. */
  #views(): readonly ShownCard[] {
    return [...(this.#view === undefined ? [] : [this.#view]), ...this.#aside.values()];
  }

  /** A card that holds a person's work is kept for as long as its prompt waits; others are drawn anew. */
  #putAway(view: ShownCard): void {
    const waits = this.#prompts.some(({ id }) => id === view.promptId);
    if (waits && view.card.holdsWork?.() === true) this.#aside.set(view.key, view);
    else view.card.dispose();
  }

  #dropAside(waiting: ReadonlyMap<string, string>): void {
    for (const [key, { promptId, card }] of this.#aside) {
      if (promptId !== undefined && waiting.has(promptId)) continue;
      card.dispose();
      this.#aside.delete(key);
    }
  }

  #focusCard(): void {
    this.#view?.card.heading.focus({ preventScroll: true });
  }
}
