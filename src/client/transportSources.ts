import { createLegacySseTransport } from '../transport/legacySse.ts';
import { createStdioTransport, type StdioOptions } from '../transport/stdioTransport.ts';
import type { HttpTransportOptions } from '../transport/httpContext.ts';
import { createStreamableHttpTransport } from '../transport/streamableHttp.ts';
import type { TransportSource } from './clientOptions.ts';

/** Starts a server as a child process. */
export function stdioSource(options: StdioOptions): TransportSource {
  return { kind: 'stdio', create: () => createStdioTransport(options) };
}

/** Reaches a server over HTTP, in whichever of its forms it speaks. */
export function httpSource(options: HttpTransportOptions): TransportSource {
  return {
    kind: 'http',
    createStreamableHttp: () => createStreamableHttpTransport(options),
    createLegacySse: () => createLegacySseTransport(options),
  };
}
