import { randomUUID } from 'node:crypto';
import type { Clock } from '../base/clock.ts';
import { type Disposable, DisposableStore, toDisposable } from '../base/disposable.ts';
import { Emitter } from '../base/event.ts';
import type { InputProblem, RefusalReason } from '../shared/hostMessage.ts';
import { type PageAnswer, isRefusing } from '../shared/pageMessage.ts';
import type { PromptCard } from '../shared/promptCard.ts';
import type { Arming } from './arming.ts';
import type { CancelCause, Denial, Judgement, Prompt, Settlement } from './prompt.ts';
import { shownCard } from './shownCard.ts';

export type AnswerVerdict =
  | { readonly kind: 'accepted' }
  /** Taken, and the prompt still waits. */
  | { readonly kind: 'kept' }
  | { readonly kind: 'refused'; readonly reason: RefusalReason; readonly problems: readonly InputProblem[] };

/** How a prompt left the queue. */
export interface SettledPrompt {
  readonly card: PromptCard;
  readonly outcome: 'answered' | 'denied' | 'cancelled';
  readonly cause?: CancelCause;
  /** What the person said when they denied it. */
  readonly reason?: string;
  readonly waitedMs: number;
}

interface Entry {
  readonly place: number;
  readonly card: PromptCard;
  readonly turn: string | undefined;
  judge(answer: PageAnswer): Promise<Judgement<() => void>>;
  check(value: unknown): Promise<readonly InputProblem[]>;
  deny(denial: Denial): void;
  cancel(cause: CancelCause): void;
  /** What must be let go of when the prompt leaves: its timer, its listener. */
  readonly held: DisposableStore;
}

/**
 * What waits for a person, in the order in which it came up. Every way out of the queue that is not
 * an accepted answer is a refusal: nothing is ever allowed by default.
 */
export class PromptQueue implements Disposable {
  readonly #clock: Clock;
  readonly #limit: number;
  /** In the order of their places. */
  #entries = new Map<string, Entry>();
  /** The last that was given out. */
  #lastPlace = 0;
  /** The last of those that have been in the queue. */
  #highestPlace = 0;
  readonly #changed = new Emitter<void>();
  readonly #settled = new Emitter<SettledPrompt>();
  #disposed = false;

  /** `limit`: how many may wait at once; what comes after them is cancelled. */
  constructor(options: { readonly clock: Clock; readonly limit?: number }) {
    this.#clock = options.clock;
    this.#limit = options.limit ?? 10_000;
  }

  readonly onDidChange = this.#changed.event;
  readonly onDidSettle = this.#settled.event;

  /** The cards of what waits, in order. */
  get pending(): readonly PromptCard[] {
    return Array.from(this.#entries.values(), ({ card }) => card);
  }

  get size(): number {
    return this.#entries.size;
  }

  card(id: string): PromptCard | undefined {
    return this.#entries.get(id)?.card;
  }

  /** The next place in the order: for what may be asked only after some work of uncertain length. */
  takePlace(): number {
    this.#lastPlace += 1;
    return this.#lastPlace;
  }

  /** Asks, and waits. Never rejects: the signal, the end of the queue and expiry are answers too. */
  ask<A>(prompt: Prompt<A>, signal?: AbortSignal): Promise<A> {
    const id = randomUUID();
    const askedAt = this.#clock.now();
    const start = this.#clock.monotonic();
    const { expiresInMs } = prompt;
    const card = this.#cardOf(() =>
      prompt.content({
        id,
        askedAt,
        ...(expiresInMs === undefined ? {} : { expiresAt: askedAt + expiresInMs }),
      }),
    );
    const settlement = (): Settlement => ({
      promptId: id,
      digest: card?.digest ?? '',
      waitedMs: this.#clock.monotonic() - start,
    });
    const refused = this.#refusalOf(card, signal);
    if (card === undefined || refused !== undefined) {
      return Promise.resolve(prompt.cancelled(refused ?? 'unshowable', settlement()));
    }
    return new Promise<A>((resolve) => {
      const held = new DisposableStore();
      const leave = (
        outcome: SettledPrompt['outcome'],
        answer: A,
        { cause, reason }: { readonly cause?: CancelCause; readonly reason?: string | undefined } = {},
      ): void => {
        if (!this.#entries.delete(id)) return;
        held.dispose();
        resolve(answer);
        const { waitedMs } = settlement();
        this.#settled.fire({
          card,
          outcome,
          waitedMs,
          ...(cause === undefined ? {} : { cause }),
          ...(reason === undefined ? {} : { reason }),
        });
        this.#changed.fire();
      };
      const cancel = (cause: CancelCause): void =>
        leave('cancelled', prompt.cancelled(cause, settlement()), { cause });
      this.#add(id, {
        place: prompt.place ?? this.takePlace(),
        card,
        turn: prompt.turn,
        held,
        check: (value) => prompt.check(value),
        judge: async (answer) => {
          const judgement = await prompt.judge(answer, card, settlement());
          if (judgement.kind !== 'answer') return judgement;
          const outcome = isRefusing(answer) ? 'denied' : 'answered';
          const reason = answer.kind === 'deny' ? answer.reason?.trim() : undefined;
          return {
            kind: 'answer',
            answer: () => leave(outcome, judgement.answer, reason ? { reason } : {}),
          };
        },
        deny: (denial) => leave('denied', prompt.denied(denial, settlement()), { reason: denial.reason }),
        cancel,
      });
      if (expiresInMs !== undefined) held.add(this.#clock.after(expiresInMs, () => cancel('expired')));
      if (signal !== undefined) {
        const onAbort = (): void => cancel('aborted');
        signal.addEventListener('abort', onAbort, { once: true });
        held.add(toDisposable(() => signal.removeEventListener('abort', onAbort)));
      }
      const attached = prompt.attach?.((answer) => leave('answered', answer(settlement())));
      if (attached !== undefined) held.add(attached);
      this.#changed.fire();
    });
  }

  /**
   * A person's answer to the card with this digest. It is taken only while the very card that they saw
   * still waits; one that permits something also needs the page that sent it to have had it in view.
   */
  async answer(id: string, digest: string, answer: PageAnswer, arming: Arming): Promise<AnswerVerdict> {
    const entry = this.#entries.get(id);
    if (entry === undefined) return refusal('unknownPrompt');
    if (entry.card.digest !== digest) return refusal('stale');
    if (!isRefusing(answer) && !arming.isArmed(id, digest)) return refusal('notShown');
    let judgement: Judgement<() => void>;
    try {
      judgement = await entry.judge(answer);
    } catch {
      // A check that breaks is no permission.
      return refusal('failed');
    }
    if (judgement.kind === 'refused') return refusal(judgement.reason, judgement.problems);
    if (judgement.kind === 'kept') return judgement;
    if (this.#entries.get(id) !== entry) return refusal('unknownPrompt');
    judgement.answer();
    if (answer.kind === 'deny' && answer.also !== undefined)
      this.#denyAlso(entry, answer.also, answer.reason);
    return { kind: 'accepted' };
  }

  /** What is wrong with a value that a person is typing into this prompt. */
  async check(id: string, value: unknown): Promise<readonly InputProblem[] | undefined> {
    return this.#entries.get(id)?.check(value);
  }

  /** Cancels everything that waits and refuses everything that comes. */
  dispose(): void {
    this.#disposed = true;
    for (const entry of Array.from(this.#entries.values())) entry.cancel('closed');
    this.#changed.dispose();
    this.#settled.dispose();
  }

  #add(id: string, entry: Entry): void {
    this.#entries.set(id, entry);
    const isEarlier = entry.place < this.#highestPlace;
    this.#highestPlace = Math.max(this.#highestPlace, entry.place);
    if (isEarlier)
      this.#entries = new Map(Array.from(this.#entries).sort(([, a], [, b]) => a.place - b.place));
  }

  #cardOf(content: () => Parameters<typeof shownCard>[0]): PromptCard | undefined {
    return this.#disposed ? undefined : shownCard(content());
  }

  #refusalOf(card: PromptCard | undefined, signal: AbortSignal | undefined): CancelCause | undefined {
    if (this.#disposed) return 'closed';
    if (signal?.aborted === true) return 'aborted';
    if (this.#entries.size >= this.#limit) return 'tooMany';
    return card === undefined ? 'unshowable' : undefined;
  }

  #denyAlso(from: Entry, also: 'server' | 'turn', reason: string | undefined): void {
    const denial = { ...(reason?.trim() ? { reason: reason.trim() } : {}), stopTurn: also === 'turn' };
    for (const entry of Array.from(this.#entries.values())) {
      const same =
        also === 'server'
          ? entry.card.serverId === from.card.serverId
          : entry.turn !== undefined && entry.turn === from.turn;
      if (same) entry.deny(denial);
    }
  }
}

function refusal(reason: RefusalReason, problems: readonly InputProblem[] = []): AnswerVerdict {
  return { kind: 'refused', reason, problems };
}
