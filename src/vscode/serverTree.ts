import * as vscode from 'vscode';
import type { Disposable } from '../base/disposable.ts';
import type { Tool } from '../protocol/model.ts';
import type { ManagedServer } from '../servers/managedServer.ts';
import type { ServerManager } from '../servers/serverManager.ts';
import { serverItem, toolArgumentItems, toolItem } from './serverTreeItems.ts';

/** A row of the tree. Rows are made anew for each refresh; `id`s keep the editor's selection and folding. */
export type TreeNode =
  | { readonly kind: 'server'; readonly server: ManagedServer }
  | { readonly kind: 'tool'; readonly server: ManagedServer; readonly tool: Tool }
  | { readonly kind: 'note'; readonly item: vscode.TreeItem };

/** The view "Servers & Tools". */
export class ServerTree implements vscode.TreeDataProvider<TreeNode>, Disposable {
  readonly #manager: ServerManager;
  readonly #changed = new vscode.EventEmitter<TreeNode | undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #subscription: Disposable;
  #pending = false;

  constructor(manager: ServerManager) {
    this.#manager = manager;
    this.#subscription = manager.onDidChange(() => this.#refresh());
  }

  getTreeItem(node: TreeNode): vscode.TreeItem {
    switch (node.kind) {
      case 'server':
        return serverItem(node.server);
      case 'tool':
        return toolItem(node.server, node.tool);
      case 'note':
        return node.item;
    }
  }

  getChildren(node?: TreeNode): TreeNode[] {
    if (node === undefined) return this.#manager.servers.map((server) => ({ kind: 'server', server }));
    switch (node.kind) {
      case 'server':
        return this.#serverChildren(node.server);
      case 'tool':
        return toolArgumentItems(node.server, node.tool).map((item) => ({ kind: 'note', item }));
      case 'note':
        return [];
    }
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }

  #serverChildren(server: ManagedServer): TreeNode[] {
    const { tools, rejected } = server.tools;
    const notes = rejected.map(({ name, reason }): TreeNode => {
      const item = new vscode.TreeItem(name);
      item.description = `set aside: ${reason}`;
      item.tooltip = `The tool ${JSON.stringify(name)} cannot be used: ${reason}`;
      item.iconPath = new vscode.ThemeIcon('warning');
      item.contextValue = 'rejectedTool';
      return { kind: 'note', item };
    });
    return [...tools.map((tool): TreeNode => ({ kind: 'tool', server, tool })), ...notes];
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
