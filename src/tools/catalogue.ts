import { Emitter, type Event } from '../base/event.ts';
import type { Disposable } from '../base/disposable.ts';
import type { ToolList } from '../protocol/model.ts';
import { admitLater, buildEntries, toolKey } from './catalogueBuild.ts';
import type { CatalogueEntry } from './catalogueEntry.ts';
import type { SchemaChecker } from './schemaChecker.ts';
import { modelNames } from './toolNames.ts';

/** Remembers which tools a person has switched off, by server id and the server's own tool name. */
export interface EnabledStore {
  /** Undefined when the person has never chosen. */
  get(serverId: string, toolName: string): boolean | undefined;
  set(serverId: string, toolName: string, enabled: boolean): void;
}

/** What became different. Entries are immutable, so `before` still tells the old state. */
export interface CatalogueChange {
  readonly added: readonly CatalogueEntry[];
  readonly changed: readonly { readonly before: CatalogueEntry; readonly after: CatalogueEntry }[];
  readonly removed: readonly CatalogueEntry[];
}

/** All tools of all running servers. */
export class Catalogue implements Disposable {
  readonly #enabled: EnabledStore;
  readonly #checker: SchemaChecker | undefined;
  readonly #changed = new Emitter<CatalogueChange>();
  /** Per server, in the server's order. */
  readonly #servers = new Map<string, readonly CatalogueEntry[]>();
  /** Counts what was asked per server, so that a slow list never replaces a newer one. */
  readonly #revisions = new Map<string, number>();
  #configuredIds: readonly string[] = [];
  #byModelName = new Map<string, CatalogueEntry>();
  #byTool = new Map<string, CatalogueEntry>();

  readonly onDidChange: Event<CatalogueChange> = this.#changed.event;

  /** Without a checker, schemas are only checked when a tool is called. */
  constructor(options: { readonly enabled: EnabledStore; readonly checker?: SchemaChecker }) {
    this.#enabled = options.enabled;
    this.#checker = options.checker;
  }

  /** Every entry, server by server in configured order. */
  get entries(): readonly CatalogueEntry[] {
    return this.serverIds.flatMap((id) => this.entriesOf(id));
  }

  /** Servers that have a list, in configured order. */
  get serverIds(): readonly string[] {
    const order = new Map(this.#configuredIds.map((id, index) => [id, index]));
    const last = this.#configuredIds.length;
    return [...this.#servers.keys()].sort((a, b) => (order.get(a) ?? last) - (order.get(b) ?? last));
  }

  entriesOf(serverId: string): readonly CatalogueEntry[] {
    return this.#servers.get(serverId) ?? [];
  }

  /** The tool behind a model-facing name, set aside or not; undefined when no tool has that name. */
  resolve(modelName: string): CatalogueEntry | undefined {
    return this.#byModelName.get(modelName);
  }

  /** The tool of a server by the server's own name. */
  find(serverId: string, toolName: string): CatalogueEntry | undefined {
    return this.#byTool.get(toolKey(serverId, toolName));
  }

  /** Tells all configured server ids, running or not: names stay the same whichever servers happen to run. */
  setServerIds(ids: readonly string[]): void {
    this.#configuredIds = [...ids];
    this.#replace(new Map());
  }

  /**
   * Takes a server's whole list. Works in slices; a list that was overtaken by a newer one is dropped. Schemas that
   * need the worker are checked after that, so an entry may still be set aside later.
   */
  async setServerTools(serverId: string, list: ToolList): Promise<void> {
    const revision = this.#nextRevision(serverId);
    const isStale = (): boolean => this.#revisions.get(serverId) !== revision;
    const entries = await buildEntries(list, {
      serverId,
      known: this.entriesOf(serverId),
      checker: this.#checker,
      isEnabled: (toolName) => this.#enabled.get(serverId, toolName) ?? true,
      isStale,
    });
    if (entries === undefined || isStale()) return;
    this.#replace(new Map([[serverId, entries]]));
    if (this.#checker === undefined) return;
    void admitLater(entries, this.#checker, (before, after) => this.#exchange(before, after), isStale);
  }

  /** Forgets a server's tools, because it stopped or is no longer configured. */
  removeServer(serverId: string): void {
    this.#nextRevision(serverId);
    this.#replace(new Map([[serverId, undefined]]));
  }

  /** Exposes tools to the model or not; remembered for the next start. */
  setEnabled(serverId: string, toolNames: readonly string[], enabled: boolean): void {
    for (const name of toolNames) this.#enabled.set(serverId, name, enabled);
    const names = new Set(toolNames);
    const entries = this.entriesOf(serverId).map((entry) =>
      names.has(entry.toolName) && entry.enabled !== enabled ? entry.with({ enabled }) : entry,
    );
    this.#replace(new Map([[serverId, entries]]));
  }

  dispose(): void {
    this.#changed.dispose();
  }

  /** Puts a later finding in place, unless the tool has changed since. */
  #exchange(before: CatalogueEntry, after: CatalogueEntry): void {
    const { serverId, key, fingerprint } = before;
    const entries = this.entriesOf(serverId).map((entry) =>
      entry.key === key && entry.fingerprint === fingerprint
        ? entry.with({ state: after.state, flags: after.flags })
        : entry,
    );
    this.#replace(new Map([[serverId, entries]]));
  }

  #nextRevision(serverId: string): number {
    const revision = (this.#revisions.get(serverId) ?? 0) + 1;
    this.#revisions.set(serverId, revision);
    return revision;
  }

  /** Puts new lists in place, names everything anew and announces the difference. */
  #replace(lists: ReadonlyMap<string, readonly CatalogueEntry[] | undefined>): void {
    const before = new Map(this.entries.map((entry) => [entry.key, entry]));
    for (const [serverId, list] of lists) {
      if (list === undefined) this.#servers.delete(serverId);
      else this.#servers.set(serverId, list);
    }
    this.#assignNames();
    const change = difference(before, this.entries);
    if (change.added.length + change.changed.length + change.removed.length > 0) this.#changed.fire(change);
  }

  #assignNames(): void {
    const callable = this.entries.filter((entry) => entry.isAddressable);
    const ids = new Set([...this.#configuredIds, ...this.#servers.keys()]);
    const names = modelNames(callable, ids);
    const renamed = new Map<CatalogueEntry, CatalogueEntry>();
    for (const [index, entry] of callable.entries()) {
      const name = names[index] ?? '';
      if (entry.modelName !== name) renamed.set(entry, entry.with({ modelName: name }));
    }
    if (renamed.size > 0) {
      for (const [serverId, list] of this.#servers) {
        this.#servers.set(
          serverId,
          list.map((entry) => renamed.get(entry) ?? entry),
        );
      }
    }
    this.#byModelName = new Map();
    this.#byTool = new Map();
    for (const list of this.#servers.values()) {
      for (const entry of list) {
        if (!entry.isAddressable) continue;
        this.#byModelName.set(entry.modelName, entry);
        this.#byTool.set(entry.key, entry);
      }
    }
  }
}

function difference(
  before: ReadonlyMap<string, CatalogueEntry>,
  entries: readonly CatalogueEntry[],
): CatalogueChange {
  const added: CatalogueEntry[] = [];
  const changed: { before: CatalogueEntry; after: CatalogueEntry }[] = [];
  const kept = new Set<string>();
  for (const entry of entries) {
    const old = before.get(entry.key);
    kept.add(entry.key);
    if (old === undefined) added.push(entry);
    else if (old !== entry) changed.push({ before: old, after: entry });
  }
  return { added, changed, removed: [...before.values()].filter((entry) => !kept.has(entry.key)) };
}
