import * as vscode from 'vscode';
import { pickText } from './pickText.ts';

/*
 * The only module that opens lists to choose from: foreign text in them must not become an icon of the editor, such
 * as a sign for "verified" (a test over the sources holds that).
 */

/** Resolves to the chosen item, or to `undefined`. */
export async function pick<T extends vscode.QuickPickItem>(
  items: readonly T[],
  options: Omit<vscode.QuickPickOptions, 'canPickMany'>,
): Promise<T | undefined> {
  return (await vscode.window.showQuickPick(items.map(shown), shownOptions(options)))?.item;
}

/** Resolves to the chosen items, or to `undefined`. */
export async function pickSome<T extends vscode.QuickPickItem>(
  items: readonly T[],
  options: Omit<vscode.QuickPickOptions, 'canPickMany'>,
): Promise<readonly T[] | undefined> {
  const picked = await vscode.window.showQuickPick(items.map(shown), {
    ...shownOptions(options),
    canPickMany: true,
  });
  return picked?.map(({ item }) => item);
}

function shown<T extends vscode.QuickPickItem>(item: T): vscode.QuickPickItem & { readonly item: T } {
  const { label, description, detail, picked } = item;
  return {
    label: pickText(label),
    ...(description === undefined ? {} : { description: pickText(description) }),
    ...(detail === undefined ? {} : { detail: pickText(detail) }),
    ...(picked === undefined ? {} : { picked }),
    item,
  };
}

function shownOptions(options: vscode.QuickPickOptions): vscode.QuickPickOptions {
  const { placeHolder } = options;
  return placeHolder === undefined ? options : { ...options, placeHolder: pickText(placeHolder) };
}
