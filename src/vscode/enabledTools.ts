import type * as vscode from 'vscode';
import type { EnabledStore } from '../tools/catalogue.ts';

const key = 'countersign.disabledTools';

/** Which tools a person has switched off, for all workspaces. */
export class EnabledTools implements EnabledStore {
  readonly #memento: vscode.Memento;
  readonly #choices: Map<string, boolean>;

  constructor(memento: vscode.Memento) {
    this.#memento = memento;
    const stored = memento.get<unknown>(key);
    const entries = Array.isArray(stored) ? stored.filter((item) => typeof item === 'string') : [];
    this.#choices = new Map(entries.map((entry) => [entry, false]));
  }

  get(serverId: string, toolName: string): boolean | undefined {
    return this.#choices.get(entryOf(serverId, toolName));
  }

  set(serverId: string, toolName: string, enabled: boolean): void {
    this.#choices.set(entryOf(serverId, toolName), enabled);
    const disabled = Array.from(this.#choices).flatMap(([entry, choice]) => (choice ? [] : [entry]));
    void this.#memento.update(key, disabled);
  }
}

function entryOf(serverId: string, toolName: string): string {
  return JSON.stringify([serverId, toolName]);
}
