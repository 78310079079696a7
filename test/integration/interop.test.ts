import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import type { KnownEra, TransportSource } from '../../src/client/clientOptions.ts';
import { connectClient } from '../../src/client/connectClient.ts';
import type { ConnectedClient } from '../../src/client/connectedClient.ts';
import { httpSource, stdioSource } from '../../src/client/transportSources.ts';
import type { InputRequest } from '../../src/protocol/model.ts';
import { assertAllConform, checked } from '../helpers/checkedTransport.ts';
import { ending } from '../helpers/errors.ts';
import { describe, it } from '../helpers/nodeTest.ts';
import { startOfficialHttp } from '../helpers/officialHttp.ts';
import { until } from '../helpers/processes.ts';

/* Our client against servers made with the official library, in both eras, over both transports. */

interface Place {
  readonly name: string;
  readonly era: 'modern' | 'legacy';
  readonly open: () => Promise<{
    readonly source: TransportSource;
    readonly known?: KnownEra;
    readonly close: () => Promise<void>;
    readonly forget?: () => void;
  }>;
}

const main = fileURLToPath(new URL('../helpers/officialStdioMain.ts', import.meta.url));
const stdio = (mode: string): TransportSource =>
  stdioSource({ command: process.execPath, args: [main, mode], env: {}, cwd: process.cwd() });
const nothing = (): Promise<void> => Promise.resolve();

const places: readonly Place[] = [
  {
    name: 'stdio, modern only',
    era: 'modern',
    open: () => Promise.resolve({ source: stdio('reject'), close: nothing }),
  },
  {
    name: 'stdio, both eras',
    era: 'modern',
    open: () => Promise.resolve({ source: stdio('serve'), close: nothing }),
  },
  {
    name: 'stdio, both eras, known as legacy',
    era: 'legacy',
    open: () =>
      Promise.resolve({
        source: stdio('serve'),
        known: { era: 'legacy', transport: 'stdio' },
        close: nothing,
      }),
  },
  ...(['modern', 'legacy'] as const).map((era): Place => ({
    name: `HTTP, ${era}`,
    era,
    open: async () => {
      const { url, close, forget } = await startOfficialHttp(era);
      return { source: httpSource({ url }), close, forget };
    },
  })),
];

interface Use {
  readonly client: ConnectedClient;
  readonly asked: readonly InputRequest[];
  readonly forget: (() => void) | undefined;
}

async function use(place: Place, run: (use: Use) => Promise<void>): Promise<void> {
  const { source, known, close, forget } = await place.open();
  const { source: watched, sent } = checked(source);
  const asked: InputRequest[] = [];
  const client = await connectClient(
    {
      transports: watched,
      clientInfo: { name: 'test', version: '1' },
      capabilities: { elicitation: { form: {} } },
      inputHandler: (request) => {
        asked.push(request);
        return Promise.resolve({ kind: 'elicitation', action: 'accept', content: { name: 'Ann' } });
      },
      ...(known === undefined ? undefined : { knownEra: known }),
    },
    AbortSignal.timeout(20_000),
  );
  try {
    await run({ client, asked, forget });
  } finally {
    await client.close();
    await close();
  }
  assertAllConform(sent);
}

const tools = ['echo', 'fail', 'unknown', 'ask', 'progress', 'slow', 'grow', 'log'];

for (const place of places)
  describe(`the official server (${place.name})`, () => {
    it('is found in its era, and says who it is', () =>
      use(place, async ({ client }) => {
        assert.deepEqual(
          [client.era, client.protocolVersion, client.serverInfo, client.instructions],
          [
            place.era,
            place.era === 'modern' ? '2026-07-28' : '2025-11-25',
            { name: 'official', version: '2.0.0' },
            'Be kind.',
          ],
        );
        assert.deepEqual(
          (await client.listTools()).tools.map(({ name }) => name),
          tools,
        );
      }));

    it('answers calls, resources and prompts', () =>
      use(place, async ({ client }) => {
        const args = { text: 'é\u2028👍', list: [1, null, { a: true }] };
        const result = await client.callTool({ name: 'echo', arguments: args });
        assert.deepEqual(
          [result.content, result.structuredContent],
          [[{ type: 'text', text: JSON.stringify(args) }], { value: args }],
        );
        const failed = await client.callTool({ name: 'fail', arguments: {} });
        assert.deepEqual([failed.isError, failed.content], [true, [{ type: 'text', text: 'It failed.' }]]);
        assert.deepEqual(await ending(client.callTool({ name: 'unknown', arguments: {} })), { rpc: -32602 });
        assert.deepEqual((await client.readResource('memo://1')).contents, [
          { uri: 'memo://1', text: 'A memo.' },
        ]);
        assert.equal((await client.getPrompt({ name: 'p' })).messages.length, 1);
      }));

    it('gets its questions answered in the middle of a call', () =>
      use(place, async ({ client, asked }) => {
        const { structuredContent } = await client.callTool({ name: 'ask', arguments: {} });
        assert.deepEqual(structuredContent, { value: { action: 'accept', content: { name: 'Ann' } } });
        assert.deepEqual(
          asked.map(({ kind }) => kind),
          ['elicitationForm'],
        );
      }));

    it('reports progress', () =>
      use(place, async ({ client }) => {
        const seen: number[] = [];
        await client.callTool(
          { name: 'progress', arguments: {} },
          { onProgress: ({ progress }) => seen.push(progress) },
        );
        assert.equal(seen[0], 1);
      }));

    it('hears that a call is cancelled', () =>
      use(place, async ({ client }) => {
        const abort = new AbortController();
        const slow = ending(client.callTool({ name: 'slow', arguments: {} }, { signal: abort.signal }));
        // The server has the call when it has answered a later one.
        await client.callTool({ name: 'echo', arguments: {} });
        abort.abort();
        assert.deepEqual(await slow, { host: 'cancelled' });
        await until(async () => {
          const { structuredContent } = await client.callTool({ name: 'cancelled', arguments: {} });
          return JSON.stringify(structuredContent) === '{"value":["slow"]}';
        });
      }));

    it('announces new tools', () =>
      use(place, async ({ client }) => {
        await client.listTools();
        let announced = 0;
        client.onToolsChanged(() => announced++);
        // Until the stream of notices stands, a change goes unnoticed.
        await until(async () => {
          await client.callTool({ name: 'grow', arguments: {} });
          return announced > 0;
        });
        assert.ok((await client.listTools()).tools.some(({ name }) => name === 'grown0'));
      }));

    if (place.name === 'HTTP, legacy')
      it('goes on after the server forgot the session', () =>
        use(place, async ({ client, forget }) => {
          await client.listTools();
          forget?.();
          const { structuredContent } = await client.callTool({ name: 'echo', arguments: { a: 1 } });
          assert.deepEqual(structuredContent, { value: { a: 1 } });
        }));
  });
