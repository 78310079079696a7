import * as vscode from 'vscode';
import type { WorkspaceFacts } from '../calls/policyGate.ts';

/** The open workspace: its file, else its first folder, names it. */
export function workspaceFacts(): WorkspaceFacts {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const file = vscode.workspace.workspaceFile;
  // An unsaved workspace gets another file each time: nothing can be remembered for it.
  const named = file === undefined || file.scheme === 'untitled' ? undefined : file;
  return {
    id: (named ?? (file === undefined ? folders[0]?.uri : undefined))?.toString(),
    name: vscode.workspace.name ?? '',
    folders: folders
      .filter(({ uri }) => uri.scheme === 'file')
      .map(({ name, uri }) => ({ name, path: uri.fsPath })),
  };
}
