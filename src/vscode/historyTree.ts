import * as vscode from 'vscode';
import type { CallEnd, CallEntry } from '../audit/history/callEntry.ts';
import { entryRow } from '../audit/history/entryText.ts';
import type { HistoryPages } from '../audit/history/historyPages.ts';
import type { Disposable } from '../base/disposable.ts';
import type { ServerManager } from '../servers/serverManager.ts';
import { oneLine } from './treeText.ts';

/** A row of the view. */
export type HistoryNode =
  | { readonly kind: 'call'; readonly entry: CallEntry }
  /** The last row: how to go on. */
  | { readonly kind: 'more' };

const icons: Readonly<Record<CallEnd, vscode.ThemeIcon>> = {
  ok: new vscode.ThemeIcon('pass', new vscode.ThemeColor('testing.iconPassed')),
  toolError: new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground')),
  failed: new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground')),
  denied: new vscode.ThemeIcon('circle-slash'),
  refused: new vscode.ThemeIcon('question'),
  cancelled: new vscode.ThemeIcon('debug-stop'),
  unanswered: new vscode.ThemeIcon('sync-ignored'),
  open: new vscode.ThemeIcon('clock'),
};

/** The rows of the view "Call History": the calls of all sessions, the newest first. */
export class HistoryTree implements vscode.TreeDataProvider<HistoryNode>, Disposable {
  readonly #pages: HistoryPages;
  readonly #manager: ServerManager;
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #subscription: Disposable;

  constructor(pages: HistoryPages, manager: ServerManager) {
    this.#pages = pages;
    this.#manager = manager;
    this.#subscription = pages.onDidChange(() => this.#changed.fire(undefined));
  }

  getTreeItem(node: HistoryNode): vscode.TreeItem {
    return node.kind === 'call' ? this.#callItem(node.entry) : this.#moreItem();
  }

  getChildren(node?: HistoryNode): HistoryNode[] {
    if (node !== undefined) return [];
    const calls = this.#pages.entries.map((entry): HistoryNode => ({ kind: 'call', entry }));
    return this.#pages.state.kind === 'ended' ? calls : [...calls, { kind: 'more' }];
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }

  #callItem(entry: CallEntry): vscode.TreeItem {
    const row = entryRow(entry, Date.now());
    const item = new vscode.TreeItem(row.label);
    item.id = `${entry.sessionId}/${entry.callId}`;
    item.description = row.description;
    item.tooltip = row.tooltip;
    item.iconPath = icons[entry.end];
    item.contextValue = this.#isHttp(entry.serverId) ? 'call-http' : 'call';
    item.accessibilityInformation = { label: row.spoken };
    item.command = { command: 'countersign.openCall', title: 'Open', arguments: [{ kind: 'call', entry }] };
    return item;
  }

  #moreItem(): vscode.TreeItem {
    const { state, entries } = this.#pages;
    if (state.kind === 'loading') {
      const item = new vscode.TreeItem(entries.length === 0 ? 'Loading…' : 'Loading more…');
      item.iconPath = new vscode.ThemeIcon('loading~spin');
      return item;
    }
    if (state.kind === 'failed') {
      const item = new vscode.TreeItem(`The history cannot be read: ${oneLine(state.message)}`);
      item.iconPath = new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'));
      item.command = { command: 'countersign.refreshHistory', title: 'Try Again' };
      return item;
    }
    const item = new vscode.TreeItem('Load more…');
    if (state.kind === 'more')
      item.description = `${entries.length} calls shown, ${state.scanned} records read`;
    item.iconPath = new vscode.ThemeIcon('ellipsis');
    item.command = { command: 'countersign.moreHistory', title: 'Load More' };
    return item;
  }

  #isHttp(serverId: string): boolean {
    const resolved = this.#manager.get(serverId)?.resolved;
    return resolved?.kind === 'resolved' && resolved.launch.kind === 'http';
  }
}
