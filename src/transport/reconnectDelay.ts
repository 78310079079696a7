import type { HttpLimits } from './httpLimits.ts';

/** The longest delay that a timer of the platform can keep; longer ones would fire at once. */
const longestTimer = 2 ** 31 - 1;
/** How often the least delay may double. */
const mostDoublings = 4;
/** As a share of the delay: clients that lost the same server must not all come back at the same moment. */
const jitter = 0.25;

export interface ReconnectFacts {
  /** Milliseconds that the server asked for. */
  readonly retryMs: number | undefined;
  /** Connections in a row that failed, or that nothing came on. */
  readonly failures: number;
  /** Connections in a row that the server ended soon. */
  readonly hasty: number;
}

/**
 * Milliseconds until the next connection of an event stream: at least what the server asked for
 * (2025-11-25: transports, "Sending Messages"), doubled with each failure in a row. A server that asks for no delay at
 * all must not make us spin, so there is a least delay, which grows while it ends connections soon. `random`: 0 to below 1.
 */
export function reconnectDelay(
  { retryMs, failures, hasty }: ReconnectFacts,
  limits: Pick<HttpLimits, 'reconnectMs' | 'minReconnectMs' | 'maxReconnectMs'>,
  random: number,
): number {
  const asked = retryMs ?? limits.reconnectMs;
  const least = limits.minReconnectMs * 2 ** Math.min(hasty, mostDoublings);
  const grown = Math.min(
    Math.max(asked, limits.minReconnectMs) * 2 ** Math.min(failures, 20),
    limits.maxReconnectMs,
  );
  return Math.min(Math.max(asked, least, grown) * (1 + jitter * random), longestTimer);
}
