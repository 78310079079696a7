import type { ConnectedClient } from '../client/connectedClient.ts';
import type { ToolList } from '../protocol/model.ts';
import type { ConfigProblem } from './serverConfig.ts';

/** Why a server is not running, for a person. */
export interface Failure {
  /** One sentence that names the cause and, where there is one, the way out. */
  readonly message: string;
  /** Last lines of the server's stderr, if any. */
  readonly stderr: readonly string[];
}

/** The life of one configured server. `launch` numbers its starts; what belongs to an older one is dropped. */
export type ServerState =
  | { readonly kind: 'invalid'; readonly problems: readonly ConfigProblem[] }
  /** From a workspace, and nobody has agreed to this very launch yet. */
  | { readonly kind: 'untrusted' }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'starting'; readonly launch: number }
  | {
      readonly kind: 'running';
      readonly launch: number;
      readonly client: ConnectedClient;
      /** Set when the last attempt to read the tools failed and an older list is shown. */
      readonly toolsFailure: Failure | undefined;
    }
  /** Ended unexpectedly; starts again by itself at `retryAt` (milliseconds since 1970). */
  | { readonly kind: 'restarting'; readonly retryAt: number; readonly failure: Failure }
  | { readonly kind: 'failed'; readonly failure: Failure };

export const noTools: ToolList = { tools: [], rejected: [] };

/** How long to wait before the n-th restart in a row (1, 2, …), in milliseconds; `undefined`: give up. */
export function restartDelay(attempt: number): number | undefined {
  const maximumAttempts = 6;
  if (attempt > maximumAttempts) return undefined;
  return Math.min(1000 * 2 ** (attempt - 1), 30_000);
}
