import type { Clock } from '../base/clock.ts';
import { HostError, RpcError } from '../base/errors.ts';
import type { JsonObject, JsonValue } from '../base/json.ts';
import { errorCode } from '../protocol/errorCodes.ts';
import type { WireCodec } from '../protocol/wire/codec.ts';
import { textLengthOf } from '../protocol/wire/textLength.ts';
import { isVouchedWellFormed } from '../protocol/wire/wellFormed.ts';
import type { ResponseCache } from './responseCache.ts';

const maxPages = 1_000;
const maxEntries = 100_000;
/** All pages together, in characters of their JSON. */
const maxLength = 64 * 1024 * 1024;

export interface Page<T> {
  readonly entries: readonly T[];
  /** About as many characters as its JSON has. */
  readonly length: number;
  readonly nextCursor: string | undefined;
  /** When the time is over that the server gave it; monotonic milliseconds. Absent: it gave none. */
  readonly expiresAt: number | undefined;
}

export interface PagedListOptions<T> {
  /** `tools/list` and its like, and the member of their results that holds the entries. */
  readonly method: string;
  readonly member: string;
  /** Reads one entry; `place` counts from 1 within its page; `wellFormed`: its texts are valid Unicode. */
  readonly read: (raw: JsonValue, place: number, wellFormed: boolean) => T;
  readonly request: (name: string, params: JsonObject) => Promise<JsonObject>;
  readonly codec: () => WireCodec;
  readonly cache: ResponseCache<Page<T>>;
  readonly clock: Clock;
  /** Milliseconds that all pages together may take. */
  readonly maxTimeoutMs: number;
}

/** Reads a list of the server page by page, fresh pages from the cache (specification: pagination, caching). */
export class PagedList<T> {
  readonly #options: PagedListOptions<T>;

  constructor(options: PagedListOptions<T>) {
    this.#options = options;
  }

  /**
   * All pages, in the server's order.
   * @throws HostError `tooManyPages`, `protocolViolation`; RpcError
   */
  async read(): Promise<readonly Page<T>[]> {
    try {
      return await this.#readOnce();
    } catch (error) {
      if (!(error instanceof StaleCursor)) throw error;
    }
    // A cursor went bad, so the list has changed under us: once more from the beginning, nothing cached.
    this.#options.cache.clear();
    try {
      return await this.#readOnce();
    } catch (error) {
      throw error instanceof StaleCursor ? error.rpcError : error;
    }
  }

  async #readOnce(): Promise<readonly Page<T>[]> {
    const pages: Page<T>[] = [];
    const seen = new Set<string>();
    let entries = 0;
    let length = 0;
    let cursor: string | undefined;
    const { clock, maxTimeoutMs } = this.#options;
    const end = clock.monotonic() + maxTimeoutMs;
    for (;;) {
      const page = await this.#page(cursor);
      pages.push(page);
      entries += page.entries.length;
      length += page.length;
      cursor = page.nextCursor;
      if (cursor === undefined) return pages;
      if (seen.has(cursor)) throw this.#violation('goes round in a circle');
      seen.add(cursor);
      // Each page may come in time, and the list still take days.
      if (clock.monotonic() >= end)
        throw new HostError('timeout', `The server took too long to list: ${pages.length} pages so far.`, {
          details: { method: this.#options.method, pages: pages.length, limitMs: maxTimeoutMs },
        });
      if (pages.length >= maxPages || entries > maxEntries || length > maxLength)
        throw new HostError(
          'tooManyPages',
          `The list of "${this.#options.method}" does not end: ${pages.length} pages, ${entries} entries.`,
          { details: { pages: pages.length, entries, length } },
        );
    }
  }

  async #page(cursor: string | undefined): Promise<Page<T>> {
    const { cache, codec, method, request } = this.#options;
    const key = cursor === undefined ? 'first' : `cursor ${cursor}`;
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const { generation } = cache;
    let result: JsonObject;
    try {
      result = await request(method, cursor === undefined ? {} : { cursor });
    } catch (error) {
      const stale =
        cursor !== undefined && error instanceof RpcError && error.code === errorCode.invalidParams;
      throw stale ? new StaleCursor(error) : error;
    }
    const outcome = codec().readOutcome(method, result);
    if (outcome.kind !== 'complete')
      throw new HostError('protocolViolation', outcome.kind === 'invalid' ? outcome.reason : 'Not a list.');
    const hint = codec().readCacheHint(result);
    const page = this.#readPage(
      result,
      hint.ttlMs > 0 ? this.#options.clock.monotonic() + hint.ttlMs : undefined,
    );
    if (hint.ttlMs > 0) cache.set(key, page, hint, page.length, generation);
    return page;
  }

  #readPage(result: JsonObject, expiresAt: number | undefined): Page<T> {
    const { member, read } = this.#options;
    const entries = result[member];
    const { nextCursor } = result;
    if (!Array.isArray(entries)) throw this.#violation(`has no "${member}"`);
    // Null is what some servers write for "none"; an empty text is a cursor.
    if (nextCursor !== undefined && nextCursor !== null && typeof nextCursor !== 'string')
      throw this.#violation('has a cursor that is not a text');
    const wellFormed = isVouchedWellFormed(result);
    return {
      entries: entries.map((raw: JsonValue, index) => read(raw, index + 1, wellFormed)),
      length: textLengthOf(result),
      nextCursor: nextCursor ?? undefined,
      expiresAt,
    };
  }

  #violation(what: string): HostError {
    return new HostError('protocolViolation', `The server's list of "${this.#options.method}" ${what}.`);
  }
}

class StaleCursor extends Error {
  override readonly name = 'StaleCursor';
  readonly rpcError: RpcError;

  constructor(rpcError: RpcError) {
    super(rpcError.message);
    this.rpcError = rpcError;
  }
}
