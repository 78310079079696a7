import type { Clock } from '../base/clock.ts';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { Emitter } from '../base/event.ts';
import type { JsonObject } from '../base/json.ts';
import type { CallOutcome, CallProgressView, CallView } from '../shared/callView.ts';
import type { Caller } from '../shared/caller.ts';
import { argumentsPreview, cut } from './preview.ts';
import type { PromptQueue, SettledPrompt } from './promptQueue.ts';
import { promptSummary } from './promptSummary.ts';

/** A call that starts now. */
export interface StartedCall {
  readonly callId: string;
  /** The prompt that allowed it, if a person was asked. */
  readonly promptId?: string;
  readonly serverId: string;
  readonly toolName: string;
  readonly caller: Caller;
  readonly arguments: JsonObject;
  /** The person has changed the arguments before they allowed it. */
  readonly edited?: boolean;
  /** Stops the call. */
  readonly cancel: () => void;
}

const longestSummary = 4_000;

/** What runs and what ran lately, for the person's eye. The record is kept elsewhere. */
export class CallBoard implements Disposable {
  readonly #clock: Clock;
  readonly #keep: number;
  readonly #running = new Map<
    string,
    { readonly view: CallView; readonly start: number; readonly cancel: () => void }
  >();
  readonly #changed = new Emitter<void>();
  readonly #held = new DisposableStore();
  /** Latest last; may hold a few more than are listed. */
  #finished: CallView[] = [];

  /** `keep`: how many finished calls stay listed. */
  constructor(options: { readonly clock: Clock; readonly queue: PromptQueue; readonly keep?: number }) {
    this.#clock = options.clock;
    this.#keep = options.keep ?? 30;
    this.#held.add(options.queue.onDidSettle((settled) => this.#promptSettled(settled)));
  }

  readonly onDidChange = this.#changed.event;

  /** Running calls in order of start, then finished ones, latest first. */
  get calls(): readonly CallView[] {
    const finished = this.#finished.slice(-this.#keep).toReversed();
    return [...Array.from(this.#running.values(), ({ view }) => view), ...finished];
  }

  started(call: StartedCall): void {
    const view: CallView = {
      id: call.callId,
      ...(call.promptId === undefined ? {} : { promptId: call.promptId }),
      serverId: call.serverId,
      toolName: call.toolName,
      caller: call.caller,
      preview: argumentsPreview(call.arguments),
      ...(call.edited === true ? { edited: true } : {}),
      state: { kind: 'running', startedAt: this.#clock.now() },
      hasResult: false,
    };
    this.#running.set(call.callId, { view, start: this.#clock.monotonic(), cancel: call.cancel });
    this.#changed.fire();
  }

  progress(callId: string, progress: CallProgressView): void {
    const call = this.#running.get(callId);
    if (call?.view.state.kind !== 'running') return;
    const message = progress.message === undefined ? {} : { message: cut(progress.message, 500) };
    const state = { ...call.view.state, progress: { ...progress, ...message } };
    this.#running.set(callId, { ...call, view: { ...call.view, state } });
    this.#changed.fire();
  }

  /** `summary`: the result or the error as text; only its start is kept. `hasResult`: "Open result" works. */
  finished(
    callId: string,
    end: { readonly outcome: CallOutcome; readonly summary: string; readonly hasResult: boolean },
  ): void {
    const call = this.#running.get(callId);
    if (call === undefined) return;
    this.#running.delete(callId);
    this.#add({
      ...call.view,
      hasResult: end.hasResult,
      state: {
        kind: 'finished',
        outcome: end.outcome,
        endedAt: this.#clock.now(),
        durationMs: this.#clock.monotonic() - call.start,
        summary: cut(end.summary, longestSummary),
      },
    });
  }

  /** A person wants a running call to stop. */
  cancel(callId: string): void {
    this.#running.get(callId)?.cancel();
  }

  clearFinished(): void {
    this.#finished = [];
    this.#changed.fire();
  }

  dispose(): void {
    this.#held.dispose();
    this.#changed.dispose();
  }

  #add(view: CallView): void {
    this.#finished.push(view);
    // Cut now and then, and not at every call.
    if (this.#finished.length >= 2 * this.#keep) this.#finished = this.#finished.slice(-this.#keep);
    this.#changed.fire();
  }

  /** What was not allowed never starts, but the person should find it in the list all the same. */
  #promptSettled({ card, outcome, cause, reason }: SettledPrompt): void {
    if (outcome === 'answered') return;
    // A form that the person has declined is done with; one that vanished under their hands is news.
    if (outcome === 'denied' && (card.kind !== 'approval' || card.isDraft === true)) return;
    const { title, preview } = promptSummary(card);
    const caller = card.kind === 'approval' ? card.caller : 'call' in card ? card.call?.caller : undefined;
    this.#add({
      id: card.id,
      promptId: card.id,
      serverId: card.serverId,
      toolName: title,
      ...(caller === undefined ? {} : { caller }),
      preview,
      hasResult: false,
      state: {
        kind: 'finished',
        outcome: outcome === 'denied' ? 'denied' : 'withdrawn',
        endedAt: this.#clock.now(),
        summary: cause === 'expired' ? 'Nobody answered in time.' : cut(reason ?? '', longestSummary),
      },
    });
  }
}
