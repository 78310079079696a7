import type { HttpLimits } from './httpLimits.ts';

/** The longest delay that a timer of the platform can keep; longer ones would fire at once. */
const longestTimer = 2 ** 31 - 1;
/** A server that asks for no delay at all must not make us spin. */
const shortestDelay = 20;

/**
 * Milliseconds until the next connection of an event stream: at least what the server asked for
 * (2025-11-25: transports, "Sending Messages"), doubled with each failure in a row.
 */
export function reconnectDelay(
  facts: { readonly retryMs: number | undefined; readonly failures: number },
  limits: Pick<HttpLimits, 'reconnectMs' | 'maxReconnectMs'>,
): number {
  const first = facts.retryMs ?? limits.reconnectMs;
  const grown = Math.min(first * 2 ** Math.min(facts.failures, 20), limits.maxReconnectMs);
  return Math.min(Math.max(first, grown, shortestDelay), longestTimer);
}
