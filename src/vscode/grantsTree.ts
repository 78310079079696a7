import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { type GrantStanding, grantStanding } from '../policy/grantStanding.ts';
import type { GrantRecord } from '../policy/grantState.ts';
import type { GrantStore } from '../policy/grantStore.ts';
import type { ServerManager } from '../servers/serverManager.ts';
import type { Catalogue } from '../tools/catalogue.ts';
import { grantItem, grantServerItem } from './grantItems.ts';

/** A row of the tree, made anew for each refresh. */
export type GrantNode =
  | { readonly kind: 'server'; readonly serverId: string; readonly grants: readonly GrantLine[] }
  | ({ readonly kind: 'grant' } & GrantLine);

export interface GrantLine {
  readonly record: GrantRecord;
  readonly standing: GrantStanding;
}

/** The view "Grants": what was allowed beyond one call, by server. */
export class GrantsTree implements vscode.TreeDataProvider<GrantNode>, Disposable {
  readonly #grants: GrantStore;
  readonly #manager: ServerManager;
  readonly #catalogue: Catalogue;
  readonly #workspace: () => string | undefined;
  readonly #changed = new vscode.EventEmitter<GrantNode | undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #held = new DisposableStore();
  #pending = false;

  /** `workspace`: the id that grants of workspace scope carry. */
  constructor(parts: {
    readonly grants: GrantStore;
    readonly manager: ServerManager;
    readonly catalogue: Catalogue;
    readonly workspace: () => string | undefined;
  }) {
    this.#grants = parts.grants;
    this.#manager = parts.manager;
    this.#catalogue = parts.catalogue;
    this.#workspace = parts.workspace;
    this.#held.add(this.#changed);
    for (const event of [parts.grants.onDidChange, parts.catalogue.onDidChange, parts.manager.onDidChange]) {
      this.#held.add(event(() => this.#refresh()));
    }
  }

  getTreeItem(node: GrantNode): vscode.TreeItem {
    if (node.kind === 'grant') return grantItem(node.record, node.standing);
    const current = node.grants.filter(({ standing }) => standing.kind === 'counts').length;
    return grantServerItem(node.serverId, node.grants.length, current);
  }

  getChildren(node?: GrantNode): GrantNode[] {
    if (node?.kind === 'grant') return [];
    if (node !== undefined) return node.grants.map((line) => ({ kind: 'grant', ...line }));
    const servers = new Map<string, GrantLine[]>();
    for (const line of this.lines()) {
      const { serverId } = line.record.grant;
      const lines = servers.get(serverId);
      if (lines === undefined) servers.set(serverId, [line]);
      else lines.push(line);
    }
    return Array.from(servers, ([serverId, grants]) => ({ kind: 'server' as const, serverId, grants }));
  }

  /** All grants with how they stand now, oldest first. */
  lines(): readonly GrantLine[] {
    const workspace = this.#workspace();
    return this.#grants.records().map((record) => {
      const { serverId, toolName } = record.grant;
      const resolved = this.#manager.get(serverId)?.resolved;
      const standing = grantStanding(record.grant, {
        workspace,
        launchFingerprint: resolved?.kind === 'resolved' ? resolved.fingerprint : undefined,
        toolFingerprint: this.#catalogue.find(serverId, toolName)?.fingerprint,
      });
      return { record, standing };
    });
  }

  dispose(): void {
    this.#held.dispose();
  }

  /** Many changes come at once when servers start; one refresh shows them all. */
  #refresh(): void {
    if (this.#pending) return;
    this.#pending = true;
    setImmediate(() => {
      this.#pending = false;
      this.#changed.fire(undefined);
    });
  }
}
