import { throwIfAborted } from '../base/abort.ts';
import type { CatalogueEntry } from './catalogueEntry.ts';
import { TimeSlice } from '../base/timeSlice.ts';
import { wordsOf } from './words.ts';

/** How much a word counts where it stands. */
const WEIGHTS = { name: 8, title: 5, server: 3, description: 1 } as const;

const MAX_QUERY_WORDS = 16;

/** Finds tools by words of their names, titles and descriptions. Indexes what is new when it is asked. */
export class ToolSearch {
  readonly #indexed = new Map<
    string,
    { readonly entry: CatalogueEntry; readonly words: readonly string[] }
  >();
  /** Word → entry's key → weight. */
  readonly #postings = new Map<string, Map<string, number>>();
  #queue: Promise<unknown> = Promise.resolve();

  /**
   * The best entries first: those with most of the query's words, then those where the words count most.
   * An empty query finds nothing. Works in slices; searches take turns.
   */
  search(
    entries: readonly CatalogueEntry[],
    query: string,
    limit: number,
    signal?: AbortSignal,
  ): Promise<CatalogueEntry[]> {
    const result = this.#queue.then(() => this.#search(entries, query, limit, signal));
    // A search that was cancelled must not stop the next one.
    this.#queue = result.catch(() => undefined);
    return result;
  }

  async #search(
    entries: readonly CatalogueEntry[],
    query: string,
    limit: number,
    signal: AbortSignal | undefined,
  ): Promise<CatalogueEntry[]> {
    const slice = new TimeSlice();
    await this.#update(entries, slice, signal);
    const scores = new Map<string, { words: number; score: number }>();
    for (const word of new Set(wordsOf(query).slice(0, MAX_QUERY_WORDS))) {
      throwIfAborted(signal);
      await slice.pause();
      for (const [key, score] of this.#matches(word)) {
        const before = scores.get(key);
        if (before === undefined) scores.set(key, { words: 1, score });
        else {
          before.words += 1;
          before.score += score;
        }
      }
    }
    const found = [...scores].flatMap(([key, rank]) => {
      const entry = this.#indexed.get(key)?.entry;
      return entry === undefined ? [] : [{ entry, ...rank }];
    });
    found.sort(
      (a, b) => b.words - a.words || b.score - a.score || (a.entry.modelName < b.entry.modelName ? -1 : 1),
    );
    return found.slice(0, limit).map(({ entry }) => entry);
  }

  /** Entries that have a word, or one that begins with it; rare words count more. */
  #matches(word: string): Map<string, number> {
    const best = new Map<string, number>();
    const stem = word.length > 3 && word.endsWith('s') ? word.slice(0, -1) : word;
    for (const [term, posting] of this.#postings) {
      const fit =
        term === word
          ? 1
          : term === stem
            ? 0.9
            : term.startsWith(stem)
              ? 0.5
              : isInflected(term, word)
                ? 0.3
                : 0;
      if (fit === 0) continue;
      const rarity = Math.log(1 + this.#indexed.size / posting.size);
      for (const [key, weight] of posting) {
        best.set(key, Math.max(best.get(key) ?? 0, fit * rarity * weight));
      }
    }
    return best;
  }

  async #update(
    entries: readonly CatalogueEntry[],
    slice: TimeSlice,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const current = new Set(entries.map((entry) => entry.key));
    for (const key of this.#indexed.keys()) if (!current.has(key)) this.#remove(key);
    for (const entry of entries) {
      const before = this.#indexed.get(entry.key);
      if (before?.entry === entry) continue;
      if (before !== undefined) this.#remove(entry.key);
      this.#add(entry);
      if (slice.isUsedUp) {
        await slice.pause();
        throwIfAborted(signal);
      }
    }
  }

  #add(entry: CatalogueEntry): void {
    const weights = new Map<string, number>();
    const add = (text: string | undefined, weight: number): void => {
      for (const word of new Set(wordsOf(text ?? ''))) weights.set(word, (weights.get(word) ?? 0) + weight);
    };
    add(entry.toolName, WEIGHTS.name);
    add(entry.tool?.title ?? entry.tool?.annotations?.title, WEIGHTS.title);
    add(entry.serverId, WEIGHTS.server);
    add(entry.tool?.description, WEIGHTS.description);
    this.#indexed.set(entry.key, { entry, words: [...weights.keys()] });
    for (const [word, weight] of weights) {
      let posting = this.#postings.get(word);
      if (posting === undefined) {
        posting = new Map();
        this.#postings.set(word, posting);
      }
      posting.set(entry.key, weight);
    }
  }

  #remove(key: string): void {
    for (const word of this.#indexed.get(key)?.words ?? []) {
      const posting = this.#postings.get(word);
      posting?.delete(key);
      if (posting?.size === 0) this.#postings.delete(word);
    }
    this.#indexed.delete(key);
  }
}

/** Whether two long words differ in their last letter only, as the forms of a word do in many languages. */
function isInflected(one: string, other: string): boolean {
  return other.length > 5 && one.length === other.length && one.startsWith(other.slice(0, -1));
}
