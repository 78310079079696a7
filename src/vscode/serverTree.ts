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

/** A row of the tree. Rows are made anew for each refresh; `id`s keep the editor's selection and folding. */
export type TreeNode =
  | { readonly kind: 'server'; readonly server: ManagedServer }
  | { readonly kind: 'tool'; readonly server: ManagedServer; readonly entry: CatalogueEntry }
  | { readonly kind: 'note'; readonly item: vscode.TreeItem };

/** The view "Servers & Tools". */
export class ServerTree implements vscode.TreeDataProvider<TreeNode>, Disposable {
  readonly #manager: ServerManager;
  readonly #catalogue: Catalogue;
  readonly #changed = new vscode.EventEmitter<TreeNode | undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #subscriptions: readonly Disposable[];
  readonly #icons: Icons;
  #pending = false;

  constructor(manager: ServerManager, catalogue: Catalogue) {
    this.#manager = manager;
    this.#catalogue = catalogue;
    this.#icons = new Icons(manager, () => this.#refresh());
    this.#subscriptions = [
      this.#icons,
      manager.onDidChange(() => this.#refresh()),
      catalogue.onDidChange(() => this.#refresh()),
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
    if (node === undefined) return this.#manager.servers.map((server) => ({ kind: 'server', server }));
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
  #refresh(): void {
    if (this.#pending) return;
    this.#pending = true;
    setImmediate(() => {
      this.#pending = false;
      this.#changed.fire(undefined);
    });
  }
}
