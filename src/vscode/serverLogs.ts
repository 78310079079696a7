import * as vscode from 'vscode';
import type { Disposable } from '../base/disposable.ts';
import type { ServerLogLine } from '../servers/connector.ts';
import type { ShownLevel, ShownLevelSource } from '../servers/followLog.ts';

const shownLevels: Readonly<Record<vscode.LogLevel, ShownLevel>> = {
  [vscode.LogLevel.Off]: 'off',
  [vscode.LogLevel.Trace]: 'trace',
  [vscode.LogLevel.Debug]: 'debug',
  [vscode.LogLevel.Info]: 'info',
  [vscode.LogLevel.Warning]: 'warn',
  [vscode.LogLevel.Error]: 'error',
};

/** One log channel per server, made when it has something to say or is asked for. */
export class ServerLogs implements Disposable {
  readonly #channels = new Map<string, vscode.LogOutputChannel>();

  write(serverId: string, line: ServerLogLine): void {
    const channel = this.#channel(serverId);
    channel[line.level](line.text);
  }

  show(serverId: string): void {
    this.#channel(serverId).show(true);
  }

  /** How the log of a server is looked at: the level that a person set for its channel. */
  shownLevel(serverId: string): ShownLevelSource {
    return {
      level: () => shownLevels[this.#channel(serverId).logLevel],
      onDidChange: (listener) => this.#channel(serverId).onDidChangeLogLevel(() => listener()),
    };
  }

  dispose(): void {
    for (const channel of this.#channels.values()) channel.dispose();
    this.#channels.clear();
  }

  #channel(serverId: string): vscode.LogOutputChannel {
    let channel = this.#channels.get(serverId);
    if (channel === undefined) {
      channel = vscode.window.createOutputChannel(`MCP Server: ${serverId}`, { log: true });
      this.#channels.set(serverId, channel);
    }
    return channel;
  }
}
