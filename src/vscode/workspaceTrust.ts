import * as vscode from 'vscode';
import { describeLaunch } from '../servers/launch.ts';
import type { ManagedServer } from '../servers/managedServer.ts';

const key = 'countersign.trustedLaunches';

/** Which servers of this workspace's own settings a person agreed to start, launch by launch. */
export class WorkspaceTrust {
  readonly #memento: vscode.Memento;

  constructor(memento: vscode.Memento) {
    this.#memento = memento;
  }

  has(serverId: string, fingerprint: string): boolean {
    return this.#entries().includes(entryOf(serverId, fingerprint));
  }

  /** Shows exactly what would run and asks. Resolves to whether the person agreed. */
  async ask(server: ManagedServer): Promise<boolean> {
    if (server.resolved?.kind !== 'resolved') return false;
    const { launch, fingerprint } = server.resolved;
    const agree = launch.kind === 'stdio' ? 'Start This Program' : 'Connect';
    const answer = await vscode.window.showWarningMessage(
      `This workspace wants to ${launch.kind === 'stdio' ? 'start a program' : 'connect to a server'}: "${server.id}"`,
      {
        modal: true,
        detail: `${describeLaunch(launch)}${launch.kind === 'stdio' ? `\n\nin ${launch.cwd}` : ''}\n\nIt comes from the workspace's settings, not from yours. You are asked again when it changes.`,
      },
      agree,
    );
    if (answer !== agree) return false;
    await this.#memento.update(key, [...this.#entries(), entryOf(server.id, fingerprint)]);
    return true;
  }

  #entries(): readonly string[] {
    const stored = this.#memento.get<unknown>(key);
    return Array.isArray(stored) ? stored.filter((item) => typeof item === 'string') : [];
  }
}

function entryOf(serverId: string, fingerprint: string): string {
  return JSON.stringify([serverId, fingerprint]);
}
