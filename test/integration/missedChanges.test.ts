// Changes of the tools that come at the worst moment: none may be missed, and no server is asked more than it takes.
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import type { JsonObject } from '../../src/base/json.ts';
import { connectClient } from '../../src/client/connectClient.ts';
import { httpSource } from '../../src/client/transportSources.ts';
import { childServer, legacyOpening, type ChildMethod } from '../helpers/childServer.ts';
import { event, json, type Received, result, startServer, stream } from '../helpers/httpServer.ts';
import { ManualClock } from '../helpers/manualClock.ts';
import { describe, it } from '../helpers/nodeTest.ts';
import { until } from '../helpers/processes.ts';
import { startServers, type TestManager } from '../helpers/serverManager.ts';

const firstTool = ({ manager }: TestManager): string | undefined => manager.get('s')?.tools.tools[0]?.name;

async function use(entry: object, run: (started: TestManager) => Promise<void>): Promise<void> {
  const started = startServers({ s: entry });
  try {
    await started.reaches('s', 'running');
    await run(started);
  } finally {
    await started.manager.stopAll();
  }
}

/** Lists slowly, and says in the middle of the first list that it has changed. */
const slowList: ChildMethod = (request, side) => {
  const state = globalThis as { lists?: number; listen?: unknown };
  const list = (state.lists = (state.lists ?? 0) + 1);
  const answer = (): void =>
    side.answer(request, {
      resultType: 'complete',
      ttlMs: 60_000,
      cacheScope: 'private',
      tools: [{ name: 'list-' + list, inputSchema: { type: 'object' } }],
    });
  if (list > 1) return answer();
  const _meta = { 'io.modelcontextprotocol/subscriptionId': state.listen };
  side.notify('notifications/tools/list_changed', { _meta });
  // Longer than it takes until a notice is announced.
  setTimeout(answer, 400);
};

const modernListening: Readonly<Record<string, ChildMethod>> = {
  'server/discover': (request, side) =>
    side.answer(request, {
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: { listChanged: true } },
      ttlMs: 0,
      cacheScope: 'private',
    }),
  'subscriptions/listen': (request, side) => {
    (globalThis as { listen?: unknown }).listen = request.id;
    const _meta = { 'io.modelcontextprotocol/subscriptionId': request.id };
    const notifications = { toolsListChanged: true };
    side.notify('notifications/subscriptions/acknowledged', { _meta, notifications });
  },
};

describe('a change of the tools', () => {
  for (const [era, opening] of [
    ['modern', modernListening],
    ['legacy', legacyOpening],
  ] as const)
    it(`while a ${era} server that starts still lists them leads to another list`, () => {
      const { command, args } = childServer({ methods: { ...opening, 'tools/list': slowList } });
      return use({ type: 'stdio', command, args }, async (started) => {
        await until(() => firstTool(started) === 'list-2');
      });
    });
});

interface LegacyHttp {
  readonly received: readonly Received[];
  readonly streams: readonly ServerResponse[];
  /** Forgets all sessions and ends the streams. */
  restart(): void;
  setTool(name: string): void;
}

/** A legacy server over HTTP with one tool. `get` opens the stream for notices. */
async function useLegacyHttp(
  get: (open: () => ServerResponse, response: ServerResponse, count: number) => void,
  run: (started: TestManager, server: LegacyHttp) => Promise<void>,
): Promise<void> {
  const streams: ServerResponse[] = [];
  let tool = 'first';
  let sessions = 0;
  let gets = 0;
  let known = true;
  const capabilities: JsonObject = { tools: { listChanged: true } };
  const server = await startServer((request, response) => {
    const method = request.json?.['method'];
    if (method === 'server/discover') return void response.writeHead(400).end();
    if (method === 'initialize') {
      known = true;
      response.setHeader('mcp-session-id', `session-${++sessions}`);
      const serverInfo = { name: 's', version: '1' };
      return json(response, result(request, { protocolVersion: '2025-11-25', capabilities, serverInfo }));
    }
    if (!known || request.headers['mcp-session-id'] !== `session-${sessions}`)
      return void response.writeHead(404).end();
    if (request.method === 'GET') {
      const open = (): ServerResponse => {
        streams.push(stream(response));
        return response;
      };
      return get(open, response, ++gets);
    }
    if (method === 'tools/list')
      return json(response, result(request, { tools: [{ name: tool, inputSchema: { type: 'object' } }] }));
    response.writeHead(request.method === 'POST' ? 202 : 200).end();
  });
  try {
    await use({ type: 'http', url: server.url }, (started) =>
      run(started, {
        received: server.received,
        streams,
        restart: () => {
          known = false;
          for (const open of streams) open.destroy();
        },
        setTool: (name) => (tool = name),
      }),
    );
  } finally {
    await server.close();
  }
}

const lists = ({ received }: LegacyHttp): number =>
  received.filter((request) => request.json?.['method'] === 'tools/list').length;

describe('the tools of a legacy server over HTTP', () => {
  it('are listed only when its stream is open, however long that takes on a clock that stands still', async () => {
    let open = false;
    const heardAtList: boolean[] = [];
    const server = await startServer((request, response) => {
      const method = request.json?.['method'];
      if (method === 'initialize') {
        const capabilities = { tools: { listChanged: true } };
        const serverInfo = { name: 's', version: '1' };
        json(response, result(request, { protocolVersion: '2025-11-25', capabilities, serverInfo }));
      } else if (request.method === 'GET')
        setTimeout(() => {
          open = true;
          stream(response);
        }, 50);
      else if (method === 'tools/list') {
        heardAtList.push(open);
        json(response, result(request, { tools: [] }));
      } else response.writeHead(method === 'server/discover' ? 400 : 202).end();
    });
    try {
      const client = await connectClient(
        {
          transports: httpSource({ url: server.url }),
          clientInfo: { name: 'test', version: '1' },
          capabilities: {},
          inputHandler: () => Promise.resolve({ kind: 'refused', code: -1, message: 'not expected' }),
          clock: new ManualClock(),
        },
        AbortSignal.timeout(20_000),
      );
      await client.listTools();
      await client.close();
    } finally {
      await server.close();
    }
    assert.deepEqual(heardAtList, [true]);
  });

  it('are listed again when it says on its stream that they changed', () =>
    useLegacyHttp(
      (open) => void open(),
      async (started, server) => {
        await until(() => server.streams.length === 1);
        server.setTool('second');
        server.streams[0]?.write(event({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' }));
        await until(() => firstTool(started) === 'second');
      },
    ));

  it('are listed once where there is no stream', () =>
    useLegacyHttp(
      (_, response) => void response.writeHead(405).end(),
      async (started, server) => {
        assert.deepEqual([firstTool(started), lists(server)], ['first', 1]);
        await Promise.resolve();
      },
    ));

  it('are listed again when its stream opens late', () => {
    let openStream = (): unknown => undefined;
    return useLegacyHttp(
      (open) => (openStream = open),
      async (started, server) => {
        assert.equal(firstTool(started), 'first');
        server.setTool('second');
        openStream();
        await until(() => firstTool(started) === 'second');
      },
    );
  });

  it('are listed again when its stream broke and is there again', () =>
    useLegacyHttp(
      (open) => void open(),
      async (started, server) => {
        server.setTool('second');
        server.streams[0]?.destroy();
        await until(() => firstTool(started) === 'second');
      },
    ));

  it('are listed again after it was restarted, although nobody asks for anything', () =>
    useLegacyHttp(
      (open) => void open(),
      async (started, server) => {
        server.setTool('second');
        server.restart();
        await until(() => firstTool(started) === 'second');
      },
    ));

  it('need no session after session where the stream is refused like an unknown session', () =>
    useLegacyHttp(
      (_, response) => void response.writeHead(404).end(),
      async (started, server) => {
        await until(() => server.received.some(({ method }) => method === 'GET'));
        assert.equal(firstTool(started), 'first');
        const greetings = server.received.filter((request) => request.json?.['method'] === 'initialize');
        assert.equal(greetings.length, 1);
      },
    ));
});

describe('a legacy server that ends its stream at once and wants no delay', () => {
  it('is not asked in a spin', () =>
    useLegacyHttp(
      (open, _, count) => {
        open().end(`retry: 0\n\n${event({ jsonrpc: '2.0', method: 'notifications/x', params: { count } })}`);
      },
      async (_, server) => {
        const times: number[] = [];
        for (let count = 2; count <= 4; count++) {
          await until(() => server.streams.length >= count);
          times.push(performance.now());
        }
        // The delays are at least 250 and 500 ms by then.
        assert.ok((times[2] ?? 0) - (times[0] ?? 0) > 600);
      },
    ));
});

describe('tools of a server that gives them a time but no notices', () => {
  it('are read again when the time is over and they are used, and not before', () => {
    const { command, args } = childServer({
      methods: {
        'server/discover': (request, side) =>
          side.answer(request, {
            resultType: 'complete',
            supportedVersions: ['2026-07-28'],
            capabilities: { tools: {} },
            ttlMs: 0,
            cacheScope: 'private',
          }),
        'tools/list': (request, side) => {
          const state = globalThis as { lists?: number };
          const list = (state.lists = (state.lists ?? 0) + 1);
          side.answer(request, {
            resultType: 'complete',
            ttlMs: list === 1 ? 50 : 3_600_000,
            cacheScope: 'private',
            tools: [{ name: 'list-' + list, inputSchema: { type: 'object' } }],
          });
        },
      },
    });
    return use({ type: 'stdio', command, args }, async (started) => {
      const server = started.manager.get('s');
      const { client } = await started.reaches('s', 'running');
      await until(() => client.toolsExpired);
      assert.equal(firstTool(started), 'list-1');
      await server?.freshTools();
      await until(() => firstTool(started) === 'list-2');
      await server?.freshTools();
      await server?.ready(undefined);
      assert.deepEqual([firstTool(started), client.toolsExpired], ['list-2', false]);
    });
  });
});
