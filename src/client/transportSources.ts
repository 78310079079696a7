import { createStdioTransport, type StdioOptions } from '../transport/stdioTransport.ts';
import type { TransportSource } from './clientOptions.ts';

/** Starts a server as a child process. */
export function stdioSource(options: StdioOptions): TransportSource {
  return { kind: 'stdio', create: () => createStdioTransport(options) };
}
