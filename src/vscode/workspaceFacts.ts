import { pathToFileURL } from 'node:url';
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

/** The open folders for a server that may know of them. */
export function workspaceRoots(): readonly { readonly uri: string; readonly name?: string }[] {
  return (
    (vscode.workspace.workspaceFolders ?? [])
      .filter(({ uri }) => uri.scheme === 'file')
      // The editor's own spelling has `c%3A` for a drive, which not every server reads.
      .map(({ uri, name }) => ({ uri: pathToFileURL(uri.fsPath).href, name }))
  );
}
