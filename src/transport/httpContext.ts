import { type Clock, systemClock } from '../base/clock.ts';
import { HttpEndpoint, type HttpEndpointOptions } from './httpEndpoint.ts';
import { defaultHttpLimits, type HttpLimits } from './httpLimits.ts';
import type { TransportEvents } from './transport.ts';

/** How an HTTP transport of either kind is made. */
export interface HttpTransportOptions extends HttpEndpointOptions {
  readonly limits?: Partial<HttpLimits>;
  readonly clock?: Clock;
  /** 0 to below 1; for jitter. */
  readonly random?: () => number;
  /** Lines for the server's log; never with values of configured headers. */
  readonly log?: (line: string) => void;
}

/** What an HTTP transport has before it is started. */
export interface HttpGround {
  readonly endpoint: HttpEndpoint;
  readonly limits: HttpLimits;
  readonly clock: Clock;
  readonly random: () => number;
}

/** What the exchanges of one HTTP transport share. */
export interface HttpContext extends HttpGround {
  /** Silent once the transport has ended. */
  readonly events: TransportEvents;
}

/**
 * Opens the endpoint with the defaults filled in.
 * @throws HostError `invalidConfiguration` for a URL or headers that cannot be used
 */
export function httpGround(options: HttpTransportOptions): HttpGround {
  return {
    endpoint: new HttpEndpoint(options),
    limits: { ...defaultHttpLimits, ...options.limits },
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
  };
}
