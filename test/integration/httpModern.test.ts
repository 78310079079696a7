import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { HostError } from '../../src/base/errors.ts';
import { event, json, type Received, result, startServer, stream, until } from '../helpers/httpServer.ts';
import { ManualClock } from '../helpers/manualClock.ts';
import { modernRequest, openHttp, summary } from '../helpers/httpTransport.ts';

const call = modernRequest(1, 'tools/call', { name: 'echo', arguments: { a: 1 } });
const notification = (method: string): object => ({ jsonrpc: '2.0', method });
const origin = { requestId: 1 };

test('a request is one POST whose headers repeat its body', async (t) => {
  const server = await startServer((request, response) => json(response, result(request, { ok: true })));
  t.after(() => server.close());
  const probe = await openHttp({ url: `${server.url}?tenant=7#part`, headers: { 'X-Team': 'blue' } });
  t.after(() => probe.transport.close());
  await probe.transport.send(call, { headers: { 'Mcp-Param-Region': 'us-west1' } });
  await probe.when((told) => told.kind === 'message');
  assert.deepEqual(probe.told.map(summary), [{ result: { ok: true }, origin }]);
  const [request] = server.received;
  assert.deepEqual(
    { ...request, headers: { ...request?.headers, host: '' }, body: '', gone: undefined },
    {
      method: 'POST',
      path: '/mcp?tenant=7',
      headers: {
        host: '',
        connection: 'keep-alive',
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(JSON.stringify(call))),
        accept: 'application/json, text/event-stream',
        'accept-encoding': 'identity',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'echo',
        'mcp-param-region': 'us-west1',
        'user-agent': 'countersign',
        'x-team': 'blue',
      },
      body: '',
      json: call,
      gone: undefined,
    },
  );
});

test('no session id is kept or sent, whatever the server says', async (t) => {
  const server = await startServer((request, response) => {
    response.setHeader('Mcp-Session-Id', 'sticky');
    json(response, result(request));
  });
  t.after(() => server.close());
  const probe = await openHttp({ url: server.url });
  await probe.ask(modernRequest(1, 'server/discover'));
  probe.transport.useProtocol('modern', '2026-07-28');
  await probe.ask(modernRequest(2, 'tools/list'));
  await probe.transport.close();
  assert.deepEqual(
    server.received.map((request) => [request.method, request.headers['mcp-session-id']]),
    [
      ['POST', undefined],
      ['POST', undefined],
    ],
  );
});

type Write = (response: ServerResponse, request: Received) => void;
const streams: readonly [name: string, write: Write, told: unknown[]][] = [
  [
    'progress, then the response',
    (response, request) => {
      response.write(': keep-alive\r\n\r\n');
      response.write(event(notification('notifications/progress')));
      response.end(event(result(request)));
    },
    [
      { method: 'notifications/progress', origin },
      { result: {}, origin },
    ],
  ],
  [
    'one message over several lines',
    (response) => response.end('data: {"jsonrpc":"2.0",\r\ndata: "id":1,\r\ndata: "result":{}}\r\n\r\n'),
    [{ result: {}, origin }],
  ],
  [
    'the byte order mark',
    (response, request) => response.end(`\ufeff${event(result(request))}`),
    [{ result: {}, origin }],
  ],
  [
    'an error, and one without id',
    (response) => response.end(event({ jsonrpc: '2.0', id: null, error: { code: -32603, message: 'no' } })),
    [{ error: { code: -32603, message: 'no' }, origin }],
  ],
  [
    'a server request is refused, the rest goes on',
    (response, request) => {
      response.write(event({ jsonrpc: '2.0', id: 9, method: 'roots/list' }));
      response.end(event(result(request)));
    },
    [{ dropped: 'protocolViolation' }, { result: {}, origin }],
  ],
  [
    'junk between messages',
    (response, request) => {
      response.write('data: not json\n\ndata: {"jsonrpc":"1.0"}\n\nevent: odd\ndata: {}\n\nid: 3\ndata:\n\n');
      response.end(event(result(request)));
    },
    [
      { dropped: 'malformedMessage' },
      { dropped: 'malformedMessage' },
      { dropped: 'protocolViolation' },
      { result: {}, origin },
    ],
  ],
  [
    'a batch, which this revision has not',
    (response, request) => {
      response.write(event([notification('notifications/progress')]));
      response.end(event(result(request)));
    },
    [{ dropped: 'protocolViolation' }, { result: {}, origin }],
  ],
  [
    'a response to another request',
    (response, request) => {
      response.write(event({ jsonrpc: '2.0', id: 2, result: {} }));
      response.end(event(result(request)));
    },
    [{ dropped: 'protocolViolation' }, { result: {}, origin }],
  ],
  [
    'a stream that ends without the response',
    (response) => response.end(': bye\n\n'),
    [{ failed: 'streamEnded' }],
  ],
  [
    'a stream that ends in the middle of the response',
    (response, request) => response.end(event(result(request)).slice(0, -3)),
    [{ failed: 'streamEnded' }],
  ],
  [
    'a stream that breaks, although its events have ids',
    (response) => {
      response.write(event(notification('notifications/message'), '5'), () => response.destroy());
    },
    [{ method: 'notifications/message', origin }, { failed: 'streamEnded' }],
  ],
  [
    'a response whose result is no object',
    (response) => response.end(event({ jsonrpc: '2.0', id: 1, result: 'x' })),
    [{ failed: 'malformedMessage' }],
  ],
  [
    'bytes that are not UTF-8',
    (response) =>
      response.end(Buffer.from('data: {"jsonrpc":"2.0","id":1,"result":{"a":"\xff"}}\n\n', 'latin1')),
    [{ failed: 'malformedMessage' }],
  ],
];
for (const [name, write, told] of streams) {
  test(`stream: ${name}`, async (t) => {
    const server = await startServer((request, response) => write(stream(response), request));
    t.after(() => server.close());
    const probe = await openHttp({ url: server.url, limits: { reconnectMs: 10, minReconnectMs: 5 } });
    t.after(() => probe.transport.close());
    await probe.ask(call);
    assert.deepEqual(probe.told.map(summary), told);
    assert.equal(server.received.length, 1, 'nothing is sent twice, and no stream is resumed');
  });
}

test('events arrive whole however the network cuts them', async (t) => {
  const server = await startServer(async (request, response) => {
    response.socket?.setNoDelay(true);
    const bytes = Buffer.from(event(result(request, { text: 'Grüße, 世界' })), 'utf8');
    stream(response);
    for (const byte of bytes) {
      response.write(Buffer.of(byte));
      await new Promise(setImmediate);
    }
    response.end();
  });
  t.after(() => server.close());
  const probe = await openHttp({ url: server.url });
  t.after(() => probe.transport.close());
  assert.deepEqual(await probe.ask(call), { result: { text: 'Grüße, 世界' }, origin });
});

test('a large message on a stream is read in pieces, and what follows it comes after', async (t) => {
  const list = Array.from({ length: 300_000 }, () => []);
  const server = await startServer((request, response) => {
    const events = stream(response);
    events.write(event(notification('notifications/a')));
    events.write(event({ ...notification('notifications/b'), params: { list } }));
    events.write(event(notification('notifications/c')));
    events.write(event(result(request, { list })));
    // The connection is over before the message has been read.
    events.end();
  });
  t.after(() => server.close());
  const probe = await openHttp({ url: server.url });
  t.after(() => probe.transport.close());
  await probe.ask(call);
  assert.deepEqual(
    probe.told.map((told) =>
      told.kind === 'message' && 'method' in told.message ? told.message.method : told.kind,
    ),
    ['notifications/a', 'notifications/b', 'notifications/c', 'message'],
  );
});

test('what follows the response is ignored, and a stream left open is closed', async (t) => {
  const server = await startServer((request, response) => {
    stream(response).write(event(result(request)));
    response.write(event(notification('notifications/progress')));
    response.write(event(result(request)));
  });
  t.after(() => server.close());
  const clock = new ManualClock();
  const probe = await openHttp({ url: server.url, clock });
  t.after(() => probe.transport.close());
  await probe.ask(call);
  await until(() => probe.told.length === 3);
  clock.advance(1_000);
  await server.received[0]?.gone;
  assert.equal(clock.waiting, 0);
  assert.deepEqual(probe.told.map(summary), [
    { result: {}, origin },
    { dropped: 'protocolViolation' },
    { dropped: 'protocolViolation' },
  ]);
});

test('cancelling closes the reply stream and nothing else', async (t) => {
  const server = await startServer((request, response) => {
    if (request.json?.['id'] === 1) stream(response).write(event(notification('notifications/progress')));
    else json(response, result(request));
  });
  t.after(() => server.close());
  const probe = await openHttp({ url: server.url });
  t.after(() => probe.transport.close());
  probe.transport.useProtocol('modern', '2026-07-28');
  const abort = new AbortController();
  await probe.transport.send(call, { signal: abort.signal });
  await probe.when((told) => told.kind === 'message');
  abort.abort();
  await server.received[0]?.gone;
  await probe.transport.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
  await probe.ask(modernRequest(2, 'tools/list'));
  assert.deepEqual(probe.told.map(summary), [
    { method: 'notifications/progress', origin },
    { result: {}, origin: { requestId: 2 } },
  ]);
  assert.deepEqual(
    server.received.map(({ json: message }) => message?.['method']),
    ['tools/call', 'tools/list'],
  );
});

test('cancelling before the head of the reply closes the connection', async (t) => {
  const server = await startServer(() => {});
  t.after(() => server.close());
  const probe = await openHttp({ url: server.url });
  t.after(() => probe.transport.close());
  const abort = new AbortController();
  await probe.transport.send(call, { signal: abort.signal });
  await until(() => server.received.length !== 0);
  abort.abort();
  await server.received[0]?.gone;
  assert.deepEqual(probe.told, []);
});

test('a request that is cancelled while the connection is made is not sent', async (t) => {
  const server = await startServer((request, response) => json(response, result(request)));
  t.after(() => server.close());
  const probe = await openHttp({ url: server.url });
  t.after(() => probe.transport.close());
  const abort = new AbortController();
  await probe.transport.send(call, { signal: abort.signal });
  abort.abort();
  await probe.ask(modernRequest(2, 'tools/list'));
  assert.deepEqual(
    server.received.map(({ json: message }) => message?.['id']),
    [2],
  );
  assert.equal(probe.told.length, 1);
});

test('a request whose signal has fired is not sent', async (t) => {
  const server = await startServer((request, response) => json(response, result(request)));
  t.after(() => server.close());
  const probe = await openHttp({ url: server.url });
  t.after(() => probe.transport.close());
  await assert.rejects(
    probe.transport.send(call, { signal: AbortSignal.abort() }),
    (error) => error instanceof HostError && error.code === 'cancelled',
  );
  assert.equal(server.received.length, 0);
});

test('many requests at once get their own replies', async (t) => {
  const server = await startServer((request, response) => {
    const value = result(request, { name: request.headers['mcp-name'] });
    if (Number(request.json?.['id']) % 2 === 0) json(response, value);
    else stream(response).end(event(value));
  });
  t.after(() => server.close());
  const probe = await openHttp({ url: server.url });
  t.after(() => probe.transport.close());
  const ids = Array.from({ length: 64 }, (_, index) => index + 1);
  const replies = await Promise.all(
    ids.map((id) => probe.ask(modernRequest(id, 'tools/call', { name: `tool-${id}` }))),
  );
  assert.deepEqual(
    replies,
    ids.map((id) => ({ result: { name: `tool-${id}` }, origin: { requestId: id } })),
  );
});

test('a listening stream stays open beside other requests', async (t) => {
  let listening: ServerResponse | undefined;
  const server = await startServer((request, response) => {
    if (request.headers['mcp-method'] === 'subscriptions/listen') listening = stream(response);
    else json(response, result(request));
  });
  t.after(() => server.close());
  const probe = await openHttp({ url: server.url });
  t.after(() => probe.transport.close());
  await probe.transport.send(modernRequest(1, 'subscriptions/listen'));
  await probe.ask(modernRequest(2, 'tools/list'));
  listening?.write(event(notification('notifications/tools/list_changed')));
  await probe.when((told) => told.kind === 'message' && 'method' in told.message);
  await probe.ask(modernRequest(3, 'tools/list'));
  listening?.end(event({ jsonrpc: '2.0', id: 1, result: {} }));
  await probe.when((told) => told.kind === 'message' && 'result' in told.message && told.message.id === 1);
  assert.deepEqual(probe.told.map(summary), [
    { result: {}, origin: { requestId: 2 } },
    { method: 'notifications/tools/list_changed', origin },
    { result: {}, origin: { requestId: 3 } },
    { result: {}, origin },
  ]);
});

test('responses of ours are not sent to modern servers', async (t) => {
  const server = await startServer((request, response) => json(response, result(request)));
  t.after(() => server.close());
  const probe = await openHttp({ url: server.url });
  t.after(() => probe.transport.close());
  probe.transport.useProtocol('modern', '2026-07-28');
  await assert.rejects(
    probe.transport.send({ jsonrpc: '2.0', id: 9, result: {} }),
    (error) => error instanceof HostError && error.code === 'protocolViolation',
  );
  assert.equal(server.received.length, 0);
});

test('IPv6 loopback', async (t) => {
  const server = await startServer((request, response) => json(response, result(request)), '::1').catch(
    () => undefined,
  );
  if (server === undefined) return t.skip('this machine has no IPv6');
  t.after(() => server.close());
  const probe = await openHttp({ url: server.url });
  t.after(() => probe.transport.close());
  assert.deepEqual(await probe.ask(call), { result: {}, origin });
});

test('nothing is left open after many transports', async (t) => {
  const server = await startServer((request, response) => {
    if (request.headers['mcp-name'] === 'slow') stream(response).write(': working\n\n');
    else json(response, result(request));
  });
  t.after(() => server.close());
  for (let round = 0; round < 20; round++) {
    const probe = await openHttp({ url: server.url });
    await probe.ask(call);
    await probe.transport.send(modernRequest(2, 'tools/call', { name: 'slow' }));
    await probe.transport.close();
  }
  await until(() => server.connections() === 0 && openSockets() === 0);
});

/** Connections of this process, of both ends, that are open or being made. */
function openSockets(): number {
  return process.getActiveResourcesInfo().filter((name) => /^(?:TCPSocket|TCPConnect|GetAddrInfo)/.test(name))
    .length;
}
