import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { journalFiles } from '../verifyFolder.ts';
import type { CallEntry, HistoryFilter } from './callEntry.ts';
import { SessionCalls } from './sessionCalls.ts';

export interface HistoryPage {
  /** The newest first. */
  readonly entries: readonly CallEntry[];
  /** Nothing older is left. */
  readonly ended: boolean;
  /** Records looked at since the beginning. */
  readonly scanned: number;
}

interface Source {
  readonly calls: SessionCalls;
  /** No call of the session is younger than this, in milliseconds since 1970. Corrected by what is read. */
  bound: number;
}

/**
 * Pages through all calls of a folder, the newest first, across sessions. Shows the state at the time when it was
 * opened; what comes later is told by `AuditLog.onRecorded`.
 */
export class HistoryReader {
  readonly #folder: string;
  readonly #filter: HistoryFilter;
  #sources: Promise<Source[]> | undefined;

  constructor(folder: string, filter: HistoryFilter = {}) {
    this.#folder = folder;
    this.#filter = filter;
  }

  /**
   * The next `count` calls, or fewer at the end. Other work gets its turn in between; the signal stops it.
   * `budgetMs`: a page that takes longer, because hardly anything matches, comes back incomplete, with `ended: false`.
   */
  async next(
    count: number,
    options: { readonly signal?: AbortSignal; readonly budgetMs?: number } = {},
  ): Promise<HistoryPage> {
    this.#sources ??= this.#open();
    const sources = await this.#sources;
    const deadline = performance.now() + (options.budgetMs ?? Infinity);
    const entries: CallEntry[] = [];
    while (entries.length < count && performance.now() < deadline) {
      options.signal?.throwIfAborted();
      const newest = newestOf(sources);
      if (newest === undefined) break;
      const entry = newest.calls.peek();
      if (entry === undefined) {
        await newest.calls.step();
        // Files that are in memory already would otherwise never let go.
        await setImmediate();
      } else {
        entries.push(entry);
        newest.calls.take();
      }
      const next = newest.calls.peek();
      if (next !== undefined) newest.bound = Date.parse(next.time);
      else if (entry !== undefined) newest.bound = Math.min(newest.bound, Date.parse(entry.time));
    }
    return {
      entries,
      ended: newestOf(sources) === undefined,
      scanned: sources.reduce((sum, source) => sum + source.calls.scanned, 0),
    };
  }

  async #open(): Promise<Source[]> {
    const sessions = new Map<string, string[]>();
    for (const { sessionId, file } of await journalFiles(this.#folder)) {
      const files = sessions.get(sessionId) ?? [];
      files.unshift(file);
      sessions.set(sessionId, files);
    }
    const sources: Source[] = [];
    for (const [sessionId, files] of sessions) {
      const [newest] = files;
      if (newest === undefined) continue;
      const found = await stat(join(this.#folder, newest)).catch(() => undefined);
      const bound = found?.mtimeMs ?? 0;
      if (this.#filter.from !== undefined && bound < this.#filter.from - 86_400_000) continue;
      sources.push({ calls: new SessionCalls(this.#folder, sessionId, files, this.#filter), bound });
    }
    return sources;
  }
}

/** The source whose next call may be the newest of all. */
function newestOf(sources: readonly Source[]): Source | undefined {
  let best: Source | undefined;
  for (const source of sources) {
    if (!source.calls.ended && (best === undefined || source.bound > best.bound)) best = source;
  }
  return best;
}
