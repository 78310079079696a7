import type { ApprovalCard } from '../../src/shared/approvalCard.ts';
import type { CallView } from '../../src/shared/callView.ts';
import type { HostMessage } from '../../src/shared/hostMessage.ts';
import type { PromptCard, PromptSummary } from '../../src/shared/promptCard.ts';
import { BatchCardView } from '../cards/batchCard.ts';
import { CallCardView } from '../cards/callCard.ts';
import type { CardContext, CardView } from '../cards/cardView.ts';
import { button } from '../common/controls.ts';
import { fill, make } from '../common/dom.ts';
import { counted } from '../common/format.ts';
import { post } from '../common/host.ts';
import { icon } from '../common/icons.ts';
import { Announcer } from './announcer.ts';
import { cardViewFor } from './cardViewFor.ts';
import { type Current, nextCurrent } from './current.ts';
import { emptyPage } from './emptyPage.ts';
import { RowList, callRow, promptRow } from './lists.ts';
import { Pager } from './pager.ts';

/** Cards that are asked for at once. */
const mostNeeded = 50;

/** The page: one card at the top, and under it what else waits, what runs, and what has ended. */
export class ApprovalsPage {
  readonly #announcer = new Announcer();
  readonly #pager = new Pager((id) => this.#pick(id));
  readonly #slot = make('div', { class: 'slot' });
  readonly #empty = emptyPage();
  readonly #waiting = new RowList('Waiting', (id) => this.#pick(id));
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
  #view: { readonly key: string; readonly promptId: string | undefined; readonly card: CardView } | undefined;
  #answered: string | undefined;
  #pointerInside = false;

  constructor(root: HTMLElement) {
    const main = make('main', {
      attributes: { 'aria-label': 'Approvals' },
      children: [this.#pager.element, this.#slot, this.#empty],
    });
    const aside = make('aside', {
      attributes: { 'aria-label': 'Other calls' },
      children: [this.#waiting.element, this.#running.element, this.#finished.element],
    });
    root.append(this.#announcer.element, make('div', { class: 'layout', children: [main, aside] }));
    this.#slot.addEventListener('pointerenter', () => (this.#pointerInside = true));
    this.#slot.addEventListener('pointerleave', () => (this.#pointerInside = false));
    this.#draw();
  }

  receive(message: HostMessage): void {
    switch (message.kind) {
      case 'state':
        return this.#setState(message.prompts, message.calls);
      case 'cards':
        for (const card of message.cards) {
          this.#cards.set(card.id, card);
          this.#asked.delete(card.id);
        }
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
        if (this.#view?.promptId === message.id || this.#current.kind === 'batch') {
          this.#view?.card.receive(message);
        }
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

  /** The person has chosen what to see. */
  #pick(id: string): void {
    this.#show({ kind: 'prompt', id });
    window.scrollTo({ top: 0 });
  }

  #pickCall(callId: string): void {
    this.#show({ kind: 'call', callId });
    window.scrollTo({ top: 0 });
  }

  #show(current: Current): void {
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
        // It stays as it was, its buttons off, until its call is heard of.
        return;
    }
  }

  #drawPrompt(id: string): void {
    const card = this.#cards.get(id);
    if (card === undefined) {
      this.#need([id]);
      return this.#replace(undefined);
    }
    const context: CardContext = {
      onAnswer: () => (this.#answered = id),
      reviewTogether: () => this.#reviewTogether(id),
    };
    this.#replace({
      key: `${card.id} ${card.digest}`,
      promptId: id,
      create: () => cardViewFor(card, context),
    });
    const own = this.#prompts.find((prompt) => prompt.id === id);
    const others = this.#prompts.filter((prompt) => prompt.id !== id);
    this.#view?.card.setNeighbours?.({
      sameServer: others.filter(({ serverId }) => serverId === card.serverId).length,
      sameTool: own?.group === undefined ? 0 : others.filter(({ group }) => group === own.group).length,
    });
  }

  #reviewTogether(id: string): void {
    const group = this.#prompts.find((prompt) => prompt.id === id)?.group;
    if (group !== undefined) this.#show({ kind: 'batch', group });
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
    this.#view?.card.dispose();
    this.#view = next && { key: next.key, promptId: next.promptId, card: next.create() };
    fill(this.#slot, this.#view?.card.element);
    // The keyboard stays on the card, but never on a button: a key that is still held must not answer this one.
    if (hadFocus) this.#focusCard();
  }

  #focusCard(): void {
    this.#view?.card.heading.focus({ preventScroll: true });
  }
}
