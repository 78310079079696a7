import type { JsonObject } from '../base/json.ts';
import type { CatalogueEntry } from './catalogueEntry.ts';
import { clip } from './modelSchemaPlain.ts';

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

/** The longest description of a tool, in characters; the longest real ones have three times as many. */
const MAX_DESCRIPTION = 10_000;

/** The entries that a model may use: usable and switched on. */
export function offeredEntries(entries: readonly CatalogueEntry[]): CatalogueEntry[] {
  return entries.filter((entry) => entry.isAddressable && entry.enabled && entry.state.kind === 'usable');
}

/**
 * Chooses what the model is told. `limit` is for all tools of a request; `others` is how many of it the caller adds
 * of its own (for example `read_result`).
 */
export function exposeTools(
  entries: readonly CatalogueEntry[],
  limit: number = DEFAULT_TOOL_LIMIT,
  others = 0,
): ExposedTools {
  const offered = offeredEntries(entries);
  if (offered.length + others > limit) return { kind: 'search', count: offered.length };
  const tools: ModelTool[] = [];
  const leftOut: LeftOutTool[] = [];
  for (const entry of offered) {
    const made = modelTool(entry);
    if (made.kind === 'ready') tools.push(made.tool);
    else leftOut.push({ entry, reason: made.reason });
  }
  return { kind: 'list', tools, leftOut };
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
    tool: { name: entry.modelName, description: modelDescription(entry), inputSchema: schema.schema },
  };
}

/** Never empty, because back ends refuse that. */
function modelDescription(entry: CatalogueEntry): string {
  const { tool } = entry;
  for (const text of [tool?.description, tool?.title, tool?.annotations?.title, entry.toolName]) {
    if (text !== undefined && text.trim() !== '') return clip(text, MAX_DESCRIPTION);
  }
  return 'A tool without a description.';
}
