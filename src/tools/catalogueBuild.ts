import type { RejectedTool, Tool, ToolList } from '../protocol/model.ts';
import {
  CatalogueEntry,
  type ToolFacts,
  duplicateFacts,
  rejectedFacts,
  toolFacts,
  withInputState,
  withOutputState,
} from './catalogueEntry.ts';
import { isSameAtAGlance } from './sameDefinition.ts';
import type { SchemaChecker } from './schemaChecker.ts';
import { TimeSlice } from '../base/timeSlice.ts';
import { toolFingerprint } from './toolFingerprint.ts';

/** What entries are made of. */
export interface BuildContext {
  readonly serverId: string;
  /** The entries so far: one whose definition is the same is kept, with all that was made from it. */
  readonly known: readonly CatalogueEntry[];
  /** The addressable one among them of a name. */
  readonly find: (toolName: string) => CatalogueEntry | undefined;
  readonly checker: SchemaChecker | undefined;
  readonly isEnabled: (toolName: string) => boolean;
  /** True once nobody wants the result any more. */
  readonly isStale: () => boolean;
}

/** Tools of one server; whoever has more is no server that a model could use, and would slow down all others. */
const MAX_TOOLS = 10_000;
const MAX_REJECTED = 1000;
/** Milliseconds in which the tools of a list are weighed; the rest are when a model first needs them. */
const MAX_WEIGHING_MS = 2000;

/**
 * Makes the entries of a server's list, in slices. Schemas that are cheap are checked at once; the others count as
 * usable until `admitLater` knows better. Gives undefined when the work was overtaken.
 */
export async function buildEntries(
  list: ToolList,
  context: BuildContext,
): Promise<CatalogueEntry[] | undefined> {
  const { serverId } = context;
  const slice = new TimeSlice();
  let known: Map<string, CatalogueEntry> | undefined;
  const seen = new Set<string>();
  const entries: CatalogueEntry[] = [];
  let weighingMs = 0;
  for (const [index, tool] of list.tools.slice(0, MAX_TOOLS).entries()) {
    const isDuplicate = seen.has(tool.name);
    seen.add(tool.name);
    const enabled = context.isEnabled(tool.name);
    const sameName = isDuplicate ? undefined : context.find(tool.name);
    if (sameName !== undefined && hasDefinition(sameName, tool)) {
      entries.push(sameName.enabled === enabled ? sameName : sameName.with({ enabled }));
      // A look at the clock at each of them would cost as much as the comparison.
      if (index % 16 > 0) continue;
    } else {
      const key = toolKey(serverId, tool.name, isDuplicate ? index : undefined);
      const fingerprint = toolFingerprint(tool.definition);
      known ??= new Map(context.known.map((entry) => [entry.key, entry]));
      const before = known.get(key);
      const isSame = fingerprint.kind === 'taken' && fingerprint.digest === before?.fingerprint;
      if (before !== undefined && isSame && lostAlike(before.tool, tool)) {
        entries.push(before.enabled === enabled ? before : before.with({ enabled }));
      } else {
        const facts = toolFacts(tool, fingerprint);
        const entry = new CatalogueEntry({
          key,
          serverId,
          toolName: tool.name,
          tool,
          isAddressable: !isDuplicate,
          modelName: '',
          ...(isDuplicate ? duplicateFacts(facts) : await checkedFacts(tool, facts, context.checker)),
          enabled,
        });
        entries.push(entry);
        if (weighingMs < MAX_WEIGHING_MS) weighingMs += weigh(entry);
      }
    }
    if (!slice.isUsedUp) continue;
    await slice.pause();
    if (context.isStale()) return undefined;
  }
  for (const [index, rejected] of rejectedOf(list).entries()) {
    entries.push(
      new CatalogueEntry({
        key: toolKey(serverId, rejected.name, list.tools.length + index),
        serverId,
        toolName: rejected.name,
        tool: undefined,
        isAddressable: false,
        modelName: '',
        ...rejectedFacts(rejected),
        enabled: true,
      }),
    );
  }
  return entries;
}

/** The milliseconds that it took. */
function weigh(entry: CatalogueEntry): number {
  if (entry.state.kind !== 'usable') return 0;
  const start = performance.now();
  entry.weigh();
  return performance.now() - start;
}

/** What the server lists beyond the bounds counts as one more that is set aside. */
function rejectedOf({ tools, rejected }: ToolList): readonly RejectedTool[] {
  const shown = rejected.slice(0, MAX_REJECTED);
  const left = Math.max(0, tools.length - MAX_TOOLS) + rejected.length - shown.length;
  if (left === 0) return shown;
  const reason = `The server lists too many tools: ${MAX_TOOLS} are used, and ${left} entries are set aside.`;
  return [...shown, { name: '#more', reason }];
}

/** Whether an entry has a fingerprint and was made of this very definition. */
function hasDefinition(entry: CatalogueEntry, tool: Tool): boolean {
  const isSame = entry.fingerprint !== '' && isSameAtAGlance(entry.tool?.definition, tool.definition);
  return isSame && lostAlike(entry.tool, tool);
}

/** Once rounded, two definitions may be the same; what is said of their numbers is not. */
function lostAlike(before: Tool | undefined, { lostNumbers }: Tool): boolean {
  const known = before?.lostNumbers;
  return known === lostNumbers || JSON.stringify(known) === JSON.stringify(lostNumbers);
}

/** The key of a server's tool; duplicates are told apart by their place in the list. */
export function toolKey(serverId: string, toolName: string, place?: number): string {
  return JSON.stringify(place === undefined ? [serverId, toolName] : [serverId, toolName, place]);
}

async function checkedFacts(
  tool: Tool,
  facts: ToolFacts,
  checker: SchemaChecker | undefined,
): Promise<ToolFacts> {
  if (checker === undefined || facts.state.kind !== 'usable') return facts;
  const { inputSchema, outputSchema } = tool;
  let result = facts;
  const plan = checker.plan(inputSchema);
  if (plan.kind !== 'worker') result = withInputState(result, plan, await checker.admit(inputSchema));
  if (outputSchema !== undefined && checker.plan(outputSchema).kind !== 'worker') {
    result = withOutputState(result, await checker.admit(outputSchema));
  }
  return result;
}

/** Milliseconds of checking after which the rest of a server's costly schemas waits for its first call. */
const MAX_BACKGROUND_MS = 20_000;

/** An entry and what it is to be replaced by. */
export interface LaterFinding {
  readonly before: CatalogueEntry;
  readonly after: CatalogueEntry;
}

/**
 * Checks the costly schemas of entries in the worker, one by one, and hands out the entries that change by it: some
 * at a time, because taking one in costs as much as taking in many.
 */
export async function admitLater(
  entries: readonly CatalogueEntry[],
  checker: SchemaChecker,
  changed: (findings: readonly LaterFinding[]) => void,
  isStale: () => boolean,
): Promise<void> {
  const start = performance.now();
  const slice = new TimeSlice(25);
  let findings: LaterFinding[] = [];
  const flush = (): void => {
    if (findings.length > 0) changed(findings);
    findings = [];
  };
  for (const entry of entries) {
    const { tool } = entry;
    if (tool === undefined || entry.state.kind !== 'usable') continue;
    let facts: ToolFacts = entry;
    const plan = checker.plan(tool.inputSchema);
    if (plan.kind === 'worker') {
      facts = withInputState(facts, plan, await checker.admit(tool.inputSchema, true));
    }
    if (tool.outputSchema !== undefined && checker.plan(tool.outputSchema).kind === 'worker') {
      facts = withOutputState(facts, await checker.admit(tool.outputSchema, true));
    }
    if (isStale()) return;
    if (facts !== entry)
      findings.push({ before: entry, after: entry.with({ state: facts.state, flags: facts.flags }) });
    if (performance.now() - start > MAX_BACKGROUND_MS) break;
    if (!slice.isUsedUp) continue;
    flush();
    // The worker's answers can follow each other so closely that nothing else gets its turn.
    await slice.pause();
    if (isStale()) return;
  }
  flush();
}
