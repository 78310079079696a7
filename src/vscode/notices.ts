import * as vscode from 'vscode';
import { noticeText } from './noticeText.ts';
import { pickText } from './pickText.ts';

/*
 * The only module that shows notifications and words in the status bar: foreign text in them must not become a link or an icon (a test over the sources
 * holds that). Each resolves to the button that was pressed, or to `undefined`.
 */

export function showError<T extends string>(text: string, ...buttons: T[]): Thenable<T | undefined> {
  return vscode.window.showErrorMessage(noticeText(text), ...buttons);
}

export function showWarning<T extends string>(text: string, ...buttons: T[]): Thenable<T | undefined> {
  return vscode.window.showWarningMessage(noticeText(text), ...buttons);
}

export function showInformation<T extends string>(text: string, ...buttons: T[]): Thenable<T | undefined> {
  return vscode.window.showInformationMessage(noticeText(text), ...buttons);
}

/** Words in the status bar, for so many milliseconds. */
export function showStatus(text: string, ms: number): void {
  // There `$(name)` is an icon, as in lists to choose from.
  vscode.window.setStatusBarMessage(pickText(text), ms);
}

/** A dialog that has to be answered; resolves to whether the button was pressed. */
export async function confirm(question: string, detail: string, button: string): Promise<boolean> {
  const options = { modal: true, detail: noticeText(detail) };
  return (await vscode.window.showWarningMessage(noticeText(question), options, button)) === button;
}
