import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test, type TestContext } from 'node:test';
import { HostError } from '../../src/base/errors.ts';
import { createLegacySseTransport } from '../../src/transport/legacySse.ts';
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
import { initialize, legacyRequest, openSse, type Probe, summary } from '../helpers/httpTransport.ts';

/** On a loaded machine a message is not accepted at once. */
const limits = { eventChars: 10_000, acceptMs: 20_000 };
const call = legacyRequest(1, 'tools/call', { name: 'echo' });

interface Opened {
  readonly server: ScriptedServer;
  readonly probe: Probe;
  /** The stream that the server speaks on. */
  readonly stream: () => ServerResponse;
}

/** A server of 2024-11-05 that answers on its stream, and a transport connected to it. */
async function open(
  t: TestContext,
  post: (request: Received, response: ServerResponse, events: ServerResponse) => void = answer,
  acceptMs = limits.acceptMs,
): Promise<Opened> {
  let events: ServerResponse | undefined;
  const opened = (): ServerResponse => {
    assert.ok(events !== undefined, 'a stream is open');
    return events;
  };
  const server = await startServer((request, response) => {
    if (request.method !== 'GET') return post(request, response, opened());
    events = stream(response);
    events.write('event: endpoint\ndata: /messages?session=7\n\n');
  });
  t.after(() => server.close());
  const probe = await openSse({
    url: server.url,
    limits: { ...limits, acceptMs },
    headers: { 'X-Team': 'blue' },
  });
  t.after(() => probe.transport.close());
  return { server, probe, stream: opened };
}

function answer(request: Received, response: ServerResponse, events: ServerResponse): void {
  response.writeHead(202).end('Accepted');
  if (request.json?.['method'] !== undefined && request.json['id'] !== undefined)
    events.write(event(result(request)));
}

test('messages go by POST to the address that the server named, replies come on the stream', async (t) => {
  const { server, probe } = await open(t);
  await probe.ask(initialize);
  probe.transport.useProtocol('legacy', '2024-11-05');
  await probe.transport.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  await probe.ask(call);
  await probe.transport.close();
  assert.deepEqual(
    server.received.map(({ method, path, headers, json: message }) => [
      method,
      path,
      message?.['method'],
      headers.accept,
      headers['x-team'],
      headers['mcp-protocol-version'],
    ]),
    [
      ['GET', '/mcp', undefined, 'text/event-stream', 'blue', undefined],
      ['POST', '/messages?session=7', 'initialize', 'application/json, text/event-stream', 'blue', undefined],
      [
        'POST',
        '/messages?session=7',
        'notifications/initialized',
        'application/json, text/event-stream',
        'blue',
        undefined,
      ],
      ['POST', '/messages?session=7', 'tools/call', 'application/json, text/event-stream', 'blue', undefined],
    ],
  );
  assert.deepEqual(probe.told.map(summary), [
    { result: {}, origin: {} },
    { result: {}, origin: {} },
    { closed: undefined },
  ]);
});

test('a newer revision over this transport has the version header', async (t) => {
  const { server, probe } = await open(t);
  probe.transport.useProtocol('legacy', '2025-06-18');
  await probe.ask(call);
  assert.equal(server.received.at(-1)?.headers['mcp-protocol-version'], '2025-06-18');
});

test('requests and notices of the server', async (t) => {
  const { probe, stream: events } = await open(t);
  events().write(event({ jsonrpc: '2.0', id: 's', method: 'ping' }));
  events().write('event: endpoint\ndata: /elsewhere\n\ndata: junk\n\n');
  events().write(event({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' }));
  await probe.when((told) => told.kind === 'message' && !('id' in told.message));
  assert.deepEqual(probe.told.map(summary), [
    { method: 'ping', origin: {} },
    { dropped: 'protocolViolation' },
    { dropped: 'malformedMessage' },
    { method: 'notifications/tools/list_changed', origin: {} },
  ]);
});

const endpoints: readonly [
  name: string,
  text: (server: ScriptedServer) => string,
  path: string | undefined,
][] = [
  ['a path', () => '/a?b', '/a?b'],
  ['a relative path', () => 'messages', '/messages'],
  ['a query', () => '?session=1', '/mcp?session=1'],
  ['a full address', (server) => `${server.origin}/x`, '/x'],
  ['another origin', () => 'http://localhost:1/x', undefined],
  ['another host without a scheme', () => '//evil.example/x', undefined],
  ['another scheme', () => 'file:///x', undefined],
  ['no address', () => 'http://[', undefined],
];
for (const [name, text, path] of endpoints) {
  test(`the address for messages is ${name}`, async (t) => {
    const server = await startServer((request, response) => {
      if (request.method !== 'GET') return void response.writeHead(202).end();
      stream(response).write(`event: endpoint\ndata: ${text(server)}\n\n`);
    });
    t.after(() => server.close());
    const opening = openSse({ url: server.url, limits });
    if (path === undefined) {
      await assert.rejects(
        opening,
        (error) => error instanceof HostError && error.code === 'protocolViolation',
      );
      return;
    }
    const probe = await opening;
    t.after(() => probe.transport.close());
    await probe.transport.send({ jsonrpc: '2.0', method: 'notifications/x' });
    await until(() => server.received.length >= 2);
    assert.equal(server.received[1]?.path, path);
  });
}

const refusals: readonly [name: string, get: (response: ServerResponse) => void, code: string][] = [
  ['404', (response) => void response.writeHead(404).end(), 'httpStatus'],
  ['405', (response) => void response.writeHead(405).end(), 'httpStatus'],
  ['401', (response) => void response.writeHead(401).end(), 'unauthorized'],
  ['JSON', (response) => json(response, {}), 'httpStatus'],
  ['a stream without an address', (response) => void stream(response).write(event({})), 'timeout'],
  ['a stream that ends', (response) => void stream(response).end(), 'streamEnded'],
  ['silence', () => {}, 'timeout'],
  ['no reply', (response) => void response.socket?.destroy(), 'network'],
  ['an endless line', (response) => void stream(response).write('x'.repeat(20_000)), 'messageTooLarge'],
];
for (const [name, get, code] of refusals) {
  test(`no connection: ${name}`, async (t) => {
    const server = await startServer((_, response) => get(response));
    t.after(() => server.close());
    const told: unknown[] = [];
    const endpointMs = code === 'timeout' ? 50 : 5_000;
    const transport = createLegacySseTransport({ url: server.url, limits: { ...limits, endpointMs } });
    const tell = (entry: unknown): void => void told.push(entry);
    await assert.rejects(
      transport.start({ message: tell, requestFailed: tell, dropped: tell, closed: tell }),
      (error) => error instanceof HostError && error.code === code,
    );
    await until(() => server.connections() === 0);
    await transport.close();
    assert.deepEqual(told, []);
  });
}

test('giving up while connecting', async (t) => {
  const server = await startServer(() => {});
  t.after(() => server.close());
  const transport = createLegacySseTransport({ url: server.url });
  const abort = new AbortController();
  const nothing = (): void => {};
  const starting = transport.start(
    { message: nothing, requestFailed: nothing, dropped: nothing, closed: nothing },
    abort.signal,
  );
  await until(() => server.received.length !== 0);
  abort.abort();
  await assert.rejects(starting, (error) => error instanceof HostError && error.code === 'cancelled');
  await server.received[0]?.gone;
});

const ends: readonly [name: string, end: (events: ServerResponse) => void, code: string][] = [
  ['ends', (events) => void events.end(), 'streamEnded'],
  ['breaks', (events) => void events.destroy(), 'network'],
  ['turns to junk', (events) => void events.write(Buffer.from([0xff, 0xff])), 'malformedMessage'],
];
for (const [name, end, code] of ends) {
  test(`the transport ends when its stream ${name}`, async (t) => {
    const {
      probe,
      stream: events,
      server,
    } = await open(t, (_, response) => void response.writeHead(202).end());
    await probe.transport.send(call);
    end(events());
    await probe.when((told) => told.kind === 'closed');
    assert.deepEqual(probe.told.map(summary), [{ closed: code }]);
    await assert.rejects(
      probe.transport.send(call),
      (error) => error instanceof HostError && error.code === 'closed',
    );
    await until(() => server.connections() === 0);
  });
}

const refused: readonly [name: string, post: (response: ServerResponse) => void, told: object][] = [
  ['404', (response) => void response.writeHead(404).end('unknown session'), { failed: 'httpStatus' }],
  ['401', (response) => void response.writeHead(401).end(), { failed: 'unauthorized' }],
  [
    'a JSON-RPC error',
    (response) => json(response, { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'no' } }, 400),
    { error: { code: -32600, message: 'no' }, origin: { requestId: 1, httpStatus: 400 } },
  ],
  ['no reply', (response) => void response.socket?.destroy(), { failed: 'network' }],
];
for (const [name, post, told] of refused) {
  test(`a message that is refused with ${name}`, async (t) => {
    const { probe } = await open(t, (_, response) => post(response));
    assert.deepEqual(await probe.ask(call), told);
    await probe.transport.send({ jsonrpc: '2.0', method: 'notifications/x' });
    await probe.when(({ kind }) => kind === 'dropped');
  });
}

test('a request may be accepted as late as it is answered', async (t) => {
  const acceptMs = 50;
  const late = (request: Received, response: ServerResponse, events: ServerResponse): void => {
    setTimeout(() => {
      events.write(event(result(request)));
      response.writeHead(202).end();
    }, acceptMs + 50);
  };
  const { probe } = await open(t, late, acceptMs);
  assert.deepEqual(await probe.ask(call), { result: {}, origin: {} });
});

test('cancelling a request that was never accepted gives its connection back', async (t) => {
  const { probe, server } = await open(t, () => {});
  const abort = new AbortController();
  await probe.transport.send(call, { signal: abort.signal });
  await until(() => server.received.length === 2);
  abort.abort();
  await server.received[1]?.gone;
  assert.deepEqual(probe.told, []);
});

test('a server that accepts nothing cannot make us owe it any number of answers', async (t) => {
  const { probe } = await open(t, () => undefined);
  const answers = Array.from({ length: 300 }, (_, id) =>
    probe.transport.send({ jsonrpc: '2.0', id, result: {} }).then(
      () => 'sent',
      (error: unknown) => (error instanceof HostError ? error.code : 'other'),
    ),
  );
  const outcomes = await Promise.all(answers);
  assert.deepEqual(
    [outcomes.filter((one) => one === 'sent').length, new Set(outcomes)],
    [256, new Set(['sent', 'limitExceeded'])],
  );
});
