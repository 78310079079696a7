import assert from 'node:assert/strict';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { isJsonObject, type JsonObject } from '../../src/base/json.ts';
import type { ClientOptions } from '../../src/client/clientOptions.ts';
import { connectClient } from '../../src/client/connectClient.ts';
import type { ConnectedClient } from '../../src/client/connectedClient.ts';
import { httpSource } from '../../src/client/transportSources.ts';
import { assertAllConform, checked } from '../helpers/checkedTransport.ts';
import { ending } from '../helpers/errors.ts';
import {
  event,
  json,
  type Received,
  result,
  type Script,
  type ScriptedServer,
  startServer,
  stream,
} from '../helpers/httpServer.ts';
import { describe, it } from '../helpers/nodeTest.ts';
import { until } from '../helpers/processes.ts';

/* The client and the real HTTP transports together, against servers on the loopback interface. */

const discover: JsonObject = {
  resultType: 'complete',
  supportedVersions: ['2026-07-28'],
  capabilities: { tools: {} },
  ttlMs: 0,
  cacheScope: 'private',
};
const greeting = (protocolVersion: string): JsonObject => ({
  protocolVersion,
  capabilities: { tools: {} },
  serverInfo: { name: 's', version: '1' },
});
const done = { resultType: 'complete', content: [{ type: 'text', text: 'done' }] };

type Answers = Readonly<
  Record<string, (request: Received, response: ServerResponse, attempt: number) => void>
>;

/** Answers POSTs by the method in the body, and other requests by their own method. */
function script(answers: Answers): Script {
  const attempts = new Map<string, number>();
  return (request, response) => {
    const method = request.method === 'POST' ? request.json?.['method'] : request.method;
    const name = typeof method === 'string' ? method : '';
    const attempt = (attempts.get(name) ?? 0) + 1;
    attempts.set(name, attempt);
    const answer = answers[name];
    if (answer !== undefined) answer(request, response, attempt);
    else if (request.json?.['id'] === undefined)
      response.writeHead(request.method === 'POST' ? 202 : 405).end();
    else
      json(response, { jsonrpc: '2.0', id: request.json['id'], error: { code: -32601, message: 'no' } }, 404);
  };
}

const modern: Answers = {
  'server/discover': (request, response) => json(response, result(request, discover)),
};
const legacy = (version = '2025-11-25'): Answers => ({
  'server/discover': (_request, response) => void response.writeHead(400).end(),
  initialize: (request, response) => {
    response.setHeader('mcp-session-id', 'session-1');
    json(response, result(request, greeting(version)));
  },
});

interface Use {
  readonly client: ConnectedClient;
  readonly server: ScriptedServer;
  readonly log: readonly string[];
}

async function use(
  answers: Answers,
  run: (use: Use) => Promise<void>,
  overrides: Partial<ClientOptions> = {},
): Promise<void> {
  const server = await startServer(script(answers));
  const { source, sent } = checked(httpSource({ url: server.url }));
  const log: string[] = [];
  try {
    const client = await connectClient(
      {
        transports: source,
        clientInfo: { name: 'test', version: '1' },
        capabilities: { elicitation: { form: {} } },
        inputHandler: () => Promise.resolve({ kind: 'elicitation', action: 'accept', content: { ok: true } }),
        log: ({ text }) => log.push(text),
        ...overrides,
      },
      AbortSignal.timeout(20_000),
    );
    try {
      await run({ client, server, log });
    } finally {
      await client.close();
    }
  } finally {
    await server.close();
  }
  assertAllConform(sent);
}

const of = ({ server }: Use, method: string): readonly Received[] =>
  server.received.filter((request) => request.json?.['method'] === method);
const call = { name: 'tool', arguments: { a: 1 } };
const called = { content: [{ type: 'text', text: 'done' }], isError: false };

describe('finding the era of an HTTP server', () => {
  const refusals: readonly (readonly [string, (request: Received, response: ServerResponse) => void])[] = [
    ['400 without a body', (_request, response) => void response.writeHead(400).end()],
    [
      '400 with a page',
      (_request, response) =>
        void response.writeHead(400, { 'content-type': 'text/html' }).end('<h1>Bad</h1>'),
    ],
    [
      '400 and no session',
      (_request, response) =>
        json(response, { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'No session' } }, 400),
    ],
    ...[
      '{"error":{"code":-32022,"message":"no","data":{"supported":["2026-07-28"]}}}',
      '{"jsonrpc":"2.0","id":1,"error":{"code":"-32022","message":"no"}}',
      '{"jsonrpc":"2.0","id":1,"error":{"code":-32022.5,"message":"no"}}',
      '{"jsonrpc":"1.0","id":1,"error":{"code":-32022,"message":"no"}}',
      '{"jsonrpc":"2.0","id":1,"error":-32022}',
      '{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":-32022,"message":"no"}}',
      '{"code":-32022,"error":"Unsupported protocol version"}',
    ].map((body): readonly [string, (request: Received, response: ServerResponse) => void] => [
      `400 with something like a modern error: ${body}`,
      (_request, response) => void response.writeHead(400, { 'content-type': 'application/json' }).end(body),
    ]),
    [
      '404 with text',
      (_request, response) => void response.writeHead(404, { 'content-type': 'text/plain' }).end('Not found'),
    ],
    ['405', (_request, response) => void response.writeHead(405).end()],
    [
      '200 and an unknown method',
      (request, response) =>
        json(response, { jsonrpc: '2.0', id: request.json?.['id'], error: { code: -32601, message: 'no' } }),
    ],
    ['an empty stream', (_request, response) => void stream(response).end()],
  ];
  for (const [name, refuse] of refusals)
    it(`${name} means legacy`, () =>
      use(
        {
          ...legacy(),
          'server/discover': refuse,
          'tools/call': (request, response) => json(response, result(request, done)),
        },
        async (used) => {
          assert.deepEqual([used.client.era, await used.client.callTool(call)], ['legacy', called]);
          const [sent] = of(used, 'tools/call');
          assert.deepEqual(
            [
              sent?.headers['mcp-session-id'],
              sent?.headers['mcp-protocol-version'],
              sent?.headers['mcp-method'],
            ],
            ['session-1', '2025-11-25', undefined],
          );
        },
      ));

  it('falls back to HTTP+SSE in the end', async () => {
    let events: ServerResponse | undefined;
    await use(
      {
        'server/discover': (_request, response) => void response.writeHead(404).end(),
        GET: (_request, response) => {
          events = stream(response);
          events.write('event: endpoint\ndata: /messages?id=1\n\n');
        },
        initialize: (request, response) => {
          if (request.path === '/mcp') return void response.writeHead(404).end();
          response.writeHead(202).end();
          events?.write(event(result(request, greeting('2024-11-05'))));
        },
        'tools/call': (request, response) => {
          response.writeHead(202).end();
          events?.write(event(result(request, done)));
        },
      },
      async ({ client }) => {
        assert.deepEqual(
          [client.protocolVersion, client.knownEra, await client.callTool(call)],
          ['2024-11-05', { era: 'legacy', transport: 'legacySse' }, called],
        );
      },
    );
  });

  const ends: readonly (readonly [string, Answers, unknown])[] = [
    [
      'no access',
      { 'server/discover': (_request, response) => void response.writeHead(401).end() },
      { host: 'unauthorized' },
    ],
    [
      'a broken server',
      { 'server/discover': (_request, response) => void response.writeHead(500).end() },
      { host: 'httpStatus' },
    ],
    [
      'no version in common',
      {
        'server/discover': (request, response) =>
          json(
            response,
            {
              jsonrpc: '2.0',
              id: request.json?.['id'],
              error: { code: -32022, message: 'no', data: { supported: ['2099-01-01'] } },
            },
            400,
          ),
      },
      { host: 'unsupportedVersion' },
    ],
    [
      'nothing there',
      {
        'server/discover': (_request, response) => void response.destroy(),
        GET: (_request, response) => void response.destroy(),
      },
      { host: 'network' },
    ],
  ];
  for (const [name, answers, expected] of ends)
    it(`says so when there is ${name}`, async () => {
      assert.deepEqual(await ending(use(answers, () => Promise.resolve())), expected);
    });
});

describe('a modern HTTP server', () => {
  it('gets its headers with every request, and never a session', () =>
    use(
      {
        'server/discover': (request, response) => {
          response.setHeader('mcp-session-id', 'never');
          json(response, result(request, discover));
        },
        'tools/call': (request, response) => json(response, result(request, done)),
      },
      async (used) => {
        await used.client.callTool({ name: 'zwölf', arguments: {} });
        const [sent] = of(used, 'tools/call');
        const headers: IncomingHttpHeaders = sent?.headers ?? {};
        assert.deepEqual(
          ['mcp-protocol-version', 'mcp-method', 'mcp-name', 'mcp-session-id'].map((name) => headers[name]),
          ['2026-07-28', 'tools/call', `=?base64?${Buffer.from('zwölf').toString('base64')}?=`, undefined],
        );
        assert.ok(used.server.received.every((request) => request.method === 'POST'));
      },
    ));

  it('may answer with a stream of everything that streams may hold', () =>
    use(
      {
        ...modern,
        'tools/call': (request, response) => {
          const events = stream(response);
          const token = isJsonObject(request.json?.['params']) ? request.json['id'] : undefined;
          events.write('\uFEFF: a comment\r\n\r\n');
          events.write(
            event({
              jsonrpc: '2.0',
              method: 'notifications/progress',
              params: { progressToken: token, progress: 1 },
            }),
          );
          events.write(event({ jsonrpc: '2.0', id: 1, method: 'sampling/createMessage', params: {} }));
          const text = event(result(request, done));
          events.write(text.slice(0, 30));
          setTimeout(() => events.end(text.slice(30)), 10);
        },
      },
      async ({ client, log }) => {
        const seen: number[] = [];
        const outcome = await client.callTool(call, { onProgress: ({ progress }) => seen.push(progress) });
        assert.deepEqual([outcome, seen], [called, [1]]);
        assert.ok(log.some((line) => line.includes('sampling/createMessage')));
      },
    ));

  const failures: readonly (readonly [
    string,
    (request: Received, response: ServerResponse) => void,
    unknown,
  ])[] = [
    [
      'a stream without an answer',
      (_request, response) => void stream(response).end(': nothing\n\n'),
      { host: 'streamEnded' },
    ],
    ['a connection that breaks', (_request, response) => void response.destroy(), { host: 'network' }],
    [
      'half an answer',
      (_request, response) => {
        response
          .writeHead(200, { 'content-type': 'application/json', 'content-length': 100 })
          .write('{"jsonrpc');
        setTimeout(() => response.destroy(), 20);
      },
      { host: 'network' },
    ],
    [
      'no JSON',
      (_request, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{'),
      { host: 'malformedMessage' },
    ],
    [
      'an answer to another request',
      (_request, response) => json(response, { jsonrpc: '2.0', id: 77, result: done }),
      { host: 'protocolViolation' },
    ],
    [
      'an error of the protocol',
      (request, response) =>
        json(
          response,
          { jsonrpc: '2.0', id: request.json?.['id'], error: { code: -32602, message: 'no' } },
          400,
        ),
      { rpc: -32602 },
    ],
    [
      'an unknown method',
      (request, response) =>
        json(
          response,
          { jsonrpc: '2.0', id: request.json?.['id'], error: { code: -32601, message: 'no' } },
          404,
        ),
      { rpc: -32601 },
    ],
    [
      'a missing capability',
      (request, response) =>
        json(
          response,
          { jsonrpc: '2.0', id: request.json?.['id'], error: { code: -32021, message: 'no', data: {} } },
          400,
        ),
      { rpc: -32021 },
    ],
    ['an overload', (_request, response) => void response.writeHead(503).end('busy'), { host: 'httpStatus' }],
    [
      'a forgotten session that never was',
      (_request, response) => void response.writeHead(404).end(),
      { host: 'httpStatus' },
    ],
    [
      'an unknown type of result',
      (request, response) => json(response, result(request, { resultType: 'x' })),
      { host: 'protocolViolation' },
    ],
    [
      'a redirect to somewhere else',
      (_request, response) => void response.writeHead(307, { location: 'http://127.0.0.2:1/' }).end(),
      { host: 'httpStatus' },
    ],
  ];
  for (const [name, answer, expected] of failures)
    it(`that answers with ${name} ends the call, which is never sent twice`, () =>
      use({ ...modern, 'tools/call': answer }, async (used) => {
        const outcome = await ending(used.client.callTool(call));
        const code = isJsonObject(outcome) ? outcome : {};
        assert.deepEqual([code, of(used, 'tools/call').length], [expected, 1]);
      }));

  it('that never answers is given up after the time-out, and told so', () => {
    const gone: Promise<void>[] = [];
    return use({ ...modern, 'tools/call': (request) => void gone.push(request.gone) }, async (used) => {
      assert.deepEqual(await ending(used.client.callTool(call, { timeoutMs: 200 })), { host: 'timeout' });
      await gone[0];
      assert.equal(of(used, 'notifications/cancelled').length, 0);
    });
  });

  it('that drips progress is waited for, up to the maximum', () => {
    let drops = 0;
    return use(
      {
        ...modern,
        'tools/call': (request, response) => {
          const events = stream(response);
          const timer = setInterval(() => {
            const params = { progressToken: request.json?.['id'], progress: ++drops };
            events.write(event({ jsonrpc: '2.0', method: 'notifications/progress', params }));
          }, 50);
          response.on('close', () => clearInterval(timer));
        },
      },
      async ({ client }) => {
        const outcome = await ending(client.callTool(call, { timeoutMs: 400, maxTimeoutMs: 1_000 }));
        assert.deepEqual(outcome, { host: 'timeout' });
        assert.ok(drops > 8, String(drops));
      },
    );
  });

  it('hears of a cancelled call by its closed stream alone', () => {
    let gone: Promise<void> | undefined;
    const abort = new AbortController();
    return use(
      {
        ...modern,
        'tools/call': (request, response) => {
          gone = request.gone;
          stream(response).write(': working\n\n');
          abort.abort();
        },
      },
      async (used) => {
        assert.deepEqual(await ending(used.client.callTool(call, { signal: abort.signal })), {
          host: 'cancelled',
        });
        await gone;
        assert.equal(of(used, 'notifications/cancelled').length, 0);
      },
    );
  });

  it('gets new headers after −32020, and the questions of a round only once', () => {
    const schema = { type: 'object', properties: { a: { type: 'integer', 'x-mcp-header': 'A' } } };
    return use(
      {
        ...modern,
        'tools/list': (request, response) =>
          json(
            response,
            result(request, {
              resultType: 'complete',
              ttlMs: 0,
              cacheScope: 'private',
              tools: [{ name: 'tool', inputSchema: schema }],
            }),
          ),
        'tools/call': (request, response) => {
          const params = request.json?.['params'];
          if (request.headers['mcp-param-a'] !== '1')
            return json(
              response,
              { jsonrpc: '2.0', id: request.json?.['id'], error: { code: -32020, message: 'no' } },
              400,
            );
          const requestedSchema = { type: 'object', properties: {} };
          const inputRequests = {
            q: { method: 'elicitation/create', params: { message: 'm', requestedSchema } },
          };
          const first = !isJsonObject(params) || params['inputResponses'] === undefined;
          json(response, result(request, first ? { resultType: 'input_required', inputRequests } : done));
        },
      },
      async (used) => {
        assert.deepEqual(await used.client.callTool(call), called);
        assert.deepEqual(
          [
            of(used, 'tools/list').length,
            of(used, 'tools/call').map((request) => request.headers['mcp-param-a']),
          ],
          [1, [undefined, '1', '1']],
        );
      },
    );
  });

  it('announces changes on the stream of the subscription, which is opened again when it breaks', () => {
    const streams: ServerResponse[] = [];
    return use(
      {
        'server/discover': (request, response) =>
          json(response, result(request, { ...discover, capabilities: { tools: { listChanged: true } } })),
        'subscriptions/listen': (request, response) => {
          const _meta = { 'io.modelcontextprotocol/subscriptionId': request.json?.['id'] };
          const events = stream(response);
          streams.push(events);
          events.write(
            event({
              jsonrpc: '2.0',
              method: 'notifications/subscriptions/acknowledged',
              params: { _meta, notifications: { toolsListChanged: true } },
            }),
          );
          events.write(
            event({ jsonrpc: '2.0', method: 'notifications/tools/list_changed', params: { _meta } }),
          );
        },
      },
      async (used) => {
        let announced = 0;
        used.client.onToolsChanged(() => announced++);
        await until(() => announced === 1);
        streams[0]?.destroy();
        await until(() => announced === 2);
        assert.equal(streams.length, 2);
      },
      { random: () => 0 },
    );
  });
});

describe('a legacy HTTP server', () => {
  it('is greeted again after it forgot the session', () => {
    let session = 0;
    return use(
      {
        ...legacy(),
        initialize: (request, response) => {
          response.setHeader('mcp-session-id', `session-${++session}`);
          json(response, result(request, greeting('2025-06-18')));
        },
        'tools/call': (request, response) => {
          if (request.headers['mcp-session-id'] === 'session-1') return void response.writeHead(404).end();
          json(response, result(request, done));
        },
      },
      async (used) => {
        const outcomes = await Promise.all([used.client.callTool(call), used.client.callTool(call)]);
        assert.deepEqual([outcomes, session, of(used, 'initialize').length], [[called, called], 2, 2]);
      },
    );
  });

  it('may ask in the middle of a call, and is answered', () => {
    let events: ServerResponse | undefined;
    let open: Received | undefined;
    return use(
      {
        ...legacy(),
        '': (answer, response) => {
          response.writeHead(202).end();
          const content = isJsonObject(answer.json?.['result']) ? answer.json['result'] : {};
          if (open !== undefined)
            events?.end(event(result(open, { content: [], structuredContent: content })));
        },
        'tools/call': (request, response) => {
          open = request;
          events = stream(response);
          const params = { message: 'm', requestedSchema: { type: 'object', properties: {} } };
          events.write(event({ jsonrpc: '2.0', id: 'q', method: 'elicitation/create', params }));
        },
      },
      async ({ client }) => {
        const { structuredContent } = await client.callTool(call, { callId: 'c' });
        assert.deepEqual(structuredContent, { action: 'accept', content: { ok: true } });
      },
    );
  });

  it('is told of a cancelled call by a message', () => {
    const abort = new AbortController();
    return use(
      {
        ...legacy(),
        'tools/call': (_request, response) => {
          stream(response).write(': working\n\n');
          abort.abort();
        },
      },
      async (used) => {
        assert.deepEqual(await ending(used.client.callTool(call, { signal: abort.signal })), {
          host: 'cancelled',
        });
        await until(() => of(used, 'notifications/cancelled').length === 1);
        const [sent] = of(used, 'tools/call');
        const [notice] = of(used, 'notifications/cancelled');
        const params = notice?.json?.['params'];
        assert.equal(isJsonObject(params) ? params['requestId'] : undefined, sent?.json?.['id']);
      },
    );
  });

  it('is told when we leave', async () => {
    const methods: string[] = [];
    await use(
      {
        ...legacy(),
        DELETE: (request, response) => {
          methods.push(`${request.method} ${String(request.headers['mcp-session-id'])}`);
          response.writeHead(200).end();
        },
      },
      async ({ client }) => {
        assert.equal(client.era, 'legacy');
        await Promise.resolve();
      },
    );
    assert.deepEqual(methods, ['DELETE session-1']);
  });
});
