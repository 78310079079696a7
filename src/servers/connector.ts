import type { ConnectedClient } from '../client/connectedClient.ts';
import type { InputHandler } from '../client/mcpClient.ts';
import type { ClientCapabilities } from '../protocol/model.ts';
import type { ShownLevelSource } from './followLog.ts';
import type { Launch } from './launch.ts';
import type { WriteTheirs } from './serverLog.ts';

/** One line for a server's log. */
export interface ServerLogLine {
  readonly level: 'trace' | 'debug' | 'info' | 'warn' | 'error';
  readonly text: string;
}

export interface ConnectHooks {
  /** What we have to say about the server. */
  readonly log: (line: ServerLogLine) => void;
  /** What the server itself says: its standard error, its log messages. */
  readonly fromServer: WriteTheirs;
  /** How the server's log is looked at; absent: nobody can. */
  readonly shownLevel?: ShownLevelSource | undefined;
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
