import type { Disposable } from '../../base/disposable.ts';
import { errorMessage, isCancellation } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import type { CallEntry, HistoryFilter } from './callEntry.ts';
import { HistoryReader } from './historyReader.ts';

export interface HistoryPagesOptions {
  /** Asked anew at each beginning: the setting may change. */
  readonly folder: () => string;
  /** Calls per page. */
  readonly pageSize: number;
  /** Longest search for a page before it comes back as it is, in milliseconds. */
  readonly budgetMs: number;
}

export type PagesState =
  | { readonly kind: 'loading' }
  /** Older calls may follow. `scanned`: records looked at so far. */
  | { readonly kind: 'more'; readonly scanned: number }
  | { readonly kind: 'ended' }
  | { readonly kind: 'failed'; readonly message: string };

/**
 * The part of the history that is in view: as many pages as were asked for, the newest call first. Reads only what
 * is asked for, so a history of a million calls opens as fast as one of ten.
 */
export class HistoryPages implements Disposable {
  readonly #options: HistoryPagesOptions;
  readonly #changed = new Emitter<void>();
  readonly onDidChange = this.#changed.event;
  #filter: HistoryFilter = {};
  #entries: readonly CallEntry[] = [];
  #state: PagesState = { kind: 'loading' };
  #reader: HistoryReader | undefined;
  #abort = new AbortController();
  /** Readings wait for each other, so that pages come in order. */
  #queue: Promise<void> = Promise.resolve();

  constructor(options: HistoryPagesOptions) {
    this.#options = options;
  }

  get entries(): readonly CallEntry[] {
    return this.#entries;
  }
  get state(): PagesState {
    return this.#state;
  }
  get filter(): HistoryFilter {
    return this.#filter;
  }

  /** Begins anew with the newest call. */
  async restart(filter: HistoryFilter = this.#filter): Promise<void> {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#filter = filter;
    this.#entries = [];
    this.#reader = undefined;
    this.#setState({ kind: 'loading' });
    await this.#enqueue((signal) => this.#page(signal));
  }

  /** Reads the next page of older calls. */
  async more(): Promise<void> {
    if (this.#state.kind !== 'more') return;
    this.#setState({ kind: 'loading' });
    await this.#enqueue((signal) => this.#page(signal));
  }

  /** Takes in what happened since: new calls, and how those in view went on. */
  async refresh(): Promise<void> {
    if (this.#reader === undefined) return this.restart();
    await this.#enqueue((signal) => this.#news(signal));
  }

  dispose(): void {
    this.#abort.abort();
    this.#changed.dispose();
  }

  async #page(signal: AbortSignal): Promise<void> {
    const { folder, pageSize, budgetMs } = this.#options;
    this.#reader ??= new HistoryReader(folder(), this.#filter);
    const page = await this.#reader.next(pageSize, { signal, budgetMs });
    this.#entries = [...this.#entries, ...page.entries];
    this.#setState(page.ended ? { kind: 'ended' } : { kind: 'more', scanned: page.scanned });
  }

  async #news(signal: AbortSignal): Promise<void> {
    const { folder, pageSize, budgetMs } = this.#options;
    const reader = new HistoryReader(folder(), this.#filter);
    const page = await reader.next(pageSize, { signal, budgetMs });
    const known = new Set(this.#entries.map((entry) => keyOf(entry)));
    const reachesKnown = page.entries.some((entry) => known.has(keyOf(entry)));
    if (!reachesKnown && page.entries.length === pageSize) {
      // More is new than fits a page: what lies between is unknown, so it is told from the beginning.
      this.#entries = page.entries;
      this.#reader = reader;
      this.#setState(page.ended ? { kind: 'ended' } : { kind: 'more', scanned: page.scanned });
      return;
    }
    this.#entries = mergeNewer(page.entries, this.#entries);
    this.#changed.fire();
  }

  #enqueue(read: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const { signal } = this.#abort;
    this.#queue = this.#queue.then(async () => {
      if (signal.aborted) return;
      try {
        await read(signal);
      } catch (error) {
        if (isCancellation(error) || signal.aborted) return;
        this.#setState({ kind: 'failed', message: errorMessage(error) });
      }
    });
    return this.#queue;
  }

  #setState(state: PagesState): void {
    this.#state = state;
    this.#changed.fire();
  }
}

/** Newer readings of calls take the place of older ones; the rest keeps its order, the newest first. */
export function mergeNewer(newer: readonly CallEntry[], older: readonly CallEntry[]): readonly CallEntry[] {
  const replaced = new Set(newer.map((entry) => keyOf(entry)));
  return [...newer, ...older.filter((entry) => !replaced.has(keyOf(entry)))];
}

function keyOf({ sessionId, callId }: CallEntry): string {
  return `${sessionId} ${callId}`;
}
