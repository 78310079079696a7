import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { isDraft } from '../prompts/promptSummary.ts';
import type { PromptQueue } from '../prompts/promptQueue.ts';
import type { ApprovalsView } from './approvalsView.ts';
import { showInformation } from './notices.ts';

/**
 * Tells the person that something waits: shows the view without taking the keyboard, counts in the status bar,
 * and, while the window is in the background, leaves a notification. None of these can answer.
 */
export class PromptNotice implements Disposable {
  readonly #queue: PromptQueue;
  readonly #view: ApprovalsView;
  readonly #held = new DisposableStore();
  readonly #status: vscode.StatusBarItem;
  #known = new Set<string>();
  #noticed = false;

  constructor(queue: PromptQueue, view: ApprovalsView) {
    this.#queue = queue;
    this.#view = view;
    this.#status = this.#held.add(
      vscode.window.createStatusBarItem('countersign.waiting', vscode.StatusBarAlignment.Left, 100),
    );
    this.#status.name = 'Countersign Approvals';
    this.#status.command = 'countersign.showApprovals';
    this.#status.backgroundColor = new vscode.ThemeColor('statusBarItem.warningBackground');
    this.#held.add(queue.onDidChange(() => this.#changed()));
  }

  dispose(): void {
    this.#held.dispose();
  }

  #changed(): void {
    const pending = this.#queue.pending.filter((card) => !isDraft(card));
    const fresh = pending.filter(({ id }) => !this.#known.has(id));
    this.#known = new Set(pending.map(({ id }) => id));
    if (pending.length === 0) this.#status.hide();
    else {
      const text = pending.length === 1 ? '1 call waits for you' : `${pending.length} calls wait for you`;
      this.#status.text = `$(shield) ${text}`;
      this.#status.tooltip = 'Countersign: show Approvals';
      this.#status.show();
    }
    const [first] = fresh;
    if (first === undefined) return;
    if (!this.#view.isVisible) void this.#view.reveal(first.id, 'keep');
    if (!vscode.window.state.focused) void this.#notify(first.serverId);
  }

  async #notify(serverId: string): Promise<void> {
    // One at a time: twenty calls must not leave twenty notifications.
    if (this.#noticed) return;
    this.#noticed = true;
    try {
      const message = `A call of the MCP server "${serverId}" waits for you.`;
      const answer = await showInformation(message, 'Show Approvals');
      if (answer !== undefined) await this.#view.reveal(undefined, 'move');
    } finally {
      this.#noticed = false;
    }
  }
}
