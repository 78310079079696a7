import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { Disposable } from '../base/disposable.ts';
import { pageHtml } from '../prompts/pageHtml.ts';
import type { ResultPort } from '../prompts/resultPort.ts';
import { ResultSession } from '../prompts/resultSession.ts';
import type { ResultView } from '../shared/resultView.ts';
import { oneLine } from './treeText.ts';

/** Editor tabs that show results and resources, one for each. */
export class ResultTabs implements Disposable {
  readonly #root: vscode.Uri;
  readonly #results: () => ResultPort;
  readonly #report: (problem: string) => void;
  readonly #open = new Map<string, vscode.WebviewPanel>();

  /** `root`: the folder that holds the built pages. */
  constructor(options: {
    readonly root: vscode.Uri;
    readonly results: () => ResultPort;
    readonly report: (problem: string) => void;
  }) {
    this.#root = options.root;
    this.#results = options.results;
    this.#report = options.report;
  }

  open({ id, subject, title }: { readonly id: string } & Pick<ResultView, 'subject' | 'title'>): void {
    const shown = this.#open.get(id);
    if (shown !== undefined) return shown.reveal();
    const name = `${subject === 'result' ? 'Result' : 'Resource'}: ${oneLine(title)}`;
    const panel = vscode.window.createWebviewPanel('countersign.result', name, vscode.ViewColumn.Active, {
      enableScripts: true,
      enableFindWidget: true,
      localResourceRoots: [this.#root],
      // A sound plays on, and what was unfolded stays so, while another tab is in front.
      retainContextWhenHidden: true,
    });
    this.#open.set(id, panel);
    const { webview } = panel;
    const session = new ResultSession({
      id,
      results: this.#results(),
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- the editor's API has no origin
      post: (message) => void webview.postMessage(message),
      report: this.#report,
    });
    webview.onDidReceiveMessage((message: unknown) => session.receive(message));
    panel.onDidDispose(() => {
      this.#open.delete(id);
      session.dispose();
    });
    const address = (file: string): string =>
      webview.asWebviewUri(vscode.Uri.joinPath(this.#root, file)).toString();
    webview.html = pageHtml({
      cspSource: webview.cspSource,
      nonce: randomBytes(24).toString('base64url'),
      script: address('approvals.js'),
      style: address('approvals.css'),
      place: 'tab',
      page: 'result',
    });
  }

  dispose(): void {
    for (const panel of Array.from(this.#open.values())) panel.dispose();
  }
}
