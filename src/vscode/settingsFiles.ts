import * as vscode from 'vscode';

/** A file that settings stand in. */
export interface SettingsFile {
  readonly uri: vscode.Uri;
  /** Members around the settings: they are the whole file, except in a `.code-workspace`. */
  readonly prefix: readonly string[];
}

/** The file behind a workspace's or a folder's settings; `source`: its URI as `policySettings` names it. */
export function workspaceSettingsFile(source: string): SettingsFile {
  const uri = vscode.Uri.parse(source, true);
  if (source === vscode.workspace.workspaceFile?.toString()) return { uri, prefix: ['settings'] };
  return { uri: vscode.Uri.joinPath(uri, '.vscode', 'settings.json'), prefix: [] };
}

/** All files in which the open workspace can keep settings. */
export function workspaceSettingsFiles(): readonly SettingsFile[] {
  const file = vscode.workspace.workspaceFile;
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.toString());
  return [...(file === undefined || file.scheme === 'untitled' ? [] : [file.toString()]), ...folders].map(
    workspaceSettingsFile,
  );
}

/**
 * The user's settings, where the editor keeps them under the name by which it opens them. Found by the place of our
 * own storage, which is next to them; `undefined` if they are on another machine, as for a remote window.
 */
export async function userSettingsFile(storage: vscode.Uri): Promise<SettingsFile | undefined> {
  const path = vscode.Uri.joinPath(storage, '..', '..', 'settings.json').path;
  const open = vscode.workspace.textDocuments.find(
    ({ uri }) => uri.scheme === userScheme && uri.path.endsWith('/settings.json'),
  );
  for (const uri of [open?.uri, vscode.Uri.from({ scheme: userScheme, path })]) {
    if (uri !== undefined && (await exists(uri))) return { uri, prefix: [] };
  }
  return undefined;
}

const userScheme = 'vscode-userdata';

async function exists(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
}
