import * as vscode from 'vscode';
import type { Disposable } from '../base/disposable.ts';
import type { ServerLogLine } from '../servers/connector.ts';

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
