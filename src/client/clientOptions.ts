import type { Clock } from '../base/clock.ts';
import type { ClientCapabilities, Implementation } from '../protocol/model.ts';
import type { Transport } from '../transport/transport.ts';
import type { InputHandler } from './mcpClient.ts';

/** Makes the transports for one server; each call makes a new one, not yet started. */
export type TransportSource =
  | { readonly kind: 'stdio'; readonly create: () => Transport }
  | {
      readonly kind: 'http';
      readonly createStreamableHttp: () => Transport;
      /** The transport of 2024-11-05, tried last. */
      readonly createLegacySse: () => Transport;
    };

/** What was found out about a server, to spare its next start the probe. */
export interface KnownEra {
  readonly era: 'modern' | 'legacy';
  readonly transport: Transport['kind'];
}

/** One line for a server's log. */
export interface ClientLogLine {
  readonly level: 'trace' | 'debug' | 'info' | 'warn' | 'error';
  readonly text: string;
}

/** A server that asks more often than this in one call is stopped. */
export const defaultMaxRounds = 10;

/** Milliseconds for one request, whatever progress it reports, and for all pages of a list. */
export const defaultMaxTimeoutMs = 900_000;

export interface ClientOptions {
  readonly transports: TransportSource;
  readonly clientInfo: Implementation;
  /** What is declared to the server. What is not declared is refused. */
  readonly capabilities: ClientCapabilities;
  /** Modern servers are told with each request: what can be honoured then. The same object while nothing changed. */
  readonly currentCapabilities?: () => ClientCapabilities;
  readonly inputHandler: InputHandler;
  readonly clock?: Clock;
  readonly log?: (line: ClientLogLine) => void;
  /** Silence after which a server counts as legacy. Milliseconds; 3,000 by default on stdio, 10,000 over HTTP. */
  readonly probeTimeoutMs?: number;
  /** Milliseconds for `initialize`; 60,000 by default, because some servers install themselves first. */
  readonly handshakeTimeoutMs?: number;
  /** Default of `CallOptions.timeoutMs`: 60,000 milliseconds. */
  readonly requestTimeoutMs?: number;
  /** Default of `CallOptions.maxTimeoutMs`: 900,000 milliseconds. */
  readonly maxRequestTimeoutMs?: number;
  /** Input rounds in one call, asked at each call; `defaultMaxRounds` unless given. */
  readonly maxRounds?: () => number;
  readonly knownEra?: KnownEra;
  /**
   * Names the authorization that requests go out with; answers marked private are only used again
   * under the same name. By default there is one.
   */
  readonly principal?: () => string;
  /** 0 to below 1; for jitter. */
  readonly random?: () => number;
}
