import * as vscode from 'vscode';
import type { Disposable } from '../base/disposable.ts';
import { errorMessage } from '../base/errors.ts';
import type { CallReport, ToolCalls } from '../calls/callTypes.ts';
import type { Tool } from '../protocol/model.ts';
import { exampleArguments } from '../tools/exampleArguments.ts';
import { showError, showStatus } from './notices.ts';

const contextKey = 'countersign.argumentsEditor';

interface Draft {
  readonly serverId: string;
  readonly toolName: string;
}

/** Run Tool by hand: a JSON document for the arguments, then the same road as any other call. */
export class ArgumentsEditor implements Disposable {
  readonly #calls: ToolCalls;
  readonly #showReport: (draft: Draft, report: CallReport) => void;
  readonly #drafts = new Map<string, Draft>();
  readonly #subscriptions: vscode.Disposable[];

  constructor(calls: ToolCalls, showReport: (draft: Draft, report: CallReport) => void) {
    this.#calls = calls;
    this.#showReport = showReport;
    this.#subscriptions = [
      vscode.window.onDidChangeActiveTextEditor(() => this.#updateContext()),
      vscode.workspace.onDidCloseTextDocument((document) => this.#drafts.delete(document.uri.toString())),
    ];
  }

  async open(serverId: string, tool: Tool): Promise<void> {
    const document = await vscode.workspace.openTextDocument({
      language: 'json',
      content: JSON.stringify(exampleArguments(tool.inputSchema), undefined, 2),
    });
    this.#drafts.set(document.uri.toString(), { serverId, toolName: tool.name });
    await vscode.window.showTextDocument(document);
    this.#updateContext();
    showStatus(`Arguments of ${serverId} · ${tool.name}: edit, then run them with the button above.`, 15_000);
  }

  /** Runs the arguments in the active editor. */
  async run(): Promise<void> {
    const document = vscode.window.activeTextEditor?.document;
    const draft = document === undefined ? undefined : this.#drafts.get(document.uri.toString());
    if (document === undefined || draft === undefined) {
      void showError('There are no arguments here to run. Use "Run Tool…" on a tool first.');
      return;
    }
    let parsed: unknown;
    try {
      parsed = JSON.parse(document.getText());
    } catch (error) {
      void showError(`The arguments are not valid JSON: ${errorMessage(error)}`);
      return;
    }
    const report = await this.#calls.invoke({
      caller: { kind: 'user', label: 'you' },
      target: { kind: 'tool', ...draft },
      arguments: parsed,
    });
    this.#showReport(draft, report);
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #updateContext(): void {
    const uri = vscode.window.activeTextEditor?.document.uri.toString();
    void vscode.commands.executeCommand('setContext', contextKey, uri !== undefined && this.#drafts.has(uri));
  }
}
