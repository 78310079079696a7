import { raceAbort } from '../base/abort.ts';
import { HostError, RpcError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import { errorCode } from '../protocol/errorCodes.ts';
import { method } from '../protocol/methods.ts';
import type { RejectedTool, Tool, ToolList } from '../protocol/model.ts';
import type { WireCodec } from '../protocol/wire/codec.ts';
import { readTool } from '../protocol/wire/tools.ts';
import { type ParameterHeader, readParameterHeaders } from '../transport/parameterHeaders.ts';
import type { ResponseCache } from './responseCache.ts';

const maxPages = 1_000;
const maxTools = 100_000;

/** One page, read. Places of rejected entries count within the page. */
export interface ToolPage {
  readonly entries: readonly (
    | { readonly kind: 'tool'; readonly tool: Tool }
    | { readonly kind: 'rejected'; readonly rejected: RejectedTool }
  )[];
  readonly nextCursor: string | undefined;
}

export interface ToolListerOptions {
  readonly request: (name: string, params: JsonObject) => Promise<JsonObject>;
  readonly codec: () => WireCodec;
  readonly cache: ResponseCache<ToolPage>;
  /** True where tool parameters travel as HTTP headers: streamable HTTP in the modern era. */
  readonly mirrorsParameters: () => boolean;
  readonly warn: (text: string) => void;
}

/** Reads the tools of a server, page by page, and knows which headers their calls need. */
export class ToolLister {
  readonly #options: ToolListerOptions;
  #running: { readonly generation: number; readonly list: Promise<ToolList> } | undefined;
  #last: { readonly pages: readonly ToolPage[]; readonly list: ToolList } | undefined;
  #headers = new Map<string, readonly ParameterHeader[]>();

  constructor(options: ToolListerOptions) {
    this.#options = options;
  }

  /**
   * All pages in the server's order. Callers at the same time share one listing.
   * @throws HostError `tooManyPages`, `protocolViolation`; RpcError
   */
  async list(refresh: boolean, signal: AbortSignal | undefined): Promise<ToolList> {
    const { cache } = this.#options;
    if (refresh) cache.clear();
    if (this.#running?.generation !== cache.generation) {
      const list = this.#collect();
      const running = { generation: cache.generation, list };
      this.#running = running;
      const done = (): void => {
        if (this.#running === running) this.#running = undefined;
      };
      list.then(done, done);
    }
    return raceAbort(this.#running.list, signal);
  }

  /** The headers of a tool as last listed; empty for a tool that was never listed. */
  headersOf(name: string): readonly ParameterHeader[] {
    return this.#headers.get(name) ?? [];
  }

  async #collect(): Promise<ToolList> {
    try {
      return this.#merge(await this.#readPages());
    } catch (error) {
      if (!(error instanceof StaleCursor)) throw error;
    }
    // A cursor went bad, so the list has changed under us: once more from the beginning, nothing cached.
    this.#options.cache.clear();
    try {
      return this.#merge(await this.#readPages());
    } catch (error) {
      throw error instanceof StaleCursor ? error.rpcError : error;
    }
  }

  async #readPages(): Promise<readonly ToolPage[]> {
    const pages: ToolPage[] = [];
    const seen = new Set<string>();
    let tools = 0;
    let cursor: string | undefined;
    do {
      const page = await this.#page(cursor);
      pages.push(page);
      tools += page.entries.length;
      cursor = page.nextCursor;
      if (cursor !== undefined && seen.has(cursor))
        throw new HostError('protocolViolation', 'The pages of the tool list go round in a circle.');
      if (cursor !== undefined) seen.add(cursor);
      if (pages.length >= maxPages || tools > maxTools)
        throw new HostError(
          'tooManyPages',
          `The tool list does not end: ${pages.length} pages, ${tools} tools.`,
        );
    } while (cursor !== undefined);
    return pages;
  }

  async #page(cursor: string | undefined): Promise<ToolPage> {
    const { cache, codec, request } = this.#options;
    const key = cursor === undefined ? 'first' : `cursor ${cursor}`;
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const { generation } = cache;
    let result: JsonObject;
    try {
      result = await request(method.listTools, cursor === undefined ? {} : { cursor });
    } catch (error) {
      const stale =
        cursor !== undefined && error instanceof RpcError && error.code === errorCode.invalidParams;
      throw stale ? new StaleCursor(error) : error;
    }
    const outcome = codec().readOutcome(method.listTools, result);
    if (outcome.kind !== 'complete')
      throw new HostError(
        'protocolViolation',
        outcome.kind === 'invalid' ? outcome.reason : 'Not a tool list.',
      );
    const page = readPage(result);
    const hint = codec().readCacheHint(result);
    if (hint.ttlMs > 0) cache.set(key, page, hint, JSON.stringify(page.entries).length, generation);
    return page;
  }

  #merge(pages: readonly ToolPage[]): ToolList {
    const last = this.#last;
    // The same pages from the cache are the same list: nothing downstream has to be done again.
    if (last?.pages.length === pages.length && last.pages.every((page, index) => page === pages[index]))
      return last.list;
    const tools = new Map<string, Tool>();
    const rejected: RejectedTool[] = [];
    const headers = new Map<string, readonly ParameterHeader[]>();
    const mirrors = this.#options.mirrorsParameters();
    const reject = (name: string, reason: string): void => {
      rejected.push({ name, reason });
      this.#options.warn(`Tool ${JSON.stringify(name)} is left out: ${reason}`);
    };
    for (const entry of pages.flatMap((page) => page.entries)) {
      if (entry.kind === 'rejected') {
        reject(entry.rejected.name, entry.rejected.reason);
        continue;
      }
      const { name, inputSchema } = entry.tool;
      if (tools.has(name)) {
        reject(name, 'A tool of this name is already in the list.');
        continue;
      }
      if (mirrors) {
        const reading = readParameterHeaders(inputSchema);
        if (reading.kind === 'invalid') {
          reject(name, reading.reason);
          continue;
        }
        if (reading.headers.length > 0) headers.set(name, reading.headers);
      }
      tools.set(name, entry.tool);
    }
    const list = { tools: [...tools.values()], rejected };
    this.#headers = headers;
    this.#last = { pages, list };
    return list;
  }
}

function readPage(result: JsonObject): ToolPage {
  const { tools, nextCursor } = result;
  if (!Array.isArray(tools)) throw new HostError('protocolViolation', 'The tool list has no list of tools.');
  // Null is what some servers write for "none"; an empty text is a cursor.
  if (nextCursor !== undefined && nextCursor !== null && typeof nextCursor !== 'string')
    throw new HostError('protocolViolation', 'The cursor of the tool list is not a text.');
  const entries = tools.map((raw, index) => readTool(raw, index + 1));
  return { entries, nextCursor: nextCursor ?? undefined };
}

class StaleCursor extends Error {
  override readonly name = 'StaleCursor';
  readonly rpcError: RpcError;

  constructor(rpcError: RpcError) {
    super(rpcError.message);
    this.rpcError = rpcError;
  }
}
