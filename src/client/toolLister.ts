import { raceAbort } from '../base/abort.ts';
import type { Clock } from '../base/clock.ts';
import { canonicalJson } from '../base/canonicalJson.ts';
import { isJsonObject, type JsonObject } from '../base/json.ts';
import { method } from '../protocol/methods.ts';
import type { RejectedTool, Tool, ToolList } from '../protocol/model.ts';
import type { WireCodec } from '../protocol/wire/codec.ts';
import { readTool, type ToolEntry } from '../protocol/wire/tools.ts';
import {
  type ParameterHeader,
  readParameterHeaders,
  withoutParameterHeaders,
} from '../transport/parameterHeaders.ts';
import { type Page, PagedList } from './pagedList.ts';
import type { ResponseCache } from './responseCache.ts';

export type ToolPage = Page<ToolEntry>;

export interface ToolListerOptions {
  readonly request: (name: string, params: JsonObject) => Promise<JsonObject>;
  readonly codec: () => WireCodec;
  readonly cache: ResponseCache<ToolPage>;
  readonly clock: Clock;
  /** Milliseconds that all pages together may take. */
  readonly maxTimeoutMs: number;
  /** True where tool parameters travel as HTTP headers: streamable HTTP in the modern era. */
  readonly mirrorsParameters: () => boolean;
  /** True where a tool may insist on being called as a task (specification 2025-11-25: tasks, "Tool-Level Negotiation"). */
  readonly runsTasks: () => boolean;
  readonly warn: (text: string) => void;
}

const onlyAsTask =
  'It can only be called as a task, an experiment of the revision 2025-11-25, which Countersign does not do.';

/** Reads the tools of a server, and knows which headers their calls need. */
export class ToolLister {
  readonly #options: ToolListerOptions;
  readonly #pages: PagedList<ToolEntry>;
  #running: { readonly generation: number; readonly list: Promise<ToolList> } | undefined;
  #last: { readonly pages: readonly ToolPage[]; readonly list: ToolList } | undefined;
  #headers: ReadonlyMap<string, readonly ParameterHeader[]> = new Map();
  /** Of the newest listing that has ended. */
  #generation = 0;

  constructor(options: ToolListerOptions) {
    this.#options = options;
    this.#pages = new PagedList({ ...options, method: method.listTools, member: 'tools', read: readTool });
  }

  /**
   * All pages in the server's order. Callers at the same time share one listing.
   * @throws HostError `tooManyPages`, `protocolViolation`; RpcError
   */
  list(refresh: boolean, signal: AbortSignal | undefined): Promise<ToolList> {
    const { cache } = this.#options;
    if (refresh) cache.clear();
    if (this.#running?.generation !== cache.generation) {
      const { generation } = cache;
      const list = this.#pages.read().then((pages) => this.#merge(pages, generation));
      const running = { generation, list };
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

  /**
   * What a tool was at the last listing, apart from the headers that its calls need: equal texts, equal tools.
   * Undefined for a tool that is not listed.
   */
  meaningOf(name: string): string | undefined {
    const tool = this.#last?.list.tools.find((listed) => listed.name === name);
    if (tool === undefined) return undefined;
    const { definition } = tool;
    return canonicalJson({ ...definition, inputSchema: withoutParameterHeaders(tool.inputSchema) });
  }

  /** True when the time is over for which the server said that its list would hold; false if it said nothing. */
  get isExpired(): boolean {
    const now = this.#options.clock.monotonic();
    return this.#last?.pages.some(({ expiresAt }) => expiresAt !== undefined && now >= expiresAt) === true;
  }

  #merge(pages: readonly ToolPage[], generation: number): ToolList {
    const last = this.#last;
    // The same pages from the cache are the same list: nothing downstream has to be done again.
    if (last?.pages.length === pages.length && last.pages.every((page, index) => page === pages[index]))
      return last.list;
    const tools = new Map<string, Tool>();
    const rejected: RejectedTool[] = [];
    const headers = new Map<string, readonly ParameterHeader[]>();
    for (const entry of pages.flatMap((page) => page.entries)) {
      if (entry.kind === 'rejected') {
        rejected.push(entry.rejected);
        continue;
      }
      const { name } = entry.tool;
      const reading = this.#parameterHeaders(entry.tool);
      if (this.#options.runsTasks() && needsTask(entry.tool)) rejected.push({ name, reason: onlyAsTask });
      else if (tools.has(name))
        rejected.push({ name, reason: 'A tool of this name is already in the list.' });
      else if (reading.kind === 'invalid') rejected.push({ name, reason: reading.reason });
      else {
        tools.set(name, entry.tool);
        if (reading.headers.length > 0) headers.set(name, reading.headers);
      }
    }
    for (const { name, reason } of rejected)
      this.#options.warn(`Tool ${JSON.stringify(name)} is set aside: ${reason}`);
    const list = { tools: [...tools.values()], rejected };
    // A listing may be overtaken by one that was begun after it; what it found is then out of date.
    if (generation < this.#generation) return list;
    this.#generation = generation;
    this.#headers = headers;
    this.#last = { pages, list };
    return list;
  }

  #parameterHeaders(tool: Tool): ReturnType<typeof readParameterHeaders> {
    if (!this.#options.mirrorsParameters()) return { kind: 'ok', headers: [] };
    return readParameterHeaders(tool.inputSchema);
  }
}

function needsTask({ definition }: Tool): boolean {
  const { execution } = definition;
  return isJsonObject(execution) && execution['taskSupport'] === 'required';
}
