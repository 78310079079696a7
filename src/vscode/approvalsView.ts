import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { Clock } from '../base/clock.ts';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import type { CallBoard } from '../prompts/callBoard.ts';
import { pageHtml } from '../prompts/pageHtml.ts';
import { type PageActions, PageSession } from '../prompts/pageSession.ts';
import type { ObstaclePort } from '../prompts/obstaclePort.ts';
import { isDraft } from '../prompts/promptSummary.ts';
import type { PromptQueue } from '../prompts/promptQueue.ts';
import type { ResultPort } from '../prompts/resultPort.ts';

/** Where the page lives: the view of the container, or an editor tab. */
interface Page {
  readonly session: PageSession;
  /** Whether a person can see it right now. */
  isVisible(): boolean;
}

/** Hosts the approvals page: as the view `countersign.approvals`, and in an editor tab on demand. */
export class ApprovalsView implements vscode.WebviewViewProvider, Disposable {
  static readonly viewId = 'countersign.approvals';

  readonly #root: vscode.Uri;
  readonly #queue: PromptQueue;
  readonly #board: CallBoard;
  readonly #results: ResultPort;
  readonly #obstacles: ObstaclePort;
  readonly #clock: Clock;
  readonly #actions: PageActions;
  readonly #held = new DisposableStore();
  #view: { readonly view: vscode.WebviewView; readonly page: Page } | undefined;
  #panel: { readonly panel: vscode.WebviewPanel; readonly page: Page } | undefined;

  /** `root`: the folder that holds the built pages. `openPage` of the actions is added here. */
  constructor(options: {
    readonly root: vscode.Uri;
    readonly queue: PromptQueue;
    readonly board: CallBoard;
    readonly results: ResultPort;
    readonly obstacles: ObstaclePort;
    readonly clock: Clock;
    readonly actions: Omit<PageActions, 'openPage'>;
  }) {
    this.#root = options.root;
    this.#queue = options.queue;
    this.#board = options.board;
    this.#results = options.results;
    this.#obstacles = options.obstacles;
    this.#clock = options.clock;
    this.#actions = { ...options.actions, openPage: (promptId) => this.openPanel(promptId) };
    this.#held.add(this.#queue.onDidChange(() => this.#showCount()));
    this.#held.add(
      vscode.window.registerWebviewViewProvider(ApprovalsView.viewId, this, {
        // What a person is typing survives while another view covers this one.
        webviewOptions: { retainContextWhenHidden: true },
      }),
    );
  }

  /** True while a person can see what waits. */
  get isVisible(): boolean {
    return [this.#view?.page, this.#panel?.page].some((page) => page?.isVisible() === true);
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    const page = this.#host('view', view.webview, () => view.visible, view.onDidDispose);
    view.onDidChangeVisibility(() => page.session.setVisible(view.visible));
    view.onDidDispose(() => {
      if (this.#view?.view === view) this.#view = undefined;
    });
    this.#view = { view, page };
    this.#showCount();
  }

  /** Makes the approvals visible without taking the keyboard; `move`: with it. Shows the named prompt. */
  async reveal(promptId: string | undefined, focus: 'keep' | 'move'): Promise<void> {
    const panel = this.#panel;
    if (panel !== undefined && (panel.panel.visible || this.#view === undefined)) {
      panel.panel.reveal(undefined, focus === 'keep');
      return panel.page.session.show(promptId, focus);
    }
    if (this.#view === undefined || focus === 'move') {
      await vscode.commands.executeCommand(`${ApprovalsView.viewId}.focus`, {
        preserveFocus: focus === 'keep',
      });
    } else if (!this.#view.view.visible) {
      this.#view.view.show(true);
    }
    this.#view?.page.session.show(promptId, focus);
  }

  /** The same page in an editor tab, for prompts that need room. */
  openPanel(promptId?: string): void {
    if (this.#panel !== undefined) {
      this.#panel.panel.reveal();
      return this.#panel.page.session.show(promptId, 'keep');
    }
    const panel = vscode.window.createWebviewPanel(
      'countersign.approvals.tab',
      'Approvals',
      vscode.ViewColumn.Active,
      { retainContextWhenHidden: true },
    );
    const page = this.#host('tab', panel.webview, () => panel.visible, panel.onDidDispose);
    panel.onDidChangeViewState(() => page.session.setVisible(panel.visible));
    panel.onDidDispose(() => {
      this.#panel = undefined;
    });
    this.#panel = { panel, page };
    page.session.show(promptId, 'keep');
  }

  dispose(): void {
    this.#panel?.panel.dispose();
    this.#view?.page.session.dispose();
    this.#held.dispose();
  }

  #host(
    place: 'view' | 'tab',
    webview: vscode.Webview,
    isVisible: () => boolean,
    onDidDispose: vscode.Event<void>,
  ): Page {
    webview.options = { enableScripts: true, enableForms: false, localResourceRoots: [this.#root] };
    const session = new PageSession({
      queue: this.#queue,
      board: this.#board,
      results: this.#results,
      obstacles: this.#obstacles,
      clock: this.#clock,
      actions: this.#actions,
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- the editor's API has no origin
      post: (message) => void webview.postMessage(message),
    });
    webview.onDidReceiveMessage((message: unknown) => session.receive(message));
    onDidDispose(() => session.dispose());
    const address = (file: string): string =>
      webview.asWebviewUri(vscode.Uri.joinPath(this.#root, file)).toString();
    webview.html = pageHtml({
      cspSource: webview.cspSource,
      nonce: randomBytes(24).toString('base64url'),
      script: address('approvals.js'),
      style: address('approvals.css'),
      place,
      page: 'approvals',
    });
    return { session, isVisible };
  }

  #showCount(): void {
    if (this.#view === undefined) return;
    const size = this.#queue.pending.filter((card) => !isDraft(card)).length;
    this.#view.view.badge =
      size === 0
        ? undefined
        : { value: size, tooltip: size === 1 ? '1 call waits for you' : `${size} calls wait for you` };
  }
}
