import * as vscode from 'vscode';
import type { Disposable } from '../base/disposable.ts';
import type { Icon } from '../protocol/model.ts';
import type { ManagedServer } from '../servers/managedServer.ts';
import type { ServerManager } from '../servers/serverManager.ts';
import type { Catalogue } from '../tools/catalogue.ts';
import type { CatalogueEntry } from '../tools/catalogueEntry.ts';
import { Icons } from './icons.ts';
import { serverItem } from './serverTreeItems.ts';
import { toolDetailItems, toolItem } from './toolTreeItems.ts';

/**
 * A row of the tree. A server keeps its row, and only what changed is told: a press on a button of a row that is just
 * being made anew would reach nobody. `id`s keep the editor's selection and folding.
 */
export type TreeNode =
  | { readonly kind: 'server'; readonly server: ManagedServer }
  | { readonly kind: 'tool'; readonly server: ManagedServer; readonly entry: CatalogueEntry }
  | { readonly kind: 'note'; readonly item: vscode.TreeItem };

/** The view "Servers & Tools". */
export class ServerTree implements vscode.TreeDataProvider<TreeNode>, Disposable {
  readonly #manager: ServerManager;
  readonly #catalogue: Catalogue;
  readonly #changed = new vscode.EventEmitter<TreeNode | TreeNode[] | undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #subscriptions: readonly Disposable[];
  readonly #icons: Icons;
  readonly #rows = new WeakMap<ManagedServer, TreeNode>();
  /** What the next refresh is of. */
  #stale: Set<ManagedServer> | 'all' | undefined;

  constructor(manager: ServerManager, catalogue: Catalogue) {
    this.#manager = manager;
    this.#catalogue = catalogue;
    this.#icons = new Icons(manager, (server) => this.#refresh([server]));
    this.#subscriptions = [
      this.#icons,
      manager.onDidChange(({ kind, server }) =>
        this.#refresh(kind === 'added' || kind === 'removed' ? 'all' : [server]),
      ),
      catalogue.onDidChange(({ added, changed, removed }) => {
        const entries = [...added, ...removed, ...changed.map(({ after }) => after)];
        const ids = new Set(entries.map(({ serverId }) => serverId));
        this.#refresh(manager.servers.filter(({ id }) => ids.has(id)));
      }),
    ];
  }

  getTreeItem(node: TreeNode): vscode.TreeItem {
    switch (node.kind) {
      case 'server':
        // A server's row keeps the sign of its state.
        return serverItem(node.server, this.#catalogue.entriesOf(node.server.id));
      case 'tool':
        return this.#withIcon(toolItem(node.entry), node.server, node.entry.tool?.icons);
      case 'note':
        return node.item;
    }
  }

  getChildren(node?: TreeNode): TreeNode[] {
    if (node === undefined) return this.#manager.servers.map((server) => this.rowOf(server));
    switch (node.kind) {
      case 'server': {
        const { server } = node;
        return this.#catalogue.entriesOf(server.id).map((entry) => ({ kind: 'tool', server, entry }));
      }
      case 'tool':
        return toolDetailItems(node.entry).map((item) => ({ kind: 'note', item }));
      case 'note':
        return [];
    }
  }

  getParent(node: TreeNode): TreeNode | undefined {
    return node.kind === 'tool' ? this.rowOf(node.server) : undefined;
  }

  /** The row of a server, always the same one. */
  rowOf(server: ManagedServer): TreeNode {
    let row = this.#rows.get(server);
    if (row === undefined) {
      row = { kind: 'server', server };
      this.#rows.set(server, row);
    }
    return row;
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#changed.dispose();
  }

  #withIcon(
    item: vscode.TreeItem,
    server: ManagedServer,
    icons: readonly Icon[] | undefined,
  ): vscode.TreeItem {
    const icon = item.contextValue === 'setAsideTool' ? undefined : this.#icons.get(server, icons);
    if (icon !== undefined) item.iconPath = icon;
    return item;
  }

  /** Many changes come at once when servers start; one refresh shows them all. */
  #refresh(servers: readonly ManagedServer[] | 'all'): void {
    const isFirst = this.#stale === undefined;
    if (servers === 'all' || this.#stale === 'all') this.#stale = 'all';
    else this.#stale = new Set([...(this.#stale ?? []), ...servers]);
    if (!isFirst) return;
    setImmediate(() => {
      const stale = this.#stale ?? new Set();
      this.#stale = undefined;
      if (stale === 'all') this.#changed.fire(undefined);
      else if (stale.size > 0) this.#changed.fire(Array.from(stale, (server) => this.rowOf(server)));
    });
  }
}
