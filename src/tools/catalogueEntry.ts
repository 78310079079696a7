import type { JsonObject } from '../base/json.ts';
import type { RejectedTool, Tool } from '../protocol/model.ts';
import { measureJson } from './jsonMeasure.ts';
import { type ModelSchema, modelSchema } from './modelSchema.ts';
import { dialectOf } from './schemaDialect.ts';
import { SCHEMA_BOUNDS } from './schemaPlan.ts';
import { estimateTokens } from './tokenEstimate.ts';
import { toolFingerprint } from './toolFingerprint.ts';
import { oddNameReason } from './toolNames.ts';

/** Whether a tool may be called. A set-aside tool is shown with its reason and never called. */
export type EntryState = { readonly kind: 'usable' } | { readonly kind: 'setAside'; readonly reason: string };

/** Something about a tool that a person should see; it does not stop the tool by itself. */
export interface ToolFlag {
  readonly kind: 'oddName' | 'dialect' | 'illFormedText' | 'outputSchema' | 'note';
  readonly detail: string;
}

/** What can be said about a tool from its definition alone. */
export interface ToolFacts {
  readonly fingerprint: string;
  readonly state: EntryState;
  readonly flags: readonly ToolFlag[];
  readonly tokens: number;
}

/** One tool of one server. Immutable: a change makes a new entry. */
export class CatalogueEntry {
  /** Unique in the catalogue, and the same for the same tool after a restart. */
  readonly key: string;
  readonly serverId: string;
  /** The server's own name of the tool. */
  readonly toolName: string;
  /** Absent for a list entry that could not be read as a tool. */
  readonly tool: Tool | undefined;
  /** The name that the model uses; empty for a tool that no name can lead to (a duplicate, an unreadable entry). */
  readonly modelName: string;
  /** Digest of the definition; empty when none could be taken. */
  readonly fingerprint: string;
  readonly state: EntryState;
  readonly flags: readonly ToolFlag[];
  /** Estimated tokens that the tool costs in each request. */
  readonly tokens: number;
  /** The person's choice: is it exposed to the model? */
  readonly enabled: boolean;
  readonly #fields: EntryFields;
  #model: ModelSchema | undefined;

  constructor(fields: EntryFields) {
    this.#fields = fields;
    this.key = fields.key;
    this.serverId = fields.serverId;
    this.toolName = fields.toolName;
    this.tool = fields.tool;
    this.modelName = fields.modelName;
    this.fingerprint = fields.fingerprint;
    this.state = fields.state;
    this.flags = fields.flags;
    this.tokens = fields.tokens;
    this.enabled = fields.enabled;
  }

  /** The input schema as the model gets it, with the list of repairs. Made on first use. */
  get modelSchema(): ModelSchema {
    this.#model ??= modelSchema(this.tool?.inputSchema ?? {});
    return this.#model;
  }

  /** A copy with some fields changed. */
  with(changes: Partial<EntryFields>): CatalogueEntry {
    const copy = new CatalogueEntry({ ...this.#fields, ...changes });
    if (copy.tool === this.tool) copy.#model = this.#model;
    return copy;
  }
}

/** The fields of an entry. */
export type EntryFields = Pick<
  CatalogueEntry,
  | 'key'
  | 'serverId'
  | 'toolName'
  | 'tool'
  | 'modelName'
  | 'fingerprint'
  | 'state'
  | 'flags'
  | 'tokens'
  | 'enabled'
>;

/** Looks at a tool without compiling anything. Never throws. */
export function toolFacts(tool: Tool): ToolFacts {
  const flags: ToolFlag[] = [];
  const oddName = oddNameReason(tool.name);
  if (oddName !== undefined) flags.push({ kind: 'oddName', detail: oddName });
  const fingerprint = toolFingerprint(tool.definition);
  if (fingerprint.kind === 'refused') {
    return { fingerprint: '', state: { kind: 'setAside', reason: fingerprint.reason }, flags, tokens: 0 };
  }
  if (!fingerprint.wellFormed) {
    flags.push({ kind: 'illFormedText', detail: 'A text in the definition is not valid Unicode.' });
  }
  let state: EntryState = { kind: 'usable' };
  const input = schemaObjection(tool.inputSchema);
  if (input !== undefined) {
    state = { kind: 'setAside', reason: `Input schema: ${input.reason}` };
    if (input.isDialect) flags.push({ kind: 'dialect', detail: input.reason });
  }
  const output = tool.outputSchema === undefined ? undefined : schemaObjection(tool.outputSchema);
  if (output !== undefined) flags.push({ kind: 'outputSchema', detail: output.reason });
  return { fingerprint: fingerprint.digest, state, flags, tokens: toolTokens(tool) };
}

/** The facts of a list entry that is no tool. */
export function rejectedFacts(rejected: RejectedTool): ToolFacts {
  return { fingerprint: '', state: { kind: 'setAside', reason: rejected.reason }, flags: [], tokens: 0 };
}

function schemaObjection(
  schema: JsonObject,
): { readonly reason: string; readonly isDialect: boolean } | undefined {
  const choice = dialectOf(schema);
  if (choice.kind === 'unknown') {
    return { reason: `The dialect ${JSON.stringify(choice.declared)} is not supported.`, isDialect: true };
  }
  const measure = measureJson(schema, SCHEMA_BOUNDS);
  if (measure.kind === 'within') return undefined;
  return { reason: `The schema has too many ${boundWords[measure.bound]}.`, isDialect: false };
}

function toolTokens(tool: Tool): number {
  const parts = [tool.name, tool.description ?? tool.title ?? '', JSON.stringify(tool.inputSchema)];
  return parts.reduce((sum, part) => sum + estimateTokens(part), 0);
}

const boundWords = { depth: 'levels of nesting', values: 'values', characters: 'characters' } as const;
