import type { ConnectedClient } from '../client/connectedClient.ts';
import type { InputHandler } from '../client/mcpClient.ts';
import type { ClientCapabilities } from '../protocol/model.ts';
import type { Launch } from './launch.ts';

/** One line for a server's log. */
export interface ServerLogLine {
  readonly level: 'trace' | 'debug' | 'info' | 'warn' | 'error';
  readonly text: string;
}

export interface ConnectHooks {
  readonly log: (line: ServerLogLine) => void;
  readonly inputHandler: InputHandler;
  /** What is declared to this server; asked at each start. */
  readonly capabilities: () => Promise<ClientCapabilities>;
  /** What could be honoured right now. The same object while nothing has changed. */
  readonly currentCapabilities: () => ClientCapabilities;
}

/** Starts or reaches a server and settles era and version. Rejects with HostError or RpcError. */
export type Connector = (
  launch: Launch,
  hooks: ConnectHooks,
  signal: AbortSignal,
) => Promise<ConnectedClient>;
