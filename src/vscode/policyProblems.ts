import * as vscode from 'vscode';
import type { Disposable } from '../base/disposable.ts';
import { problemLocation, type TextSpan } from '../policy/problemLocation.ts';
import { type PolicyProblem, problemText } from '../policy/rule.ts';
import { workspaceOverreach } from '../policy/workspaceOverreach.ts';
import {
  type SettingsFile,
  userSettingsFile,
  workspaceSettingsFile,
  workspaceSettingsFiles,
} from './settingsFiles.ts';

/** Something wrong in a settings file, ready to be shown at its place. */
interface Finding {
  readonly document: vscode.TextDocument;
  readonly span: TextSpan;
  readonly message: string;
  readonly severity: 'error' | 'warning';
}

/** What is wrong with the policy, in the Problems view: at the very place in the user's and workspace's settings. */
export class PolicyProblems implements Disposable {
  readonly #storage: vscode.Uri;
  /** Settings that only the user can write. */
  readonly #reserved: ReadonlySet<string>;
  readonly #diagnostics = vscode.languages.createDiagnosticCollection('countersign');
  #round = 0;

  /** `storage`: the folder that the editor gives to the extension. */
  constructor(storage: vscode.Uri, reserved: ReadonlySet<string>) {
    this.#storage = storage;
    this.#reserved = reserved;
  }

  /**
   * Shows these problems and no others. Resolves to the settings that the workspace writes in vain, for a notice.
   */
  async show(problems: readonly PolicyProblem[]): Promise<readonly string[]> {
    const round = ++this.#round;
    const overreach = await this.#overreach();
    const located = await Promise.all(problems.map((problem) => this.#find(problem)));
    // A newer round knows better.
    if (round !== this.#round) return [];
    this.#diagnostics.clear();
    const byFile = new Map<string, { readonly uri: vscode.Uri; readonly list: vscode.Diagnostic[] }>();
    for (const finding of [...located, ...overreach.map(({ finding }) => finding)]) {
      if (finding === undefined) continue;
      const { uri } = finding.document;
      const entry = byFile.get(uri.toString()) ?? { uri, list: [] };
      entry.list.push(diagnosticOf(finding));
      byFile.set(uri.toString(), entry);
    }
    for (const { uri, list } of byFile.values()) this.#diagnostics.set(uri, list);
    return overreach.map(({ setting }) => setting);
  }

  /** Opens the file of a problem at its place. */
  async open(problem: PolicyProblem): Promise<void> {
    const found = await this.#find(problem);
    if (found !== undefined) {
      await vscode.window.showTextDocument(found.document, { selection: rangeOf(found) });
      return;
    }
    if (problem.ref.origin !== 'user') return;
    // Settings on another machine: only the editor knows where, and shows them in the active editor.
    await vscode.commands.executeCommand('workbench.action.openSettingsJson');
    const editor = vscode.window.activeTextEditor;
    const span = editor === undefined ? undefined : problemLocation(editor.document.getText(), problem);
    if (editor === undefined || span === undefined) return;
    const range = rangeOf({ document: editor.document, span });
    editor.selection = new vscode.Selection(range.start, range.end);
    editor.revealRange(range, vscode.TextEditorRevealType.InCenter);
  }

  dispose(): void {
    this.#round++;
    this.#diagnostics.dispose();
  }

  async #find(problem: PolicyProblem): Promise<Finding | undefined> {
    const file = await this.#fileOf(problem);
    const document = file === undefined ? undefined : await openDocument(file.uri);
    if (file === undefined || document === undefined) return undefined;
    const span = problemLocation(document.getText(), problem, file.prefix);
    const { severity } = problem;
    return span === undefined ? undefined : { document, span, severity, message: problemText(problem) };
  }

  async #fileOf({ ref }: PolicyProblem): Promise<SettingsFile | undefined> {
    if (ref.origin === 'managed') return { uri: vscode.Uri.file(ref.source), prefix: [] };
    if (ref.origin === 'workspace') return workspaceSettingsFile(ref.source);
    return userSettingsFile(this.#storage);
  }

  async #overreach(): Promise<readonly { readonly setting: string; readonly finding: Finding }[]> {
    const found = await Promise.all(
      workspaceSettingsFiles().map(async ({ uri, prefix }) => {
        // Read first: a file without a fault is not opened as a document.
        const text = await readText(uri);
        if (text === undefined || workspaceOverreach(text, this.#reserved, prefix).length === 0) return [];
        const document = await openDocument(uri);
        if (document === undefined) return [];
        return workspaceOverreach(document.getText(), this.#reserved, prefix).map(({ setting, ...span }) => {
          const message = `Only your own settings can say ${setting}; what a workspace says is ignored.`;
          return { setting, finding: { document, span, message, severity: 'warning' as const } };
        });
      }),
    );
    return found.flat();
  }
}

function rangeOf({ document, span }: Pick<Finding, 'document' | 'span'>): vscode.Range {
  return new vscode.Range(document.positionAt(span.offset), document.positionAt(span.offset + span.length));
}

function diagnosticOf(finding: Finding): vscode.Diagnostic {
  const severity =
    finding.severity === 'error' ? vscode.DiagnosticSeverity.Error : vscode.DiagnosticSeverity.Warning;
  const diagnostic = new vscode.Diagnostic(rangeOf(finding), finding.message, severity);
  diagnostic.source = 'Countersign';
  return diagnostic;
}

/** `undefined` for a file that is not there or is no text. */
async function openDocument(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  try {
    return await vscode.workspace.openTextDocument(uri);
  } catch {
    return undefined;
  }
}

async function readText(uri: vscode.Uri): Promise<string | undefined> {
  try {
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  } catch {
    return undefined;
  }
}
