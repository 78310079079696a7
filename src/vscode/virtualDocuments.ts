import * as vscode from 'vscode';
import type { Disposable } from '../base/disposable.ts';

const scheme = 'countersign';
const kept = 100;

/** Read-only editor tabs for texts of ours: results, long arguments. Nothing of them touches the disk. */
export class VirtualDocuments implements vscode.TextDocumentContentProvider, Disposable {
  readonly #texts = new Map<string, string>();
  readonly #registration: vscode.Disposable;

  constructor() {
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(scheme, this);
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.path) ?? 'This text is no longer kept.';
  }

  /** Shows a text under a title; the title's ending chooses the language. */
  async show(title: string, text: string): Promise<void> {
    const path = `/${this.#texts.size}-${Date.now().toString(36)}/${title.replaceAll(/[^\w.-]+/g, '_')}`;
    this.#texts.set(path, text);
    const [oldest] = this.#texts.keys();
    if (this.#texts.size > kept && oldest !== undefined) this.#texts.delete(oldest);
    const document = await vscode.workspace.openTextDocument(vscode.Uri.from({ scheme, path }));
    await vscode.window.showTextDocument(document, { preview: true });
  }

  dispose(): void {
    this.#registration.dispose();
    this.#texts.clear();
  }
}
