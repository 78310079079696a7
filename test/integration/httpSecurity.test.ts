import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { HostError } from '../../src/base/errors.ts';
import type { AuthorizationRequest } from '../../src/transport/httpExchange.ts';
import { createLegacySseTransport } from '../../src/transport/legacySse.ts';
import { createStreamableHttpTransport } from '../../src/transport/streamableHttp.ts';
import { json, result, startServer, stream, until } from '../helpers/httpServer.ts';
import { modernRequest, openHttp, summary } from '../helpers/httpTransport.ts';

const call = modernRequest(1, 'tools/call', { name: 'echo' });
const origin = { requestId: 1 };
const secret = 'Bearer s3cret-token-of-the-user';

test('configured headers cannot replace those of the protocol, and the log says so', async (t) => {
  const server = await startServer((request, response) => json(response, result(request)));
  t.after(() => server.close());
  const lines: string[] = [];
  const probe = await openHttp({
    url: server.url,
    headers: {
      accept: 'text/plain',
      'Mcp-Method': 'tools/list',
      Host: 'other.example',
      'User-Agent': 'mine/1',
      'X-Key': secret,
    },
    log: (line) => lines.push(line),
  });
  t.after(() => probe.transport.close());
  await probe.ask(call);
  const headers = server.received[0]?.headers;
  assert.deepEqual(
    [headers?.accept, headers?.['mcp-method'], headers?.host, headers?.['user-agent'], headers?.['x-key']],
    ['application/json, text/event-stream', 'tools/call', new URL(server.origin).host, 'mine/1', secret],
  );
  assert.deepEqual(
    lines.map((line) => line.split(' ')[3]),
    ['accept', 'Mcp-Method', 'Host'],
  );
  assert.ok(!lines.join('').includes(secret));
});

const addresses = [
  '',
  'mcp.example',
  'ftp://mcp.example/',
  'file:///x',
  'ws://x/',
  'https://user:pw@mcp.example/',
  'http://',
];
for (const url of addresses) {
  test(`not the address of a server: ${JSON.stringify(url)}`, () => {
    for (const create of [createStreamableHttpTransport, createLegacySseTransport]) {
      assert.throws(
        () => create({ url }),
        (error) =>
          error instanceof HostError &&
          error.code === 'invalidConfiguration' &&
          !error.message.includes('pw'),
      );
    }
  });
}

const redirects: readonly [status: number, target: string, path: string | undefined][] = [
  [307, '/moved', '/moved'],
  [308, '/moved', '/moved'],
  [301, '/moved', undefined],
  [302, '/moved', undefined],
  [303, '/moved', undefined],
  [307, 'other', undefined],
];
for (const [status, target, path] of redirects) {
  test(`${status} to ${target} with configured credentials`, async (t) => {
    const other = await startServer((request, response) => json(response, result(request)));
    t.after(() => other.close());
    const server = await startServer((request, response) => {
      if (request.path === '/moved') return json(response, result(request));
      response.writeHead(status, { location: target === 'other' ? other.url : target }).end('moved');
    });
    t.after(() => server.close());
    const probe = await openHttp({ url: server.url, headers: { Authorization: secret } });
    t.after(() => probe.transport.close());
    const outcome = await probe.ask(call);
    assert.equal(other.received.length, 0, 'nothing goes to another origin');
    if (path === undefined) {
      assert.deepEqual(outcome, { failed: 'httpStatus' });
      assert.equal(server.received.length, 1);
      return;
    }
    assert.deepEqual(outcome, { result: {}, origin });
    assert.deepEqual(
      server.received.map((request) => [
        request.method,
        request.path,
        request.json,
        request.headers.authorization,
      ]),
      [
        ['POST', '/mcp', call, secret],
        ['POST', path, call, secret],
      ],
    );
  });
}

test('redirects in a circle end', async (t) => {
  const server = await startServer((_, response) => void response.writeHead(307, { location: '/mcp' }).end());
  t.after(() => server.close());
  const probe = await openHttp({ url: server.url });
  t.after(() => probe.transport.close());
  assert.deepEqual(await probe.ask(call), { failed: 'httpStatus' });
  assert.equal(server.received.length, 4);
});

for (const [name, status, headers] of [
  ['in the body', 500, {}],
  ['in the challenge', 401, { 'www-authenticate': `Bearer error_description="unknown ${secret}"` }],
] as const) {
  test(`a configured value that the server quotes ${name} is in no error`, async (t) => {
    const server = await startServer((request, response) => {
      response
        .writeHead(status, headers)
        .end(`you sent ${String(request.headers.authorization)} to ${request.path}`);
    });
    t.after(() => server.close());
    const probe = await openHttp({
      url: `${server.url}?key=query-s3cret`,
      headers: { Authorization: secret },
    });
    t.after(() => probe.transport.close());
    await probe.ask(call);
    const [told] = probe.told;
    assert.ok(told?.kind === 'requestFailed');
    const text = inspect(told.error, { depth: 9 });
    assert.ok(text.includes('•••'), text);
    assert.ok(!text.includes('s3cret'), text);
  });
}

test('a value of the authorization hook that the server quotes is in no error', async (t) => {
  const server = await startServer((request, response) => {
    response.writeHead(500).end(`you sent ${String(request.headers.authorization)}`);
  });
  t.after(() => server.close());
  const probe = await openHttp({ url: server.url, authorize: () => secret });
  t.after(() => probe.transport.close());
  await probe.ask(call);
  const [told] = probe.told;
  assert.ok(told?.kind === 'requestFailed');
  assert.deepEqual(told.error.details['bodyStart'], 'you sent •••');
});

test('network errors do not hold configured values or the address', async () => {
  const server = await startServer(() => {});
  await server.close();
  const probe = await openHttp({ url: `${server.url}?key=query-secret`, headers: { Authorization: secret } });
  await probe.ask(call);
  const [told] = probe.told;
  assert.ok(told?.kind === 'requestFailed');
  assert.ok(!/s3cret|query-secret/.test(inspect(told.error, { depth: 9, showHidden: true })));
  await probe.transport.close();
});

test('a refused configured header is named as such, and nobody else is asked', async (t) => {
  const server = await startServer((_, response) => void response.writeHead(401).end());
  t.after(() => server.close());
  let asked = 0;
  const probe = await openHttp({
    url: server.url,
    headers: { authorization: secret },
    authorize: () => {
      asked++;
      return 'Bearer other';
    },
  });
  t.after(() => probe.transport.close());
  assert.deepEqual(await probe.ask(call), { failed: 'unauthorized' });
  const [told] = probe.told;
  assert.deepEqual(told?.kind === 'requestFailed' && told.error.details, {
    status: 401,
    configuredAuthorization: true,
  });
  assert.equal(asked, 0);
});

test('the authorization hook is asked for each request, and again after a refusal', async (t) => {
  const server = await startServer((request, response) => {
    if (request.headers.authorization === 'Bearer 2') return json(response, result(request));
    response.writeHead(401, { 'www-authenticate': 'Bearer scope="a"' }).end('no');
  });
  t.after(() => server.close());
  const asked: unknown[] = [];
  const probe = await openHttp({
    url: server.url,
    authorize: ({ url, method, challenge }: AuthorizationRequest) => {
      asked.push([url.href, method, challenge]);
      return Promise.resolve(challenge === undefined ? 'Bearer 1' : 'Bearer 2');
    },
  });
  t.after(() => probe.transport.close());
  assert.deepEqual(await probe.ask(call), { result: {}, origin });
  assert.deepEqual(asked, [
    [server.url, 'POST', undefined],
    [server.url, 'POST', { status: 401, wwwAuthenticate: 'Bearer scope="a"' }],
  ]);
  assert.deepEqual(
    server.received.map(({ headers }) => headers.authorization),
    ['Bearer 1', 'Bearer 2'],
  );
});

const hooks: readonly [
  name: string,
  authorize: () => string | undefined | Promise<string>,
  status: 401 | 403,
  requests: number,
][] = [
  ['has nothing new', () => 'Bearer same', 401, 1],
  ['has nothing at all', () => undefined, 401, 1],
  ['fails', () => Promise.reject(new Error('cancelled by the user')), 401, 0],
  ['has a new token each time', () => `Bearer ${Math.random()}`, 401, 4],
  ['is not asked about 403 without a challenge', () => `Bearer ${Math.random()}`, 403, 1],
];
for (const [name, authorize, status, requests] of hooks) {
  test(`the authorization hook ${name}`, async (t) => {
    const server = await startServer((_, response) => void response.writeHead(status).end());
    t.after(() => server.close());
    const probe = await openHttp({ url: server.url, authorize });
    t.after(() => probe.transport.close());
    assert.deepEqual(await probe.ask(call), { failed: 'unauthorized' });
    assert.equal(server.received.length, requests);
  });
}

test('cancelling while the authorization hook waits for a person', async (t) => {
  const server = await startServer((request, response) => json(response, result(request)));
  t.after(() => server.close());
  const abort = new AbortController();
  const cancelled = Promise.withResolvers<void>();
  const probe = await openHttp({
    url: server.url,
    authorize: ({ signal }) => {
      signal.addEventListener('abort', () => cancelled.resolve());
      return new Promise(() => {});
    },
  });
  t.after(() => probe.transport.close());
  await probe.transport.send(call, { signal: abort.signal });
  abort.abort();
  await cancelled.promise;
  assert.deepEqual([server.received.length, probe.told.map(summary)], [0, []]);
});

test('a name or header that cannot be carried is refused before anything is sent', async (t) => {
  const server = await startServer((request, response) => json(response, result(request)));
  t.after(() => server.close());
  const probe = await openHttp({ url: server.url });
  t.after(() => probe.transport.close());
  await assert.rejects(
    probe.transport.send(modernRequest(1, 'tools/call', { name: '\ud800' })),
    (error) => error instanceof HostError && error.code === 'invalidArguments',
  );
  await probe.transport.send(modernRequest(2, 'tools/list'), { headers: { 'X-Bad': 'a\r\nb' } });
  await probe.when(({ kind }) => kind === 'requestFailed');
  assert.deepEqual(probe.told.map(summary), [{ failed: 'invalidArguments' }]);
  assert.equal(server.received.length, 0);
});

test('after the end nothing is told and nothing is left open', async (t) => {
  const server = await startServer((_, response) => void stream(response));
  t.after(() => server.close());
  const probe = await openHttp({ url: server.url });
  for (let id = 1; id <= 10; id++)
    await probe.transport.send(modernRequest(id, 'tools/call', { name: 'slow' }));
  await until(() => server.received.length >= 10);
  await Promise.all([probe.transport.close(), probe.transport.close()]);
  await until(() => server.connections() === 0);
  assert.deepEqual(probe.told.map(summary), [{ closed: undefined }]);
  await assert.rejects(
    probe.transport.send(call),
    (error) => error instanceof HostError && error.code === 'closed',
  );
});
