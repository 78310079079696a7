import { Emitter, type Event } from '../base/event.ts';
import type { Disposable } from '../base/disposable.ts';
import type { ToolList } from '../protocol/model.ts';
import { admitLater, buildEntries, type LaterFinding } from './catalogueBuild.ts';
import type { CatalogueEntry } from './catalogueEntry.ts';
import type { SchemaChecker } from './schemaChecker.ts';
import { NameRegistry } from './nameRegistry.ts';

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
  readonly #names = new NameRegistry();
  #configuredIds: readonly string[] = [];
  readonly #byModelName = new Map<string, CatalogueEntry>();
  /** By server id, then by the server's own name. */
  readonly #byTool = new Map<string, Map<string, CatalogueEntry>>();
  /** One list at a time, so that their slices do not add up. */
  #building: Promise<unknown> = Promise.resolve();

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
    return this.#byTool.get(serverId)?.get(toolName);
  }

  /** Tells all configured server ids, running or not: names stay the same whichever servers happen to run. */
  setServerIds(ids: readonly string[]): void {
    this.#configuredIds = [...ids];
    this.#names.setIds(this.#allIds());
    const changed = this.#rename(undefined, undefined);
    if (changed.length > 0) this.#changed.fire({ added: [], changed, removed: [] });
  }

  /**
   * Takes a server's whole list. Works in slices; a list that was overtaken by a newer one is dropped. Schemas that
   * need the worker are checked after that, so an entry may still be set aside later.
   */
  async setServerTools(serverId: string, list: ToolList): Promise<void> {
    const revision = this.#nextRevision(serverId);
    const isStale = (): boolean => this.#revisions.get(serverId) !== revision;
    const build = this.#building.then(() =>
      isStale()
        ? undefined
        : buildEntries(list, {
            serverId,
            known: this.entriesOf(serverId),
            find: (toolName) => this.find(serverId, toolName),
            checker: this.#checker,
            isEnabled: (toolName) => this.#enabled.get(serverId, toolName) ?? true,
            isStale,
          }),
    );
    this.#building = build.catch(() => undefined);
    const entries = await build;
    if (entries === undefined || isStale()) return;
    this.#replace(serverId, entries);
    if (this.#checker === undefined) return;
    void admitLater(entries, this.#checker, (findings) => this.#exchange(serverId, findings), isStale);
  }

  /** Forgets a server's tools, because it stopped or is no longer configured. */
  removeServer(serverId: string): void {
    this.#nextRevision(serverId);
    this.#replace(serverId, undefined);
  }

  /** Exposes tools to the model or not; remembered for the next start. */
  setEnabled(serverId: string, toolNames: readonly string[], enabled: boolean): void {
    for (const name of toolNames) this.#enabled.set(serverId, name, enabled);
    const names = new Set(toolNames);
    const entries = this.entriesOf(serverId).map((entry) =>
      names.has(entry.toolName) && entry.enabled !== enabled ? entry.with({ enabled }) : entry,
    );
    this.#replace(serverId, entries);
  }

  dispose(): void {
    this.#changed.dispose();
  }

  /** Puts later findings in place, unless a tool has changed since. */
  #exchange(serverId: string, findings: readonly LaterFinding[]): void {
    const byKey = new Map(findings.map((finding) => [finding.before.key, finding]));
    const entries = this.entriesOf(serverId).map((entry) => {
      const found = byKey.get(entry.key);
      return found?.before.fingerprint === entry.fingerprint
        ? entry.with({ state: found.after.state, flags: found.after.flags })
        : entry;
    });
    this.#replace(serverId, entries);
  }

  #nextRevision(serverId: string): number {
    const revision = (this.#revisions.get(serverId) ?? 0) + 1;
    this.#revisions.set(serverId, revision);
    return revision;
  }

  /** Puts a server's new list in place and announces the difference. */
  #replace(serverId: string, list: readonly CatalogueEntry[] | undefined): void {
    if (list !== undefined && isSameList(list, this.#servers.get(serverId))) return;
    const before = new Map(this.entriesOf(serverId).map((entry) => [entry.key, entry]));
    const isNewServer = list !== undefined && !this.#servers.has(serverId);
    if (list === undefined) this.#servers.delete(serverId);
    else this.#servers.set(serverId, list);
    // Only an id that was not configured can change the names of other servers' tools.
    if (isNewServer && !this.#configuredIds.includes(serverId)) this.#names.setIds(this.#allIds());
    const touched = new Set<string>();
    const after = new Set<string>();
    for (const entry of list ?? []) {
      if (!entry.isAddressable) continue;
      after.add(entry.key);
      for (const key of this.#names.add(entry.key, entry)) touched.add(key);
    }
    for (const [key, entry] of before) {
      if (!entry.isAddressable || after.has(key)) continue;
      for (const other of this.#names.remove(key)) touched.add(other);
      this.#byTool.get(serverId)?.delete(entry.toolName);
      this.#byModelName.delete(entry.modelName);
    }
    const renamed = this.#rename(isNewServer ? undefined : touched, serverId);
    const change = difference(before, this.entriesOf(serverId), renamed);
    if (change.added.length + change.changed.length + change.removed.length > 0) this.#changed.fire(change);
  }

  /**
   * Gives entries the names that they should have, of the touched keys or of all, and takes them into the maps.
   * Returns those of other servers that changed.
   */
  #rename(touched: ReadonlySet<string> | undefined, ownServerId: string | undefined): Change[] {
    const renamed: Change[] = [];
    const isTouched = (entry: CatalogueEntry): boolean => touched === undefined || touched.has(entry.key);
    const ownCount = ownServerId === undefined ? 0 : this.entriesOf(ownServerId).filter(isTouched).length;
    // Nearly always a list touches nothing but itself, and the other servers need no look.
    const isOwnOnly = touched !== undefined && ownCount === touched.size;
    for (const [serverId, list] of this.#servers) {
      if (serverId !== ownServerId && isOwnOnly) continue;
      const next = list.map((entry) => {
        if (!entry.isAddressable || !isTouched(entry)) return entry;
        const modelName = this.#names.nameOf(entry.key);
        if (entry.modelName === modelName) return entry;
        if (this.#byModelName.get(entry.modelName)?.key === entry.key)
          this.#byModelName.delete(entry.modelName);
        const after = entry.with({ modelName });
        if (serverId !== ownServerId) renamed.push({ before: entry, after });
        return after;
      });
      this.#servers.set(serverId, next);
      const byTool = this.#byTool.get(serverId) ?? new Map<string, CatalogueEntry>();
      this.#byTool.set(serverId, byTool);
      for (const entry of next) {
        if (!entry.isAddressable || !isTouched(entry)) continue;
        byTool.set(entry.toolName, entry);
        this.#byModelName.set(entry.modelName, entry);
      }
    }
    return renamed;
  }

  #allIds(): string[] {
    return [...new Set([...this.#configuredIds, ...this.#servers.keys()])];
  }
}

function isSameList(one: readonly CatalogueEntry[], other: readonly CatalogueEntry[] | undefined): boolean {
  return one.length === other?.length && one.every((entry, index) => entry === other[index]);
}

interface Change {
  readonly before: CatalogueEntry;
  readonly after: CatalogueEntry;
}

function difference(
  before: ReadonlyMap<string, CatalogueEntry>,
  entries: readonly CatalogueEntry[],
  renamed: readonly Change[],
): CatalogueChange {
  const added: CatalogueEntry[] = [];
  const changed: Change[] = [...renamed];
  const kept = new Set<string>();
  for (const entry of entries) {
    const old = before.get(entry.key);
    kept.add(entry.key);
    if (old === undefined) added.push(entry);
    else if (old !== entry) changed.push({ before: old, after: entry });
  }
  return { added, changed, removed: [...before.values()].filter((entry) => !kept.has(entry.key)) };
}
