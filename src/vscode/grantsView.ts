import * as vscode from 'vscode';
import type { Core } from './core.ts';
import { registerGrantCommands } from './grantCommands.ts';
import { GrantsTree } from './grantsTree.ts';
import { workspaceFacts } from './workspaceFacts.ts';

/** The view "Grants" with its commands. */
export function addGrantsView({ grants, manager, catalogue, audit, documents }: Core): vscode.Disposable {
  const tree = new GrantsTree({ grants, manager, catalogue, workspace: () => workspaceFacts().id });
  const view = vscode.window.createTreeView('countersign.grants', {
    treeDataProvider: tree,
    showCollapseAll: true,
  });
  // Other windows write the same file; a person who looks here should see what they did.
  const refresh = (looks: boolean): void => {
    if (looks) void grants.refresh();
  };
  return vscode.Disposable.from(
    view,
    tree,
    view.onDidChangeVisibility(({ visible }) => refresh(visible)),
    vscode.window.onDidChangeWindowState(({ focused }) => refresh(focused)),
    registerGrantCommands({ grants, tree, audit, documents }),
  );
}
