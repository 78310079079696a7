// Servers that become something else while they are used: behind the same address, on the same pipe, or at a restart.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Era } from '../../src/protocol/model.ts';
import { ending } from '../helpers/errors.ts';
import {
  event,
  json,
  type Received,
  result,
  type ScriptedServer,
  startServer,
  stream,
} from '../helpers/httpServer.ts';
import { describe, it } from '../helpers/nodeTest.ts';
import { until } from '../helpers/processes.ts';
import { startServers, type TestManager } from '../helpers/serverManager.ts';

type Answer = (request: Received, response: ServerResponse) => void;

const tools = (name: string): object => ({
  resultType: 'complete',
  ttlMs: 60_000,
  cacheScope: 'private',
  tools: [{ name, inputSchema: { type: 'object' } }],
});
const done = { resultType: 'complete', content: [] };
const refuse = (
  response: ServerResponse,
  request: Received,
  code: number,
  status: number,
  data?: object,
): void =>
  json(response, { jsonrpc: '2.0', id: request.json?.['id'], error: { code, message: 'no', data } }, status);

const listening: ServerResponse[] = [];

/** A server of the modern revision only. */
const modern: Answer = (request, response) => {
  if (request.headers['mcp-protocol-version'] !== '2026-07-28')
    return refuse(response, request, -32022, 400, { supported: ['2026-07-28'] });
  const method = request.json?.['method'];
  switch (typeof method === 'string' ? method : '') {
    case 'server/discover':
      return json(
        response,
        result(request, {
          resultType: 'complete',
          supportedVersions: ['2026-07-28'],
          capabilities: { tools: { listChanged: true } },
          ttlMs: 0,
          cacheScope: 'private',
        }),
      );
    case 'subscriptions/listen': {
      const _meta = { 'io.modelcontextprotocol/subscriptionId': request.json?.['id'] };
      const params = { _meta, notifications: { toolsListChanged: true } };
      listening.push(stream(response));
      return void response.write(
        event({ jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params }),
      );
    }
    case 'tools/list':
      return json(response, result(request, tools('modern')));
    case 'tools/call':
      return json(response, result(request, done));
    default:
      return refuse(response, request, -32601, 404);
  }
};

/** A server of an old revision with sessions; `unknown` refuses what has none. */
const legacy =
  (unknown: Answer): Answer =>
  (request, response) => {
    if (request.json?.['method'] === 'initialize') {
      response.setHeader('mcp-session-id', 'old');
      const serverInfo = { name: 's', version: '1' };
      return json(
        response,
        result(request, { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo }),
      );
    }
    if (request.method === 'GET') return void response.writeHead(405).end();
    if (request.headers['mcp-session-id'] !== 'old') return unknown(request, response);
    if (request.json?.['method'] === 'tools/list') return json(response, result(request, tools('legacy')));
    if (request.json?.['method'] === 'tools/call') return json(response, result(request, done));
    response.writeHead(202).end();
  };

interface Use {
  readonly started: TestManager;
  readonly server: ScriptedServer;
  become(answer: Answer): void;
  /** The server is of this era, and its tools are there. */
  reaches(era: Era): Promise<void>;
  call(): Promise<unknown>;
}

async function use(first: Answer, run: (use: Use) => Promise<void>): Promise<void> {
  let answer = first;
  const server = await startServer((request, response) => answer(request, response));
  const started = startServers({ s: { type: 'http', url: server.url } });
  const { manager } = started;
  const running = async (): Promise<Era> => (await started.reaches('s', 'running')).client.era;
  try {
    await run({
      started,
      server,
      become: (next) => (answer = next),
      reaches: (era) =>
        until(async () => (await running()) === era && manager.get('s')?.tools.tools[0]?.name === era),
      call: async () => {
        const { client } = await started.reaches('s', 'running');
        return ending(client.callTool({ name: 'any', arguments: {} }).then(({ isError }) => isError));
      },
    });
  } finally {
    await manager.stopAll();
    await server.close();
    for (const open of listening.splice(0)) open.destroy();
  }
}

const calls = ({ server }: Use): number =>
  server.received.filter((request) => request.json?.['method'] === 'tools/call').length;
const refusals: readonly (readonly [string, Answer])[] = [
  [
    'with the versions it speaks',
    (request, response) => refuse(response, request, -32022, 400, { supported: ['2025-06-18'] }),
  ],
  ['for want of a session', (request, response) => refuse(response, request, -32000, 400)],
  ['as an invalid request', (request, response) => refuse(response, request, -32600, 400)],
  ['with an empty 400', (_, response) => void response.writeHead(400).end()],
  [
    'with a 404 in HTML',
    (_, response) => void response.writeHead(404, { 'content-type': 'text/html' }).end('<p>'),
  ],
];

describe('a modern server behind an address that becomes a legacy one', () => {
  for (const [how, unknown] of refusals)
    it(`and refuses ${how} is connected to anew; the call is not sent again`, () =>
      use(modern, async (used) => {
        await used.reaches('modern');
        used.become(legacy(unknown));
        assert.deepEqual([await used.call(), calls(used)], [{ host: 'unsupportedVersion' }, 1]);
        await used.reaches('legacy');
        assert.deepEqual([await used.call(), calls(used)], [false, 2]);
      }));

  it('is noticed by its broken stream, before anything is asked of it', () =>
    use(modern, async (used) => {
      await used.reaches('modern');
      await until(() => listening.length === 1);
      used.become(legacy((_, response) => void response.writeHead(400).end()));
      listening[0]?.destroy();
      await used.reaches('legacy');
      assert.equal(calls(used), 0);
    }));
});

describe('a legacy server behind an address that becomes a modern one', () => {
  it('is connected to anew; the call is not sent again', () =>
    use(
      legacy((_, response) => void response.writeHead(404).end()),
      async (used) => {
        await used.reaches('legacy');
        used.become(modern);
        assert.deepEqual([await used.call(), calls(used)], [{ host: 'unsupportedVersion' }, 1]);
        await used.reaches('modern');
        assert.deepEqual([await used.call(), calls(used)], [false, 2]);
      },
    ));

  it('is noticed when its session is lost', () =>
    use(
      legacy((_, response) => void response.writeHead(404).end()),
      async (used) => {
        await used.reaches('legacy');
        used.become((request, response) => {
          if (request.headers['mcp-session-id'] === undefined) modern(request, response);
          else response.writeHead(404).end();
        });
        assert.deepEqual([await used.call(), calls(used)], [{ host: 'unsupportedVersion' }, 1]);
        await used.reaches('modern');
      },
    ));
});

describe('a modern server that refuses one call like an old one', () => {
  for (const [how, refusal] of refusals.slice(1))
    it(`${how} stays what it is, and is asked once what that is`, () =>
      use(modern, async (used) => {
        await used.reaches('modern');
        const { launch } = await used.started.reaches('s', 'running');
        used.become((request, response) =>
          request.json?.['method'] === 'tools/call' ? refusal(request, response) : modern(request, response),
        );
        const probes = (): number =>
          used.server.received.filter((request) => request.json?.['method'] === 'server/discover').length;
        const before = probes();
        const ends = [await used.call(), await used.call()];
        assert.deepEqual(ends[0], ends[1]);
        assert.notDeepEqual(ends[0], { host: 'unsupportedVersion' });
        used.become(modern);
        assert.equal(await used.call(), false);
        const after = await used.started.reaches('s', 'running');
        assert.deepEqual([after.launch, probes() - before], [launch, 1]);
      }));
});

const program = `
const fs = require('node:fs');
const [file] = process.argv.slice(1);
let inited = false;
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  const era = fs.readFileSync(file, 'utf8');
  const send = (rest) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...rest }) + '\\n');
  const refuse = (code) => send({ error: { code, message: 'no' } });
  const tools = { resultType: 'complete', ttlMs: 0, cacheScope: 'private', tools: [{ name: era, inputSchema: { type: 'object' } }] };
  if (id === undefined) return;
  if (method === 'tools/call' && fs.existsSync(file + '.crash')) process.exit(1);
  if (era === 'modern' && method === 'server/discover')
    return send({ result: { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: { tools: {} }, ttlMs: 0, cacheScope: 'private' } });
  if (era === 'legacy' && method === 'initialize') {
    inited = true;
    return send({ result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } } });
  }
  if (era === 'legacy' && !inited) return refuse(-32000);
  if (method === 'tools/list') return send({ result: tools });
  if (method === 'tools/call') return send({ result: { resultType: 'complete', content: [] } });
  refuse(-32601);
});`;

describe('a server on stdio', () => {
  for (const [from, to] of [
    ['modern', 'legacy'],
    ['legacy', 'modern'],
  ] as const)
    it(`that ends as a ${from} one comes back as a ${to} one`, async () => {
      const folder = mkdtempSync(path.join(tmpdir(), 'countersign-exchanged-'));
      const file = path.join(folder, 'era');
      writeFileSync(file, from);
      const started = startServers(
        { s: { type: 'stdio', command: process.execPath, args: ['-e', program, file] } },
        { probeTimeoutMs: 10_000 },
      );
      try {
        const first = await started.reaches('s', 'running');
        assert.equal(first.client.era, from);
        writeFileSync(file, to);
        writeFileSync(`${file}.crash`, '');
        assert.deepEqual(await ending(first.client.callTool({ name: from, arguments: {} })), {
          host: 'exited',
        });
        rmSync(`${file}.crash`);
        await until(() => started.manager.get('s')?.tools.tools[0]?.name === to);
      } finally {
        await started.manager.stopAll();
        rmSync(folder, { recursive: true });
      }
    });

  it('that is exchanged behind its pipe is started anew; the call is not sent again', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'countersign-exchanged-'));
    const file = path.join(folder, 'era');
    writeFileSync(file, 'modern');
    const started = startServers({
      s: { type: 'stdio', command: process.execPath, args: ['-e', program, file] },
    });
    try {
      const { client } = await started.reaches('s', 'running');
      writeFileSync(file, 'legacy');
      assert.deepEqual(await ending(client.callTool({ name: 'modern', arguments: {} })), {
        host: 'unsupportedVersion',
      });
      await until(() => started.manager.get('s')?.tools.tools[0]?.name === 'legacy');
    } finally {
      await started.manager.stopAll();
      rmSync(folder, { recursive: true });
    }
  });
});
