import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test, type TestContext } from 'node:test';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import type { HttpLimits } from '../../src/transport/httpLimits.ts';
import {
  event,
  json,
  type Received,
  result,
  type ScriptedServer,
  startServer,
  stream,
  until,
} from '../helpers/httpServer.ts';
import { ManualClock } from '../helpers/manualClock.ts';
import {
  handshake,
  initialize,
  legacyRequest,
  openHttp,
  type Probe,
  summary,
} from '../helpers/httpTransport.ts';

const limits = {
  reconnectMs: 10,
  minReconnectMs: 5,
  maxReconnectMs: 40,
  resumeAttempts: 2,
  lingerMs: 30,
  closeMs: 200,
};
const call = legacyRequest(1, 'tools/call', { name: 'echo' });
const origin = { requestId: 1 };
const note = (method: string): object => ({ jsonrpc: '2.0', method });

interface Parts {
  /** Answers GET; 405 if absent. */
  readonly get?: (request: Received, response: ServerResponse, count: number) => void;
  /** Answers requests other than `initialize`. */
  readonly ask?: (request: Received, response: ServerResponse) => void;
  /** Answers notifications and responses; 202 if absent. */
  readonly accept?: (request: Received, response: ServerResponse) => void;
  readonly remove?: (response: ServerResponse) => void;
  readonly sessionId?: string;
  readonly limits?: Partial<HttpLimits>;
  readonly clock?: Clock;
}

/** A server of the legacy era with a session, and a transport before its handshake. */
async function open(t: TestContext, parts: Parts): Promise<{ server: ScriptedServer; probe: Probe }> {
  let gets = 0;
  const server = await startServer((request, response) => {
    const { json: message } = request;
    if (request.method === 'GET') {
      return parts.get === undefined
        ? void response.writeHead(405).end()
        : parts.get(request, response, ++gets);
    }
    if (request.method === 'DELETE') {
      return parts.remove === undefined ? void response.writeHead(200).end() : parts.remove(response);
    }
    if (message?.['method'] === 'initialize') {
      response.setHeader(
        'Mcp-Session-Id',
        parts.sessionId ?? `session-${server.received.filter(isInitialize).length}`,
      );
      return json(response, result(request, { protocolVersion: '2025-11-25' }));
    }
    if (message?.['id'] === undefined || message['method'] === undefined) {
      return parts.accept === undefined
        ? void response.writeHead(202).end()
        : parts.accept(request, response);
    }
    return parts.ask === undefined ? json(response, result(request)) : parts.ask(request, response);
  });
  t.after(() => server.close());
  const probe = await openHttp({
    url: server.url,
    limits: { ...limits, ...parts.limits },
    clock: parts.clock ?? systemClock,
    random: () => 0,
  });
  t.after(() => probe.transport.close());
  return { server, probe };
}

function isInitialize(request: Received): boolean {
  return request.json?.['method'] === 'initialize';
}

/** What tells one request from another in this era. */
function traits({ method, headers, json: message }: Received): unknown[] {
  return [
    method,
    message?.['method'] ?? message?.['id'],
    headers['mcp-session-id'],
    headers['mcp-protocol-version'],
  ];
}

test('a session from the handshake to its end', async (t) => {
  const { server, probe } = await open(t, {});
  await handshake(probe);
  await probe.ask(call);
  await probe.transport.close();
  const [session, version] = ['session-1', '2025-11-25'];
  const listening = server.received.filter(({ method }) => method === 'GET');
  assert.deepEqual(listening.map(traits), [['GET', undefined, session, version]]);
  assert.equal(listening[0]?.headers.accept, 'text/event-stream');
  assert.deepEqual(server.received.filter(({ method }) => method !== 'GET').map(traits), [
    ['POST', 'initialize', undefined, undefined],
    ['POST', 'notifications/initialized', session, version],
    ['POST', 'tools/call', session, version],
    ['DELETE', undefined, session, version],
  ]);
  assert.deepEqual(probe.told.map(summary), [
    { result: { protocolVersion: '2025-11-25' }, origin: { requestId: 'init' } },
    { result: {}, origin },
    { closed: undefined },
  ]);
});

test('a server without sessions gets neither id nor DELETE', async (t) => {
  const server = await startServer((request, response) => {
    if (request.method === 'GET') response.writeHead(405).end();
    else if (request.json?.['id'] === undefined) response.writeHead(202).end();
    else json(response, result(request));
  });
  t.after(() => server.close());
  const probe = await openHttp({ url: server.url });
  await handshake(probe, '2025-03-26');
  await probe.ask(call);
  await probe.transport.close();
  assert.deepEqual(server.received.filter(({ method }) => method !== 'GET').map(traits), [
    ['POST', 'initialize', undefined, undefined],
    ['POST', 'notifications/initialized', undefined, undefined],
    ['POST', 'tools/call', undefined, undefined],
  ]);
});

test('no request overtakes notifications/initialized', async (t) => {
  let accept: (() => void) | undefined;
  const { server, probe } = await open(t, {
    accept: (_, response) => {
      accept = () => response.writeHead(202).end();
    },
  });
  await handshake(probe);
  const answer = probe.ask(call);
  await until(() => accept !== undefined);
  assert.equal(server.received.length, 2);
  accept?.();
  assert.deepEqual(await answer, { result: {}, origin });
});

test('a server that never accepts notifications/initialized does not block requests', async (t) => {
  const clock = new ManualClock();
  const { server, probe } = await open(t, { accept: () => {}, clock });
  await handshake(probe);
  const answer = probe.ask(call);
  await until(() => server.received.length === 2);
  clock.advance(5_000);
  assert.deepEqual(await answer, { result: {}, origin });
});

const sessionIds: readonly [id: string, sent: string | undefined][] = [
  ['!~visible-ASCII', '!~visible-ASCII'],
  ['with space', undefined],
  ['x'.repeat(5_000), undefined],
];
for (const [id, sent] of sessionIds) {
  test(`session id ${id.slice(0, 20)}`, async (t) => {
    const { server, probe } = await open(t, { sessionId: id });
    await handshake(probe);
    await probe.ask(call);
    assert.equal(server.received.at(-1)?.headers['mcp-session-id'] ?? undefined, sent);
    assert.equal(
      probe.told.some(({ kind }) => kind === 'dropped'),
      sent === undefined,
    );
  });
}

const expiries: readonly [name: string, reply: (request: Received, response: ServerResponse) => void][] = [
  ['404, empty', (_, response) => void response.writeHead(404).end()],
  ['404, HTML', (_, response) => void response.writeHead(404, { 'content-type': 'text/html' }).end('<p>')],
  [
    '404, JSON-RPC',
    (request, response) =>
      json(
        response,
        { jsonrpc: '2.0', id: request.json?.['id'], error: { code: -32001, message: 'Session not found' } },
        404,
      ),
  ],
  [
    '400, JSON-RPC, no id',
    (_, response) =>
      json(
        response,
        {
          jsonrpc: '2.0',
          id: null,
          error: { code: -32000, message: 'Bad Request: No valid session ID provided' },
        },
        400,
      ),
  ],
];
for (const [name, reply] of expiries) {
  test(`a forgotten session: ${name}`, async (t) => {
    const { server, probe } = await open(t, {
      ask: (request, response) => {
        if (request.headers['mcp-session-id'] === 'session-1') reply(request, response);
        else json(response, result(request));
      },
    });
    await handshake(probe);
    assert.deepEqual(await probe.ask(call), { failed: 'sessionExpired' });
    assert.deepEqual(await probe.ask({ ...initialize, id: 'again' }), {
      result: { protocolVersion: '2025-11-25' },
      origin: { requestId: 'again' },
    });
    await probe.transport.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    assert.deepEqual(await probe.ask({ ...call, id: 2 }), { result: {}, origin: { requestId: 2 } });
    const posts = server.received.filter(({ method }) => method === 'POST');
    assert.deepEqual(
      posts.map((request) => request.headers['mcp-session-id']),
      [undefined, 'session-1', 'session-1', undefined, 'session-2', 'session-2'],
    );
  });
}

test('the server speaks unasked, and is answered by POST', async (t) => {
  const { server, probe } = await open(t, {
    get: (_, response) => {
      stream(response).write(': hello\n\n');
      response.write(event(note('notifications/tools/list_changed')));
      response.write(
        event([
          { jsonrpc: '2.0', id: 's1', method: 'ping' },
          { jsonrpc: '2.0', id: 's2', method: 'roots/list' },
        ]),
      );
      response.write('data: junk\n\n');
    },
  });
  await handshake(probe);
  await probe.when((told) => told.kind === 'dropped');
  await probe.transport.send({ jsonrpc: '2.0', id: 's1', result: {} });
  await until(() => server.received.some(({ json: message }) => message?.['id'] === 's1'));
  assert.deepEqual(probe.told.slice(1).map(summary), [
    { method: 'notifications/tools/list_changed', origin: {} },
    { method: 'ping', origin: {} },
    { method: 'roots/list', origin: {} },
    { dropped: 'malformedMessage' },
  ]);
  assert.deepEqual(server.received.at(-1)?.json, { jsonrpc: '2.0', id: 's1', result: {} });
  assert.equal(server.received.at(-1)?.headers['mcp-session-id'], 'session-1');
});

test('a request of the server within a reply is told with the request that it belongs to', async (t) => {
  let reply: ServerResponse | undefined;
  const { probe } = await open(t, {
    ask: (_, response) => {
      reply = stream(response);
      reply.write(event({ jsonrpc: '2.0', id: 7, method: 'elicitation/create' }));
    },
    accept: (request, response) => {
      response.writeHead(202).end();
      if (request.json?.['id'] === 7) reply?.end(event({ jsonrpc: '2.0', id: 1, result: { ok: true } }));
    },
  });
  await handshake(probe);
  await probe.transport.send(call);
  await probe.when((told) => told.kind === 'message' && 'method' in told.message);
  await probe.transport.send(
    { jsonrpc: '2.0', id: 7, result: { action: 'decline' } },
    { relatedRequestId: 1 },
  );
  await probe.when((told) => told.kind === 'message' && 'id' in told.message && told.message.id === 1);
  assert.deepEqual(probe.told.slice(1).map(summary), [
    { method: 'elicitation/create', origin },
    { result: { ok: true }, origin },
  ]);
});

test('the standing stream is resumed after its last event', async (t) => {
  const { server, probe } = await open(t, {
    get: (_, response, count) => {
      stream(response).write('retry: 15\n\n');
      response.write(event(note(`notifications/n${count}`), `id-${count}`));
      if (count === 1) response.end();
      if (count === 2) setImmediate(() => response.destroy());
    },
  });
  await handshake(probe);
  await probe.when(
    (told) => told.kind === 'message' && 'method' in told.message && told.message.method.endsWith('n3'),
  );
  assert.deepEqual(
    server.received.filter(({ method }) => method === 'GET').map(({ headers }) => headers['last-event-id']),
    [undefined, 'id-1', 'id-2'],
  );
});

const noStream: readonly [name: string, status: number, dropped: string[]][] = [
  ['405, which is the rule', 405, []],
  ['400', 400, ['httpStatus']],
  ['404', 404, ['sessionExpired']],
  ['501', 501, ['httpStatus']],
  ['401', 401, ['unauthorized']],
];
for (const [name, status, dropped] of noStream) {
  test(`no standing stream: ${name}`, async (t) => {
    const clock = new ManualClock();
    const get = (_: Received, response: ServerResponse): void => void response.writeHead(status).end();
    const { server, probe } = await open(t, { get, clock });
    await handshake(probe);
    await probe.ask(call);
    await until(() => server.received.some(({ method }) => method === 'GET'));
    await probe.ask({ ...call, id: 2 });
    clock.advance(1e6);
    await probe.ask({ ...call, id: 3 });
    assert.equal(server.received.filter(({ method }) => method === 'GET').length, 1);
    const problems = probe.told.flatMap((told) => (told.kind === 'dropped' ? [told.error.code] : []));
    assert.deepEqual(problems, dropped);
  });
}

test('a standing stream that fails for a while comes back', async (t) => {
  const { probe } = await open(t, {
    get: (_, response, count) => {
      if (count === 1) response.writeHead(503).end();
      else if (count === 2) response.socket?.destroy();
      else stream(response).write(event(note('notifications/back')));
    },
  });
  await handshake(probe);
  await probe.when((told) => told.kind === 'message' && 'method' in told.message);
  assert.deepEqual(probe.told.slice(1).map(summary), [{ method: 'notifications/back', origin: {} }]);
});

test('an endless refusal of the standing stream is not read to its end', async (t) => {
  const { server, probe } = await open(t, {
    get: (_, response, count) => {
      if (count === 1) response.writeHead(503).write('x');
      else stream(response).write(event(note('notifications/back')));
    },
  });
  await handshake(probe);
  await probe.when((told) => told.kind === 'message' && 'method' in told.message);
  await server.received.find(({ method }) => method === 'GET')?.gone;
});

test('a new handshake closes the standing stream of the old session', async (t) => {
  const { server, probe } = await open(t, { get: (_, response) => void stream(response) });
  await handshake(probe);
  await until(() => server.received.some(({ method }) => method === 'GET'));
  await probe.ask({ ...initialize, id: 'again' });
  await server.received.find(({ method }) => method === 'GET')?.gone;
});

test('a reply stream that the server closes on purpose is continued by GET, not before the server wants it', async (t) => {
  const clock = new ManualClock();
  const { server, probe } = await open(t, {
    clock,
    get: (request, response) => {
      if (request.headers['last-event-id'] === undefined) return void response.writeHead(405).end();
      stream(response).write(event(note('notifications/progress'), 'e2'));
      response.end(event({ jsonrpc: '2.0', id: 1, result: { done: true } }, 'e3'));
    },
    ask: (request, response) => {
      if (request.json?.['id'] === 1) stream(response).end('id: e1\nretry: 5000\n\n');
      else json(response, result(request));
    },
  });
  const resumptions = (): readonly Received[] =>
    server.received.filter(({ headers }) => headers['last-event-id'] !== undefined);
  await handshake(probe);
  await probe.transport.send(call);
  await until(
    () => server.received.some(({ json: message }) => message?.['id'] === 1) && clock.waiting === 1,
  );
  clock.advance(4_999);
  await probe.ask({ ...call, id: 2 });
  assert.deepEqual(resumptions(), []);
  clock.advance(1);
  await probe.when((told) => told.kind === 'message' && 'id' in told.message && told.message.id === 1);
  assert.deepEqual(
    resumptions().map((request) => [...traits(request), request.headers['last-event-id']]),
    [['GET', undefined, 'session-1', '2025-11-25', 'e1']],
  );
  assert.deepEqual(probe.told.slice(1).map(summary), [
    { result: {}, origin: { requestId: 2 } },
    { method: 'notifications/progress', origin },
    { result: { done: true }, origin },
  ]);
  assert.equal(server.received.filter(({ json: message }) => message?.['id'] === 1).length, 1);
});

test('a reply stream is continued as often as it makes progress', async (t) => {
  const { server, probe } = await open(t, {
    // The delay that the server asked for once holds for all that follows.
    limits: { reconnectMs: 60_000 },
    get: (request, response) => {
      const last = Number(request.headers['last-event-id']);
      if (Number.isNaN(last)) return void response.writeHead(405).end();
      stream(response);
      if (last === 8) response.end(event({ jsonrpc: '2.0', id: 1, result: {} }));
      else response.write(event(note('notifications/progress'), String(last + 1)), () => response.destroy());
    },
    ask: (_, response) => void stream(response).end('id: 1\nretry: 1\ndata:\n\n'),
  });
  await handshake(probe);
  assert.deepEqual(await probe.ask(call), { result: {}, origin });
  assert.deepEqual(
    server.received.flatMap(({ headers }) => headers['last-event-id'] ?? []),
    ['1', '2', '3', '4', '5', '6', '7', '8'],
  );
});

const lost: readonly [
  name: string,
  resume: (response: ServerResponse) => void,
  outcome: string,
  attempts: number,
][] = [
  ['405', (response) => void response.writeHead(405).end(), 'streamEnded', 1],
  ['404', (response) => void response.writeHead(404).end(), 'sessionExpired', 1],
  ['JSON', (response) => json(response, {}), 'streamEnded', 1],
  ['503 each time', (response) => void response.writeHead(503).end(), 'streamEnded', 3],
  ['no reply each time', (response) => void response.socket?.destroy(), 'streamEnded', 3],
  ['an empty stream each time', (response) => void stream(response).end(), 'streamEnded', 3],
];
for (const [name, resume, outcome, attempts] of lost) {
  test(`a reply stream that cannot be continued: ${name}`, async (t) => {
    let tried = 0;
    const { probe } = await open(t, {
      get: (request, response) => {
        if (request.headers['last-event-id'] === undefined) return void response.writeHead(405).end();
        tried++;
        resume(response);
      },
      ask: (_, response) => void stream(response).end('id: e1\nretry: 1\ndata:\n\n'),
    });
    await handshake(probe);
    assert.deepEqual(await probe.ask(call), { failed: outcome });
    assert.equal(tried, attempts);
  });
}

test('without event ids a broken reply stream is lost', async (t) => {
  const { server, probe } = await open(t, {
    ask: (_, response) =>
      void stream(response).write(event(note('notifications/progress')), () => response.destroy()),
  });
  await handshake(probe);
  assert.deepEqual(await probe.ask(call), { failed: 'streamEnded' });
  assert.equal(server.received.filter(({ json: message }) => message?.['method'] === 'tools/call').length, 1);
});

test('the handshake itself may be continued, in the session that it opened', async (t) => {
  const server = await startServer((request, response) => {
    if (request.headers['last-event-id'] !== undefined) {
      return void stream(response).end(event({ jsonrpc: '2.0', id: 'init', result: {} }));
    }
    stream(response, { 'mcp-session-id': 'early' }).end('id: e1\nretry: 1\n\n');
  });
  t.after(() => server.close());
  const probe = await openHttp({ url: server.url, limits });
  t.after(() => probe.transport.close());
  assert.deepEqual(await probe.ask(initialize), { result: {}, origin: { requestId: 'init' } });
  assert.deepEqual(server.received.map(traits).slice(1), [['GET', undefined, 'early', undefined]]);
});

test('cancelling while a reply stream waits to be continued', async (t) => {
  const clock = new ManualClock();
  const { server, probe } = await open(t, {
    clock,
    ask: (_, response) => void stream(response).end('id: e1\nretry: 100\n\n'),
  });
  await handshake(probe);
  const abort = new AbortController();
  await probe.transport.send(call, { signal: abort.signal });
  await until(
    () => server.received.some(({ json: message }) => message?.['id'] === 1) && clock.waiting === 1,
  );
  abort.abort();
  assert.equal(clock.waiting, 0);
  assert.equal(probe.told.length, 1);
});

test('notices that the server does not accept are reported, and no more', async (t) => {
  const { probe } = await open(t, { accept: (_, response) => void response.writeHead(500).end('oops') });
  await handshake(probe);
  await probe.ask(call);
  assert.deepEqual(probe.told.slice(1).map(summary), [{ dropped: 'httpStatus' }, { result: {}, origin }]);
});

for (const [name, remove] of [
  ['refuses', (response: ServerResponse) => void response.writeHead(405).end()],
  ['is silent about', () => {}],
  ['breaks off', (response: ServerResponse) => void response.socket?.destroy()],
] as const) {
  test(`a server that ${name} the end of the session does not keep us`, async (t) => {
    const { server, probe } = await open(t, { remove, get: (_, response) => void stream(response) });
    await handshake(probe);
    await until(() => server.received.some(({ method }) => method === 'GET'));
    await probe.transport.close();
    assert.equal(server.received.at(-1)?.method, 'DELETE');
    assert.deepEqual(probe.told.at(-1), { kind: 'closed', error: undefined });
    await until(() => server.connections() === 0);
  });
}
