import * as vscode from 'vscode';
import type { StorageProblem } from '../policy/stateStore.ts';
import type { Core } from './core.ts';
import { showWarning } from './notices.ts';

/** Tells the person of stored grants or pins that cannot be used, with a way to the file. */
export function tellStorageProblems({ grants, pins, log }: Core): vscode.Disposable {
  const tell = async ({ kind, message, place }: StorageProblem): Promise<void> => {
    log.warn(message);
    const open = kind === 'corrupt' ? 'Show Kept File' : 'Show File';
    const answer = await showWarning(message, open);
    if (answer === open) await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(place));
  };
  const listener = (problem: StorageProblem): void => void tell(problem);
  // Both were read before anybody could listen.
  for (const { problem } of [grants, pins]) if (problem !== undefined) listener(problem);
  return vscode.Disposable.from(grants.onProblem(listener), pins.onProblem(listener));
}
