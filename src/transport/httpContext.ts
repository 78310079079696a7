import type { Clock } from '../base/clock.ts';
import type { HttpEndpoint } from './httpEndpoint.ts';
import type { HttpHead } from './httpExchange.ts';
import type { HttpLimits } from './httpLimits.ts';
import { bodyStartChars, statusError, unauthorizedError } from './streamableHttpReply.ts';
import type { TransportEvents } from './transport.ts';
import type { BodyCollector } from './httpBody.ts';
import type { HostError } from '../base/errors.ts';

/** What the exchanges of one HTTP transport share. */
export interface HttpContext {
  readonly endpoint: HttpEndpoint;
  readonly limits: HttpLimits;
  readonly clock: Clock;
  /** Silent once the transport has ended. */
  readonly events: TransportEvents;
}

/** The error for a refusal, without what the user configured. */
export function refusalError(
  context: HttpContext,
  head: HttpHead,
  body: BodyCollector | undefined,
): HostError {
  const { endpoint } = context;
  if (head.status === 401 || head.status === 403) {
    const challenge = head.header('www-authenticate');
    return unauthorizedError(head, {
      wwwAuthenticate: challenge === undefined ? undefined : endpoint.redact(challenge),
      configured: endpoint.hasConfiguredAuthorization,
    });
  }
  return statusError(head, endpoint.redact(body?.start(bodyStartChars) ?? ''));
}
