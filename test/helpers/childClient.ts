import type { ClientOptions } from '../../src/client/clientOptions.ts';
import { connectClient } from '../../src/client/connectClient.ts';
import type { ConnectedClient } from '../../src/client/connectedClient.ts';
import { stdioSource } from '../../src/client/transportSources.ts';
import type { StdioOptions } from '../../src/transport/stdioTransport.ts';
import { assertAllConform, checked } from './checkedTransport.ts';

export interface ChildSession {
  readonly client: ConnectedClient;
  readonly log: readonly string[];
  readonly stderr: readonly string[];
}

/** Connects to a server process, runs the test, closes, and checks what was sent on the way. */
export async function withServer(
  server: StdioOptions,
  run: (session: ChildSession) => Promise<void>,
  overrides: Partial<ClientOptions> = {},
): Promise<void> {
  const log: string[] = [];
  const stderr: string[] = [];
  const { source, sent } = checked(stdioSource({ ...server, onStderr: (line) => stderr.push(line) }));
  const client = await connectClient(
    {
      transports: source,
      clientInfo: { name: 'test', version: '1' },
      capabilities: {},
      inputHandler: () => Promise.resolve({ kind: 'refused', code: -1, message: 'not expected' }),
      log: (line) => log.push(`${line.level}: ${line.text}`),
      ...overrides,
    },
    AbortSignal.timeout(30_000),
  );
  try {
    await run({ client, log, stderr });
  } finally {
    await client.close();
  }
  assertAllConform(sent);
}
