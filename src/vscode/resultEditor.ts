import path from 'node:path';
import * as vscode from 'vscode';
import type { ResultEditor } from '../calls/resultDesk.ts';
import { errorMessage } from '../base/errors.ts';
import { showError, showWarning } from './notices.ts';
import type { ResultTabs } from './resultTabs.ts';
import type { VirtualDocuments } from './virtualDocuments.ts';

/** What the editor does with results: tabs, read-only documents, files where a person wants them. */
export function resultEditor(tabs: ResultTabs, documents: VirtualDocuments): ResultEditor {
  return {
    openTab: (result) => tabs.open(result),
    showText: ({ name, text }) => void documents.show(name, text),
    save: (name, bytes) => void save(name, bytes).catch((error: unknown) => showError(errorMessage(error))),
    tell: (message) => void showWarning(message),
  };
}

async function save(name: string, bytes: Uint8Array): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const extension = path.extname(name).slice(1);
  const target = await vscode.window.showSaveDialog({
    title: 'Save Attachment',
    filters: { [extension.toUpperCase()]: [extension], 'All files': ['*'] },
    defaultUri: folder === undefined ? vscode.Uri.file(name) : vscode.Uri.joinPath(folder, name),
  });
  if (target !== undefined) await vscode.workspace.fs.writeFile(target, bytes);
}
