import type { InputHandler, McpClient } from '../client/mcpClient.ts';
import type { Launch } from './launch.ts';

/** One line for a server's log. */
export interface ServerLogLine {
  readonly level: 'trace' | 'debug' | 'info' | 'warn' | 'error';
  readonly text: string;
}

export interface ConnectHooks {
  readonly log: (line: ServerLogLine) => void;
  readonly inputHandler: InputHandler;
}

/** Starts or reaches a server and settles era and version. Rejects with HostError or RpcError. */
export type Connector = (launch: Launch, hooks: ConnectHooks, signal: AbortSignal) => Promise<McpClient>;
