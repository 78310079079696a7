import type { JsonObject } from '../base/json.ts';
import { lostNumberTexts } from '../protocol/lostNumbers.ts';
import type { RejectedTool, Tool } from '../protocol/model.ts';
import { hasHidden } from '../shared/visibleText.ts';
import { type ModelSchema, modelSchema, originalArguments } from './modelSchema.ts';
import { clip } from './modelSchemaPlain.ts';
import type { SchemaPlan } from './schemaPlan.ts';
import type { SchemaState } from './schemaVerdict.ts';
import { estimateTokens } from './tokenEstimate.ts';
import type { Fingerprint } from './toolFingerprint.ts';
import { oddNameReason } from './toolNames.ts';

/** Whether a tool may be called. A set-aside tool is shown with its reason and never called. */
export type EntryState = { readonly kind: 'usable' } | { readonly kind: 'setAside'; readonly reason: string };

/** Something about a tool that a person should see; it does not stop the tool by itself. */
export interface ToolFlag {
  readonly kind:
    'oddName' | 'dialect' | 'illFormedText' | 'hiddenText' | 'lostNumber' | 'outputSchema' | 'note';
  readonly detail: string;
}

/** What can be said about a tool from its definition alone. */
export interface ToolFacts {
  readonly fingerprint: string;
  readonly state: EntryState;
  readonly flags: readonly ToolFlag[];
}

/** The longest description of a tool for models, in characters; the longest real ones have three times as many. */
const MAX_DESCRIPTION = 10_000;

/** One tool of one server. Immutable: a change makes a new entry. */
export class CatalogueEntry {
  /** Unique in the catalogue, and the same for the same tool after a restart. */
  readonly key: string;
  readonly serverId: string;
  /** The server's own name of the tool. */
  readonly toolName: string;
  /** False for a tool that no name leads to: a duplicate, an unreadable list entry. */
  readonly isAddressable: boolean;
  /** Absent for a list entry that could not be read as a tool. */
  readonly tool: Tool | undefined;
  /** The name that the model uses; empty for a tool that is not addressable. */
  readonly modelName: string;
  /** Digest of the definition; empty when none could be taken. */
  readonly fingerprint: string;
  readonly state: EntryState;
  readonly flags: readonly ToolFlag[];
  /** The person's choice: is it exposed to the model? */
  readonly enabled: boolean;
  readonly #fields: EntryFields;
  #model: ModelSchema | undefined;
  /** Tokens of the description and the schema. */
  #tokens: number | undefined;

  constructor(fields: EntryFields) {
    this.#fields = fields;
    this.key = fields.key;
    this.serverId = fields.serverId;
    this.toolName = fields.toolName;
    this.isAddressable = fields.isAddressable;
    this.tool = fields.tool;
    this.modelName = fields.modelName;
    this.fingerprint = fields.fingerprint;
    this.state = fields.state;
    this.flags = fields.flags;
    this.enabled = fields.enabled;
  }

  /** The input schema as the model gets it, with the list of repairs. Made on first use. */
  get modelSchema(): ModelSchema {
    this.#model ??= this.#written();
    return this.#model;
  }

  /** Learns what the tool costs a model. The schema is not kept: all of them take much room, and few are ever sent. */
  weigh(): void {
    const model = this.#model ?? this.#written();
    if (model.kind === 'unusable') this.#model = model;
  }

  #written(): ModelSchema {
    const { tool } = this;
    const model = modelSchema(tool?.inputSchema ?? {});
    if (model.kind === 'ready') this.#tokens = this.#textTokens(model.schema);
    return model;
  }

  /** What a model reads about the tool. Never empty, because back ends refuse that. */
  get modelDescription(): string {
    const { tool } = this;
    for (const text of [tool?.description, tool?.title, tool?.annotations?.title, this.toolName]) {
      if (text !== undefined && text.trim() !== '') return clip(text, MAX_DESCRIPTION);
    }
    return 'A tool without a description.';
  }

  /**
   * Estimated tokens that the tool costs in each request that lists it; 0 if it cannot be given to a model. Of the
   * server's own schema until the tool has been weighed.
   */
  get tokens(): number {
    if (this.state.kind !== 'usable' || this.#model?.kind === 'unusable') return 0;
    this.#tokens ??= this.#textTokens(this.tool?.inputSchema ?? {});
    return estimateTokens(this.modelName) + this.#tokens;
  }

  #textTokens(schema: JsonObject): number {
    return estimateTokens(this.modelDescription) + estimateTokens(JSON.stringify(schema));
  }

  /** The tool's own arguments for those of a model, which may know some under other names. */
  originalArguments(given: JsonObject): JsonObject {
    return originalArguments(this.modelSchema, given);
  }

  /** A copy with some fields changed. */
  with(changes: Partial<EntryFields>): CatalogueEntry {
    const copy = new CatalogueEntry({ ...this.#fields, ...changes });
    if (copy.tool === this.tool) {
      copy.#model = this.#model;
      copy.#tokens = this.#tokens;
    }
    return copy;
  }
}

/** The fields of an entry. */
export type EntryFields = Pick<
  CatalogueEntry,
  | 'key'
  | 'serverId'
  | 'toolName'
  | 'isAddressable'
  | 'tool'
  | 'modelName'
  | 'fingerprint'
  | 'state'
  | 'flags'
  | 'enabled'
>;

/** Looks at a tool without compiling anything. Never throws. */
export function toolFacts(tool: Tool, fingerprint: Fingerprint): ToolFacts {
  const flags: ToolFlag[] = [];
  const oddName = oddNameReason(tool.name);
  if (oddName !== undefined) flags.push({ kind: 'oddName', detail: oddName });
  if (fingerprint.kind === 'refused') {
    return { fingerprint: '', state: { kind: 'setAside', reason: fingerprint.reason }, flags };
  }
  if (!fingerprint.wellFormed) {
    flags.push({ kind: 'illFormedText', detail: 'A text in the definition is not valid Unicode.' });
  }
  const schema = JSON.stringify(tool.inputSchema);
  const hidden = hiddenIn(tool, schema);
  if (hidden !== undefined) flags.push({ kind: 'hiddenText', detail: hidden });
  for (const text of lostNumberTexts(tool.lostNumbers ?? []))
    flags.push({ kind: 'lostNumber', detail: `A number cannot be kept exactly: ${text}.` });
  return { fingerprint: fingerprint.digest, state: { kind: 'usable' }, flags };
}

/** The facts of a list entry that is no tool. */
export function rejectedFacts(rejected: RejectedTool): ToolFacts {
  return { fingerprint: '', state: { kind: 'setAside', reason: rejected.reason }, flags: [] };
}

/** Facts for a name that the server has given to an earlier tool. */
export function duplicateFacts(facts: ToolFacts): ToolFacts {
  const reason = 'Another tool earlier in the list has the same name.';
  return { ...facts, state: { kind: 'setAside', reason } };
}

/** What a look at a tool's input schema changes. */
export function withInputState(facts: ToolFacts, plan: SchemaPlan, state: SchemaState): ToolFacts {
  if (state.kind === 'usable') return withFlag(facts, 'dialect', state.note);
  const reason = `Input schema: ${state.reason}`;
  const isDialect = plan.kind === 'unusable' && plan.isDialect;
  const flagged = withFlag(facts, 'dialect', isDialect ? state.reason : undefined);
  return { ...flagged, state: { kind: 'setAside', reason } };
}

/** What a look at a tool's output schema changes: the tool stays usable, its structured results are not checked. */
export function withOutputState(facts: ToolFacts, state: SchemaState): ToolFacts {
  const detail = state.kind === 'usable' ? state.note : `Results cannot be checked. ${state.reason}`;
  return withFlag(facts, 'outputSchema', detail);
}

function withFlag(facts: ToolFacts, kind: ToolFlag['kind'], detail: string | undefined): ToolFacts {
  if (detail === undefined) return facts;
  if (facts.flags.some((flag) => flag.kind === kind && flag.detail === detail)) return facts;
  return { ...facts, flags: [...facts.flags, { kind, detail }] };
}

/** Where a text of the tool is not what it seems; the model reads the schema's texts as well. */
function hiddenIn(tool: Tool, schema: string): string | undefined {
  const texts: readonly (readonly [where: string, text: string | undefined])[] = [
    ['name', tool.name],
    ['title', tool.title ?? tool.annotations?.title],
    ['description', tool.description],
    ['input schema', schema],
  ];
  // Half a surrogate pair is told of by itself.
  const places = texts
    .filter(([, text]) => text !== undefined && hasHidden(text.toWellFormed()))
    .map(([where]) => where);
  if (places.length === 0) return undefined;
  return `There are hidden or direction-changing characters in its ${places.join(', ')}.`;
}
