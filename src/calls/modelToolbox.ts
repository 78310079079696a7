import { randomUUID } from 'node:crypto';
import { isCancellation } from '../base/errors.ts';
import type { Catalogue } from '../tools/catalogue.ts';
import { exposeTools, type ModelTool, offeredEntries, readyTools } from '../tools/exposedTools.ts';
import {
  CALL_TOOL,
  MAX_LOOKED_AT,
  READ_RESULT,
  readCall,
  readResult,
  readSearch,
  SEARCH_TOOLS,
  searchAnswer,
} from '../tools/hostTools.ts';
import type { ModelResult } from '../tools/resultForModel.ts';
import type { ResultStore } from '../tools/resultStore.ts';
import type { ToolSearch } from '../tools/toolSearch.ts';
import { resultOwner } from './resultOwner.ts';
import type { CallReport, CallRequest, ToolCalls } from './callTypes.ts';

/** A model's use of a tool, by the name that it was given. */
export interface ModelCall extends Omit<CallRequest, 'target'> {
  readonly name: string;
}

/**
 * What a model works with: the servers' tools, or a search over them when they are too many, and a way to read on in
 * long results. Calls of servers' tools all take the one road; our own tools touch no server.
 */
export class ModelToolbox {
  readonly #calls: ToolCalls;
  readonly #catalogue: Catalogue;
  readonly #search: ToolSearch;
  readonly #results: ResultStore;
  readonly #limit: () => number;
  readonly #resultBytes: () => number;

  /** `limit`: most tools in one request. `resultBytes`: most text of a result at once, in bytes of UTF-8. */
  constructor(ports: {
    readonly calls: ToolCalls;
    readonly catalogue: Catalogue;
    readonly search: ToolSearch;
    readonly results: ResultStore;
    readonly limit: () => number;
    readonly resultBytes: () => number;
  }) {
    this.#calls = ports.calls;
    this.#catalogue = ports.catalogue;
    this.#search = ports.search;
    this.#results = ports.results;
    this.#limit = ports.limit;
    this.#resultBytes = ports.resultBytes;
  }

  /** The tools to tell a model of. */
  async offered(): Promise<readonly ModelTool[]> {
    const exposed = await exposeTools(this.#catalogue.entries, this.#limit(), 1);
    return exposed.kind === 'search'
      ? [SEARCH_TOOLS, CALL_TOOL, READ_RESULT]
      : exposed.tools.length === 0
        ? []
        : [...exposed.tools, READ_RESULT];
  }

  /** Carries out what a model asks for. Never rejects. */
  async invoke(call: ModelCall): Promise<CallReport> {
    const { name, ...request } = call;
    switch (name) {
      case SEARCH_TOOLS.name:
        return this.#find(call);
      case READ_RESULT.name:
        return ownReport(
          readResult(this.#results, resultOwner(call.caller), call.arguments, { bytes: this.#resultBytes() }),
        );
      case CALL_TOOL.name: {
        const asked = readCall(call.arguments);
        if (asked.kind === 'wrong') return ownReport(failure(asked.message));
        const target = { kind: 'modelName', name: asked.request.name } as const;
        return this.#calls.invoke({ ...request, target, arguments: asked.request.arguments });
      }
      default:
        return this.#calls.invoke({ ...request, target: { kind: 'modelName', name } });
    }
  }

  async #find(call: ModelCall): Promise<CallReport> {
    const asked = readSearch(call.arguments);
    if (asked.kind === 'wrong') return ownReport(failure(asked.message));
    const { query, limit } = asked.request;
    try {
      const entries = offeredEntries(this.#catalogue.entries);
      const found = await this.#search.search(entries, query, MAX_LOOKED_AT, call.signal);
      return ownReport(searchAnswer(await readyTools(found, limit, call.signal), query));
    } catch (error) {
      if (!isCancellation(error)) throw error;
      const parts = [{ kind: 'text', text: 'The search was cancelled.' }] as const;
      return { callId: randomUUID(), outcome: { kind: 'cancelled' }, parts };
    }
  }
}

function failure(text: string): ModelResult {
  return { isError: true, parts: [{ kind: 'text', text }] };
}

function ownReport({ isError, parts }: ModelResult): CallReport {
  return { callId: randomUUID(), outcome: { kind: 'completed', isError, argumentsEdited: false }, parts };
}
