import * as vscode from 'vscode';
import type { HistoryFilter } from '../audit/history/callEntry.ts';
import { filterText } from '../audit/history/filterText.ts';
import { HistoryPages } from '../audit/history/historyPages.ts';
import { systemClock } from '../base/clock.ts';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import type { Core } from './core.ts';
import { registerHistoryCommands } from './historyCommands.ts';
import { HistoryTree } from './historyTree.ts';

const pageSize = 50;
const budgetMs = 700;
/** How soon what has just been recorded is shown. */
const refreshMs = 400;
/** A search that takes long, because hardly anything fits, rests this many times as long before it looks for news. */
const restFactor = 5;

/** The view "Call History". Nothing is read while it cannot be seen. */
export class HistoryView implements Disposable {
  readonly #pages: HistoryPages;
  readonly #view: vscode.TreeView<unknown>;
  readonly #held = new DisposableStore();
  #stale = true;
  #timer: Disposable | undefined;
  #pauseMs = 0;

  constructor(core: Core) {
    const pages = (this.#pages = this.#held.add(
      new HistoryPages({ folder: () => core.audit.folder, pageSize, budgetMs }),
    ));
    const tree = this.#held.add(new HistoryTree(pages, core.manager));
    this.#view = this.#held.add(
      vscode.window.createTreeView('countersign.history', { treeDataProvider: tree, canSelectMany: false }),
    );
    this.#held.add(pages.onDidChange(() => this.#describe()));
    this.#held.add(this.#view.onDidChangeVisibility(() => this.#refreshSoon(0)));
    this.#held.add(
      core.audit.onRecorded(({ event }) => {
        if (!('callId' in event)) return;
        this.#stale = true;
        this.#refreshSoon(refreshMs);
      }),
    );
    this.#held.add(
      registerHistoryCommands(core, pages, () => vscode.commands.executeCommand('countersign.history.focus')),
    );
    this.#refreshSoon(0);
  }

  /** What the view shows. */
  get filter(): HistoryFilter {
    return this.#pages.filter;
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#held.dispose();
  }

  #describe(): void {
    const { filter, state, entries } = this.#pages;
    const text = filterText(filter);
    void vscode.commands.executeCommand('setContext', 'countersign.historyFiltered', text !== undefined);
    this.#view.description = text ?? '';
    // An empty text is no message.
    this.#view.message = state.kind === 'ended' && entries.length === 0 ? emptyText(text) : '';
  }

  #refreshSoon(ms: number): void {
    if (!this.#stale || !this.#view.visible || this.#timer !== undefined) return;
    this.#timer = systemClock.after(Math.max(ms, this.#pauseMs), () => {
      this.#stale = false;
      const start = systemClock.monotonic();
      void this.#pages.refresh().finally(() => {
        this.#pauseMs = (systemClock.monotonic() - start) * restFactor;
        this.#timer = undefined;
        // What was recorded meanwhile.
        this.#refreshSoon(refreshMs);
      });
    });
  }
}

function emptyText(filter: string | undefined): string {
  return filter === undefined ? 'No tool has been called yet.' : `No call on record fits: ${filter}`;
}
