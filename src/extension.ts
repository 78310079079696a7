import type * as vscode from 'vscode';
import { errorMessage } from './base/errors.ts';
import { contributions } from './vscode/contributions.ts';
import { type Core, createCore, versionOf } from './vscode/core.ts';

let core: Core | undefined;

/** Builds the program and adds its parts to the editor. A part that fails is logged, and the rest go on. */
export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const built = (core = await createCore(context));
  context.subscriptions.push(built);
  built.audit.record({ kind: 'sessionOpened', version: versionOf(context) });
  for (const [name, add] of Object.entries(contributions)) {
    try {
      context.subscriptions.push(add(built, context));
    } catch (error) {
      built.log.error(`"${name}" could not be added: ${errorMessage(error)}`);
    }
  }
}

/** Resolves when no server process is left and the record is closed. */
export async function deactivate(): Promise<void> {
  const closing = core;
  core = undefined;
  await closing?.close();
  await closing?.audit.close('the window closed');
  await closing?.collector.flush();
}
