import assert from 'node:assert/strict';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { test, type TestContext } from 'node:test';
import { event, json, result, type Script, startServer, stream } from '../helpers/httpServer.ts';
import {
  handshake,
  legacyRequest,
  modernRequest,
  openHttp,
  type Probe,
  summary,
} from '../helpers/httpTransport.ts';

const limits = {
  bodyBytes: 10_000,
  eventChars: 10_000,
  refusalBytes: 2_000,
  reconnectMs: 10,
  minReconnectMs: 5,
};
const call = modernRequest(1, 'tools/call', { name: 'echo' });
const origin = { requestId: 1 };
const html = '<!doctype html><title>Bad gateway</title>';
const rpcError = (id: unknown, code: number = -32602): object => ({
  jsonrpc: '2.0',
  id,
  error: { code, message: 'no' },
});
const send =
  (status: number, contentType: string | undefined, body: string | Buffer = ''): Script =>
  (_, response) => {
    response.writeHead(status, contentType === undefined ? {} : { 'content-type': contentType }).end(body);
  };
const nested = (levels: number): string =>
  `{"jsonrpc":"2.0","id":1,"result":{"a":${'['.repeat(levels)}${']'.repeat(levels)}}}`;

/** Replies to a request that are no response to it: each ends the request with a typed error, once. */
const faults: readonly [name: string, script: Script, outcome: object][] = [
  ['HTML from a gateway', send(502, 'text/html', html), { failed: 'httpStatus' }],
  ['HTML with 200', send(200, 'text/html', html), { failed: 'httpStatus' }],
  ['text with 200', send(200, 'text/plain', 'ok'), { failed: 'httpStatus' }],
  [
    'JSON without a content type',
    send(200, undefined, '{"jsonrpc":"2.0","id":1,"result":{}}'),
    { failed: 'httpStatus' },
  ],
  ['202', send(202, undefined), { failed: 'httpStatus' }],
  ['204', send(204, undefined), { failed: 'httpStatus' }],
  ['400, empty', send(400, undefined), { failed: 'httpStatus' }],
  ['404, HTML', send(404, 'text/html', html), { failed: 'httpStatus' }],
  ['405', send(405, undefined), { failed: 'httpStatus' }],
  [
    '406, JSON that is no message',
    send(406, 'application/json', '{"detail":"no"}'),
    { failed: 'httpStatus' },
  ],
  ['429', send(429, 'text/plain', 'slow down'), { failed: 'httpStatus' }],
  [
    'a result with 500',
    send(500, 'application/json', '{"jsonrpc":"2.0","id":1,"result":{}}'),
    { failed: 'httpStatus' },
  ],
  [
    'a redirect for browsers',
    (_, response) => void response.writeHead(302, { location: '/login' }).end(),
    { failed: 'httpStatus' },
  ],
  ['401', send(401, 'application/json', JSON.stringify(rpcError(1))), { failed: 'unauthorized' }],
  ['403', send(403, 'text/html', html), { failed: 'unauthorized' }],
  [
    '403 with a JSON-RPC error',
    (_, response) => json(response, rpcError(null), 403),
    { error: { code: -32602, message: 'no' }, origin: { ...origin, httpStatus: 403 } },
  ],
  [
    '400 with a JSON-RPC error',
    (_, response) => json(response, rpcError(1, -32022), 400),
    { error: { code: -32022, message: 'no' }, origin: { ...origin, httpStatus: 400 } },
  ],
  [
    '400 with a JSON-RPC error without id',
    (_, response) => json(response, rpcError(null), 400),
    { error: { code: -32602, message: 'no' }, origin: { ...origin, httpStatus: 400 } },
  ],
  [
    '400 with a JSON-RPC error under an invented id',
    (_, response) => json(response, rpcError('server-error'), 400),
    { error: { code: -32602, message: 'no' }, origin: { ...origin, httpStatus: 400 } },
  ],
  [
    '400 with a JSON-RPC error as text',
    send(400, 'text/plain', JSON.stringify(rpcError(1))),
    { error: { code: -32602, message: 'no' }, origin: { ...origin, httpStatus: 400 } },
  ],
  [
    '404 for an unknown method',
    (_, response) => json(response, rpcError(1, -32601), 404),
    { error: { code: -32601, message: 'no' }, origin: { ...origin, httpStatus: 404 } },
  ],
  [
    '500 with a JSON-RPC error',
    (_, response) => json(response, rpcError(1, -32603), 500),
    { error: { code: -32603, message: 'no' }, origin: { ...origin, httpStatus: 500 } },
  ],
  [
    'a JSON-RPC error with 200',
    (_, response) => json(response, rpcError(1)),
    { error: { code: -32602, message: 'no' }, origin },
  ],
  [
    'a JSON-RPC error with 200, without id',
    (_, response) => json(response, rpcError(null)),
    { error: { code: -32602, message: 'no' }, origin },
  ],
  ['an empty JSON body', send(200, 'application/json'), { failed: 'malformedMessage' }],
  [
    'JSON cut off',
    send(200, 'application/json', '{"jsonrpc":"2.0","id":1,"res'),
    { failed: 'malformedMessage' },
  ],
  ['JSON that is no message', send(200, 'application/json', '"hello"'), { failed: 'malformedMessage' }],
  [
    'a message of another JSON-RPC',
    send(200, 'application/json', '{"id":1,"result":{}}'),
    { failed: 'malformedMessage' },
  ],
  [
    'JSON with a byte order mark',
    (request, response) =>
      send(
        200,
        'application/json; charset=utf-8',
        `\ufeff${JSON.stringify(result(request))}`,
      )(request, response),
    { result: {}, origin },
  ],
  [
    'JSON that is not UTF-8',
    send(200, 'application/json', Buffer.from('{"jsonrpc":"2.0","id":1,"result":{"a":"\xe9"}}', 'latin1')),
    { failed: 'malformedMessage' },
  ],
  [
    'the id of another request',
    (_, response) => json(response, { jsonrpc: '2.0', id: 2, result: {} }),
    { failed: 'protocolViolation' },
  ],
  [
    'a notification instead of a response',
    (_, response) => json(response, { jsonrpc: '2.0', method: 'x' }),
    { failed: 'protocolViolation' },
  ],
  [
    'a request instead of a response',
    (_, response) => json(response, { jsonrpc: '2.0', id: 1, method: 'ping' }),
    { failed: 'protocolViolation' },
  ],
  ['a batch', (request, response) => json(response, [result(request)]), { failed: 'protocolViolation' }],
  ['deep JSON in a body', send(200, 'application/json', nested(4_000)), { failed: 'malformedMessage' }],
  [
    'deep JSON in an event',
    send(200, 'text/event-stream', `data: ${nested(4_000)}\n\n`),
    { failed: 'malformedMessage' },
  ],
  [
    'a body that is too large',
    send(200, 'application/json', ' '.repeat(10_001)),
    { failed: 'messageTooLarge' },
  ],
  [
    'an event that is too large',
    send(200, 'text/event-stream', `data: ${' '.repeat(10_001)}\n\n`),
    { failed: 'streamEnded' },
  ],
  [
    'compressed, though we did not ask',
    (_, response) =>
      void response
        .writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
        .end('x'),
    { failed: 'httpStatus' },
  ],
  [
    'no reply: the connection is closed',
    (_, response) => void response.socket?.destroy(),
    { failed: 'network' },
  ],
  [
    'the connection breaks within a body',
    (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 });
      response.write('{', () => response.destroy());
    },
    { failed: 'network' },
  ],
];
for (const [name, script, outcome] of faults) {
  test(`fault: ${name}`, async (t) => {
    const server = await startServer(script);
    t.after(() => server.close());
    const probe = await openHttp({ url: server.url, limits });
    t.after(() => probe.transport.close());
    assert.deepEqual(await probe.ask(call), outcome);
    assert.equal(server.received.length, 1, 'a request is never sent twice');
    const ends = probe.told.filter(
      (told) => told.kind === 'requestFailed' || (told.kind === 'message' && !('method' in told.message)),
    );
    assert.equal(ends.length, 1, 'a request ends once');
  });
}

/** Replies without end are cut off at a bound, without waiting for the end. */
const endless: readonly [
  name: string,
  contentType: string,
  status: number,
  piece: string,
  outcome: object,
][] = [
  ['body', 'application/json', 200, ' '.repeat(1_000), { failed: 'messageTooLarge' }],
  ['line', 'text/event-stream', 200, 'x'.repeat(1_000), { failed: 'messageTooLarge' }],
  ['event', 'text/event-stream', 200, `data: ${'x'.repeat(1_000)}\n`, { failed: 'messageTooLarge' }],
  ['comment', 'text/event-stream', 200, ':'.repeat(1_000), { failed: 'messageTooLarge' }],
  ['refusal', 'text/html', 500, ' '.repeat(1_000), { failed: 'httpStatus' }],
  ['wrong content', 'video/mp4', 200, ' '.repeat(1_000), { failed: 'httpStatus' }],
];
for (const [name, contentType, status, piece, outcome] of endless) {
  test(`endless ${name}`, async (t) => {
    const server = await startServer((_, response) => {
      response.writeHead(status, { 'content-type': contentType });
      const more = (): void => {
        if (!response.destroyed) response.write(piece, () => setImmediate(more));
      };
      more();
    });
    t.after(() => server.close());
    const probe = await openHttp({ url: server.url, limits });
    t.after(() => probe.transport.close());
    assert.deepEqual(await probe.ask(call), outcome);
    await server.received[0]?.gone;
  });
}

const details: readonly [name: string, script: Script, expected: object][] = [
  [
    'a status',
    send(502, 'text/html; charset=utf-8', html),
    { status: 502, contentType: 'text/html; charset=utf-8', bodyStart: html },
  ],
  [
    'a long body',
    send(500, 'text/plain', 'é'.repeat(900)),
    { status: 500, contentType: 'text/plain', bodyStart: 'é'.repeat(500) },
  ],
  ['no body', send(405, undefined), { status: 405, contentType: null, bodyStart: '' }],
  [
    'a challenge',
    (_, response) =>
      void response
        .writeHead(401, { 'www-authenticate': 'Bearer resource_metadata="https://a.example/x"' })
        .end(),
    {
      status: 401,
      configuredAuthorization: false,
      wwwAuthenticate: 'Bearer resource_metadata="https://a.example/x"',
    },
  ],
  ['403 without a challenge', send(403, 'text/plain', 'no'), { status: 403, configuredAuthorization: false }],
  [
    'a redirect to elsewhere',
    (_, response) => void response.writeHead(308, { location: 'https://user:pw@other.example/secret' }).end(),
    { status: 308, contentType: null, bodyStart: '', redirectOrigin: 'https://other.example' },
  ],
];
for (const [name, script, expected] of details) {
  test(`the error tells of ${name}`, async (t) => {
    const server = await startServer(script);
    t.after(() => server.close());
    const probe = await openHttp({ url: server.url, limits });
    t.after(() => probe.transport.close());
    await probe.ask(call);
    const [told] = probe.told;
    assert.deepEqual(told?.kind === 'requestFailed' ? told.error.details : told, expected);
  });
}

/** A peer that speaks bytes, not HTTP. */
async function openRaw(t: TestContext, onConnection: (socket: Socket) => void): Promise<Probe> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    onConnection(socket);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', () => resolve()));
  t.after(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  const probe = await openHttp({
    url: `http://127.0.0.1:${port}/`,
    limits: { ...limits, acceptMs: 50, closeMs: 50 },
  });
  t.after(() => probe.transport.close());
  return probe;
}

const raws: readonly [name: string, bytes: string][] = [
  ['not HTTP', 'SSH-2.0-OpenSSH_9.7\r\n'],
  ['endless headers', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(200_000)}`],
  [
    'both kinds of length',
    'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  ],
  [
    'a chunk that lies',
    'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
  ],
];
for (const [name, bytes] of raws) {
  test(`fault: ${name}`, async (t) => {
    const probe = await openRaw(t, (socket) => socket.once('data', () => socket.write(bytes)));
    assert.deepEqual(await probe.ask(call), { failed: 'network' });
  });
}

test('a peer that accepts connections and says nothing holds nobody up', async (t) => {
  const probe = await openRaw(t, () => {});
  const abort = new AbortController();
  await probe.transport.send(call, { signal: abort.signal });
  await probe.transport.send(legacyRequest(2, 'ping'));
  // A message that only has to be accepted is given up by the transport itself.
  await probe.transport.send({ jsonrpc: '2.0', method: 'notifications/roots/list_changed' });
  await probe.when((told) => told.kind === 'dropped');
  abort.abort();
  await probe.transport.close();
  assert.deepEqual(probe.told.map(summary), [{ dropped: 'timeout' }, { closed: undefined }]);
});

test('early hints are not the reply', async (t) => {
  const probe = await openRaw(t, (socket) =>
    socket.once('data', () =>
      socket.write(
        'HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n' +
          'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 36\r\n\r\n' +
          '{"jsonrpc":"2.0","id":1,"result":{}}',
      ),
    ),
  );
  assert.deepEqual(await probe.ask(call), { result: {}, origin });
});

test('a server that is not there, and one that comes later', async (t) => {
  const first = await startServer(() => {});
  const { url, origin: address } = first;
  await first.close();
  const probe = await openHttp({ url });
  t.after(() => probe.transport.close());
  assert.deepEqual(await probe.ask(call), { failed: 'network' });
  const [told] = probe.told;
  const details_ = told?.kind === 'requestFailed' ? told.error.details : {};
  assert.deepEqual(details_, { sent: false, errorCode: 'ECONNREFUSED' });
  assert.ok(address.length > 0);
});

test('a server that drops every connection after its reply', async (t) => {
  const server = await startServer((request, response) => {
    response.setHeader('connection', 'close');
    json(response, result(request));
  });
  t.after(() => server.close());
  const probe = await openHttp({ url: server.url });
  t.after(() => probe.transport.close());
  for (let id = 1; id <= 5; id++) await probe.ask(modernRequest(id, 'tools/list'));
  assert.deepEqual(
    probe.told.map(({ kind }) => kind),
    ['message', 'message', 'message', 'message', 'message'],
  );
});

test('one broken request leaves the others alone', async (t) => {
  const server = await startServer((request, response) => {
    if (request.json?.['id'] === 1) response.socket?.destroy();
    else setTimeout(() => json(response, result(request)), 20);
  });
  t.after(() => server.close());
  const probe = await openHttp({ url: server.url });
  t.after(() => probe.transport.close());
  const outcomes = await Promise.all([1, 2, 3].map((id) => probe.ask(modernRequest(id, 'tools/list'))));
  assert.deepEqual(outcomes, [
    { failed: 'network' },
    { result: {}, origin: { requestId: 2 } },
    { result: {}, origin: { requestId: 3 } },
  ]);
});

test('ten thousand notifications in a burst, in order', async (t) => {
  const total = 10_000;
  const server = await startServer((request, response) => {
    const burst = Array.from({ length: total }, (_, at) =>
      event({ jsonrpc: '2.0', method: 'notifications/progress', params: { progress: at } }),
    );
    stream(response).end(burst.join('') + event(result(request)));
  });
  t.after(() => server.close());
  const probe = await openHttp({ url: server.url });
  t.after(() => probe.transport.close());
  await probe.ask(call);
  const seen = probe.told.flatMap((told) =>
    told.kind === 'message' && 'method' in told.message ? [told.message.params?.['progress']] : [],
  );
  assert.deepEqual(
    seen,
    Array.from({ length: total }, (_, at) => at),
  );
});

test('a batch in a legacy reply is taken apart', async (t) => {
  const server = await startServer((request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    if (request.json?.['method'] !== 'tools/list') return json(response, result(request));
    json(response, [{ jsonrpc: '2.0', method: 'notifications/message' }, 7, result(request)]);
  });
  t.after(() => server.close());
  const probe = await openHttp({ url: server.url });
  t.after(() => probe.transport.close());
  await handshake(probe, '2025-03-26');
  await probe.ask(legacyRequest(1, 'tools/list'));
  assert.deepEqual(probe.told.slice(1).map(summary), [
    { method: 'notifications/message', origin },
    { result: {}, origin },
    { dropped: 'malformedMessage' },
  ]);
});
