import type { Clock } from '../base/clock.ts';
import { HostError } from '../base/errors.ts';
import { BodyCollector } from './httpBody.ts';
import type { HttpEndpoint } from './httpEndpoint.ts';
import type { HttpHead } from './httpExchange.ts';
import { refusalError } from './httpRefusal.ts';
import { mediaType } from './streamableHttpReply.ts';

export interface FetchBounds {
  readonly accept: string;
  readonly maxBytes: number;
  /** Milliseconds in all. */
  readonly timeoutMs: number;
  readonly clock: Clock;
}

/**
 * Gets a small resource on the origin of the endpoint.
 * Rejects with HostError `httpStatus`, `unauthorized`, `network`, `messageTooLarge`, `timeout` or `protocolViolation`.
 */
export function fetchBytes(
  endpoint: HttpEndpoint,
  url: URL,
  bounds: FetchBounds,
): Promise<{ readonly bytes: Uint8Array; readonly contentType: string | undefined }> {
  return new Promise((resolve, reject) => {
    const body = new BodyCollector(bounds.maxBytes);
    let contentType: string | undefined;
    const request = { method: 'GET', url, headers: ['accept', bounds.accept] } as const;
    const exchange = endpoint.open(request, {
      head(head: HttpHead) {
        contentType = mediaType(head.header('content-type'));
        const encoded = head.header('content-encoding') !== undefined;
        if (head.status !== 200 || encoded) fail(refusalError(endpoint, head, undefined));
      },
      chunk(bytes) {
        if (!body.push(bytes)) fail(new HostError('messageTooLarge', 'The resource is too large.'));
      },
      end() {
        timer.dispose();
        resolve({ bytes: body.bytes(), contentType });
      },
      failed: fail,
    });
    const timer = bounds.clock.after(bounds.timeoutMs, () => {
      fail(new HostError('timeout', 'The resource did not arrive in time.'));
    });
    function fail(error: HostError): void {
      exchange.abort();
      timer.dispose();
      reject(error);
    }
  });
}
