import type { JsonObject } from '../base/json.ts';
import { throwIfAborted } from '../base/abort.ts';
import { TimeSlice } from '../base/timeSlice.ts';
import type { CatalogueEntry } from './catalogueEntry.ts';

/** A tool as a language model is told of it. */
export interface ModelTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
}

/** A tool that the model is not told of although it is usable and switched on, and why. */
export interface LeftOutTool {
  readonly entry: CatalogueEntry;
  readonly reason: string;
}

/** What the model gets: the tools themselves, or a search for them when they are too many. */
export type ExposedTools =
  | {
      readonly kind: 'list';
      readonly tools: readonly ModelTool[];
      readonly leftOut: readonly LeftOutTool[];
    }
  | {
      readonly kind: 'search';
      /** How many tools the search covers. */
      readonly count: number;
    };

/** How many tools back ends take in one request. */
export const DEFAULT_TOOL_LIMIT = 128;

/** Tools that cannot be given to a model, after which no more are looked for that can. */
const MAX_LEFT_OUT = 1000;

/** The entries that a model may use: usable and switched on. */
export function offeredEntries(entries: readonly CatalogueEntry[]): CatalogueEntry[] {
  return entries.filter((entry) => entry.isAddressable && entry.enabled && entry.state.kind === 'usable');
}

/**
 * Chooses what the model is told. `limit` is for all tools of a request; `others` is how many of it the caller adds
 * of its own (for example `read_result`). Works in slices, because schemas may have to be made for models first; what
 * the catalogue becomes meanwhile is not looked at.
 */
export async function exposeTools(
  entries: readonly CatalogueEntry[],
  limit: number = DEFAULT_TOOL_LIMIT,
  others = 0,
): Promise<ExposedTools> {
  const offered = offeredEntries(entries);
  const slice = new TimeSlice();
  const tools: ModelTool[] = [];
  const leftOut: LeftOutTool[] = [];
  for (const entry of offered) {
    const made = modelTool(entry);
    if (made.kind === 'ready') tools.push(made.tool);
    else leftOut.push({ entry, reason: made.reason });
    if (tools.length + others > limit || leftOut.length > MAX_LEFT_OUT)
      return { kind: 'search', count: offered.length };
    await slice.pause();
  }
  return { kind: 'list', tools, leftOut };
}

/** What a search has found and a model can be given, and why something found cannot. */
export interface ReadyTools {
  readonly tools: readonly ModelTool[];
  /** The last reason; empty if all can be given. */
  readonly unusable: string;
}

/** The first tools of a list that can be given to a model, at most `limit`. Works in slices. */
export async function readyTools(
  entries: readonly CatalogueEntry[],
  limit: number,
  signal?: AbortSignal,
): Promise<ReadyTools> {
  const slice = new TimeSlice();
  const tools: ModelTool[] = [];
  let unusable = '';
  for (const entry of entries) {
    if (tools.length >= limit) break;
    const made = modelTool(entry);
    if (made.kind === 'ready') tools.push(made.tool);
    else unusable = made.reason;
    await slice.pause();
    throwIfAborted(signal);
  }
  return { tools, unusable };
}

/** One tool for the model, or why it cannot be given. */
export function modelTool(
  entry: CatalogueEntry,
):
  | { readonly kind: 'ready'; readonly tool: ModelTool }
  | { readonly kind: 'unusable'; readonly reason: string } {
  const schema = entry.modelSchema;
  if (schema.kind === 'unusable') return schema;
  return {
    kind: 'ready',
    tool: { name: entry.modelName, description: entry.modelDescription, inputSchema: schema.schema },
  };
}
