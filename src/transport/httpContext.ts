import type { Clock } from '../base/clock.ts';
import type { HttpEndpoint } from './httpEndpoint.ts';
import type { HttpLimits } from './httpLimits.ts';
import type { TransportEvents } from './transport.ts';

/** What the exchanges of one HTTP transport share. */
export interface HttpContext {
  readonly endpoint: HttpEndpoint;
  readonly limits: HttpLimits;
  readonly clock: Clock;
  /** Silent once the transport has ended. */
  readonly events: TransportEvents;
}
