import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { JsonValue } from '../../src/base/json.ts';
import type { ClientOptions } from '../../src/client/clientOptions.ts';
import { connectClient } from '../../src/client/connectClient.ts';
import type { ConnectedClient } from '../../src/client/connectedClient.ts';
import { httpSource } from '../../src/client/transportSources.ts';
import { assertAllConform, checked } from '../helpers/checkedTransport.ts';
import { ending } from '../helpers/errors.ts';
import { describe, it } from '../helpers/nodeTest.ts';
import { type RawRequest, rawReply, type RawServer, startRawServer } from '../helpers/rawHttpServer.ts';

/*
 * Replies as only a hand writes them, byte by byte. Whatever comes back, a call goes out once: a server may have
 * carried it out although it did not manage to say so.
 */

type Act = (request: RawRequest, socket: Socket, other: RawServer) => void;

const result = { resultType: 'complete', content: [{ type: 'text', text: 'done' }] };
const answer = (request: RawRequest, value: JsonValue = result, id?: JsonValue): string =>
  JSON.stringify({ jsonrpc: '2.0', id: id ?? request.json['id'] ?? null, result: value });
const discovered = {
  resultType: 'complete',
  supportedVersions: ['2026-07-28'],
  capabilities: { tools: {} },
  ttlMs: 0,
  cacheScope: 'private',
};
const done = { content: [{ type: 'text', text: 'done' }], isError: false };

interface Use {
  readonly client: ConnectedClient;
  readonly server: RawServer;
  readonly other: RawServer;
}

const calls = ({ requests }: RawServer): number =>
  requests.filter(({ json }) => json['method'] === 'tools/call').length;

async function use(
  act: Act,
  run: (use: Use) => Promise<void>,
  overrides: Partial<ClientOptions> = {},
): Promise<void> {
  const other = await startRawServer((request, socket) => socket.write(rawReply(answer(request))));
  const server = await startRawServer((request, socket) => {
    if (request.json['method'] === 'server/discover') socket.write(rawReply(answer(request, discovered)));
    else act(request, socket, other);
  });
  const { source, sent } = checked(httpSource({ url: server.url }));
  try {
    const client = await connectClient(
      {
        transports: source,
        clientInfo: { name: 'test', version: '1' },
        capabilities: {},
        inputHandler: () => Promise.resolve({ kind: 'refused', code: -1, message: 'not expected' }),
        requestTimeoutMs: 5_000,
        ...overrides,
      },
      AbortSignal.timeout(20_000),
    );
    try {
      await run({ client, server, other });
    } finally {
      await client.close();
    }
  } finally {
    await server.close();
    await other.close();
  }
  assertAllConform(sent);
}

const sse = ['Content-Type: text/event-stream', 'Connection: close'];
const stream = (text: string | Uint8Array, headers: readonly string[] = sse): Buffer =>
  Buffer.concat([
    Buffer.from(['HTTP/1.1 200 OK', ...headers, '', ''].join('\r\n'), 'latin1'),
    typeof text === 'string' ? Buffer.from(text, 'utf8') : text,
  ]);
const json = (...more: string[]): string[] => ['Content-Type: application/json', ...more];
const chunked = (body: string, trailers: string): string =>
  `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n` +
  `${Buffer.byteLength(body).toString(16)};ext=1\r\n${body}\r\n0\r\n${trailers}\r\n`;

const rows: readonly (readonly [string, Act, unknown])[] = [
  [
    'a type in capitals with parameters',
    (request, socket) =>
      socket.write(rawReply(answer(request), ['CONTENT-TYPE:  Application/JSON ; Charset="UTF-8"'])),
    done,
  ],
  [
    'a stream in capitals',
    (request, socket) =>
      socket.end(
        stream(`data: ${answer(request)}\n\n`, [
          'Content-Type: Text/Event-Stream;charset=utf-8',
          'Connection: close',
        ]),
      ),
    done,
  ],
  [
    'a chunked body with extensions and trailers',
    (request, socket) =>
      socket.write(chunked(answer(request), 'X-Checksum: 1\r\nContent-Type: text/html\r\n')),
    done,
  ],
  [
    'early hints before the reply',
    (request, socket) => {
      socket.write('HTTP/1.1 103 Early Hints\r\nLink: </x>; rel=preload\r\n\r\n');
      socket.write(rawReply(answer(request)));
    },
    done,
  ],
  [
    'HTTP/1.0, ended by closing',
    (request, socket) =>
      socket.end(`HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n${answer(request)}`),
    done,
  ],
  [
    'a stream with carriage returns only, a byte order mark, names, ids and a wish to wait for ever',
    (request, socket) =>
      socket.end(
        stream(
          `\uFEFFretry: 99999999999999\rid: a\0b\revent: message\r: note\rdata: ${answer(request)}\rfoo\r\r`,
        ),
      ),
    done,
  ],
  [
    'a flood of what is no message, then the answer',
    (request, socket) => socket.end(stream(`${'data: [\n\n'.repeat(30_000)}data: ${answer(request)}\n\n`)),
    { host: 'limitExceeded' },
  ],
  [
    'an event of another name, then none',
    (request, socket) => socket.end(stream(`event: result\ndata: ${answer(request)}\n\n`)),
    { host: 'streamEnded' },
  ],
  [
    'gzip',
    (request, socket) => socket.write(encoded('gzip', gzipSync(answer(request)))),
    { host: 'httpStatus' },
  ],
  [
    'deflate',
    (request, socket) => socket.write(encoded('deflate', deflateSync(answer(request)))),
    { host: 'httpStatus' },
  ],
  [
    'brotli',
    (request, socket) => socket.write(encoded('br', brotliCompressSync(answer(request)))),
    { host: 'httpStatus' },
  ],
  [
    'a compressed bomb',
    (_request, socket) => socket.write(encoded('gzip', gzipSync(Buffer.alloc(64 * 1024 * 1024)))),
    { host: 'httpStatus' },
  ],
  [
    'the id as a text',
    (request, socket) => socket.write(rawReply(answer(request, result, JSON.stringify(request.json['id'])))),
    { host: 'protocolViolation' },
  ],
  [
    'another id on a stream, then its own',
    (request, socket) =>
      socket.end(stream(`data: ${answer(request, {}, 9999)}\n\ndata: ${answer(request)}\n\n`)),
    done,
  ],
  [
    'an error without an id',
    (_request, socket) =>
      socket.write(rawReply('{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"no"}}')),
    { rpc: -32603 },
  ],
  [
    'a batch',
    (request, socket) => socket.write(rawReply(`[${answer(request)}]`)),
    { host: 'protocolViolation' },
  ],
  [
    'two replies for one request',
    (request, socket) =>
      socket.write(Buffer.concat([rawReply(answer(request)), rawReply(answer(request, { content: [] }))])),
    done,
  ],
  [
    'less than it announced',
    (request, socket) =>
      socket.end(
        `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 9999\r\n\r\n${answer(request)}`,
      ),
    { host: 'network' },
  ],
  [
    'two lengths that differ',
    (request, socket) =>
      socket.write(
        `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 5\r\nContent-Length: 9\r\n\r\n${answer(request)}`,
      ),
    { host: 'network' },
  ],
  [
    'headers without end',
    (_request, socket) => {
      const line = `X-Filler: ${'x'.repeat(8_000)}\r\n`;
      socket.write(`HTTP/1.1 200 OK\r\n${line.repeat(20)}`);
    },
    { host: 'network' },
  ],
  ['a closed connection, exactly as we send', (_request, socket) => socket.destroy(), { host: 'network' }],
  ['a reset', (_request, socket) => socket.resetAndDestroy(), { host: 'network' }],
  ['an end without a reply', (_request, socket) => socket.end(), { host: 'network' }],
  [
    'half of a reply on a kept connection, then a reset',
    (request, socket) => {
      socket.write(rawReply(answer(request)).subarray(0, -10));
      setImmediate(() => socket.resetAndDestroy());
    },
    { host: 'network' },
  ],
  ...[301, 302, 303, 307, 308].map((status): readonly [string, Act, unknown] => [
    `${status} to another origin`,
    (_request, socket, other) =>
      socket.write(rawReply('', [`Location: ${other.url}`], `${status} Elsewhere`)),
    { host: 'httpStatus' },
  ]),
  ...[301, 302, 303].map((status): readonly [string, Act, unknown] => [
    `${status} on its own origin, which would lose the body`,
    (_request, socket) => socket.write(rawReply('', ['Location: /mcp'], `${status} Elsewhere`)),
    { host: 'httpStatus' },
  ]),
  [
    'a challenge that names no scheme',
    (_request, socket) => socket.write(rawReply('', ['WWW-Authenticate: '], '401 Unauthorized')),
    { host: 'unauthorized' },
  ],
];

function encoded(name: string, body: Uint8Array): Buffer {
  return rawReply(body, json(`Content-Encoding: ${name}`));
}

describe('a modern HTTP server that answers a call with', () => {
  for (const [name, act, expected] of rows)
    it(name, () =>
      use(act, async ({ client, server, other }) => {
        const outcome = await client
          .callTool({ name: 'tool', arguments: {} })
          .catch((error: unknown) => ending(Promise.reject(error as Error)));
        assert.deepEqual(
          { outcome, calls: calls(server), elsewhere: other.requests.length },
          { outcome: expected, calls: 1, elsewhere: 0 },
        );
      }),
    );

  it('a redirect to itself, for ever: given up after few', () =>
    use(
      (_request, socket) => socket.write(rawReply('', ['Location: /mcp'], '307 Again')),
      async ({ client, server }) => {
        assert.deepEqual(await ending(client.callTool({ name: 'tool', arguments: {} })), {
          host: 'httpStatus',
        });
        assert.equal(calls(server), 4);
      },
    ));

  it('silence on many kept connections that then all close: each call goes out once', () =>
    use(
      (request, socket) => {
        const args = JSON.stringify(request.json['params']);
        // The first round warms up connections; in the second one all of them close under their calls.
        if (args.includes('"warm"')) socket.write(rawReply(answer(request)));
        else socket.destroy();
      },
      async ({ client, server }) => {
        const round = (name: string): Promise<unknown>[] =>
          Array.from({ length: 32 }, () => ending(client.callTool({ name, arguments: {} })));
        await Promise.all(round('warm'));
        const before = calls(server);
        const endings = await Promise.all(round('cold'));
        assert.deepEqual(new Set(endings.map((one) => JSON.stringify(one))), new Set(['{"host":"network"}']));
        assert.equal(calls(server) - before, 32);
      },
    ));
});
