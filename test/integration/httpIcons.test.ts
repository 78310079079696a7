import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test, type TestContext } from 'node:test';
import { Agent } from 'undici';
import { IconLoader } from '../../src/client/iconLoader.ts';
import type { Icon } from '../../src/protocol/model.ts';
import { type Script, type ScriptedServer, startServer } from '../helpers/httpServer.ts';
import { jpeg, png } from '../helpers/pictures.ts';

const serverUrl = 'https://mcp.example/mcp';
const picture = png(32, 32);
const icon: Icon = { src: 'https://mcp.example/icon.png', mimeType: 'image/png' };

/** A loader whose HTTPS connections end, without TLS, at a server here: only the carrying is replaced. */
async function open(
  t: TestContext,
  script: Script,
  timeoutMs: number = 5_000,
): Promise<{ server: ScriptedServer; loader: IconLoader; hosts: string[] }> {
  const server = await startServer(script);
  t.after(() => server.close());
  const hosts: string[] = [];
  const dispatcher = new Agent({
    connect: ({ hostname }, callback) => {
      hosts.push(hostname);
      const socket = connect(Number(new URL(server.origin).port), '127.0.0.1');
      socket.once('connect', () => callback(null, socket));
    },
  });
  t.after(() => dispatcher.destroy());
  const loader = new IconLoader({ serverUrl, dispatcher, maxBytes: 1_000, timeoutMs });
  t.after(() => loader.close());
  return { server, loader, hosts };
}

const reply =
  (bytes: Buffer, type: string = 'image/png'): Script =>
  (_, response) =>
    void response.writeHead(200, { 'content-type': type }).end(bytes);

test('an icon is fetched from the server, once and without credentials', async (t) => {
  const { server, loader } = await open(t, reply(picture));
  const loaded = await Promise.all([loader.load([icon]), loader.load([icon])]);
  const image = { mimeType: 'image/png', width: 32, height: 32, bytes: picture };
  assert.deepEqual(loaded, [
    { kind: 'image', image },
    { kind: 'image', image },
  ]);
  assert.deepEqual(
    server.received.map(({ method, path, headers }) => [method, path, headers]),
    [
      [
        'GET',
        '/icon.png',
        {
          host: 'mcp.example',
          connection: 'keep-alive',
          accept: 'image/png, image/jpeg, image/webp',
          'accept-encoding': 'identity',
          'user-agent': 'countersign',
        },
      ],
    ],
  );
});

const failures: readonly [name: string, script: Script, reason: RegExp][] = [
  ['404', (_, response) => void response.writeHead(404).end(), /404/],
  ['401', (_, response) => void response.writeHead(401).end(), /401/],
  ['another type than declared', reply(jpeg(8, 8), 'image/png'), /declared as image\/png/],
  ['SVG', reply(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/svg+xml'), /not a PNG/],
  ['too large', reply(Buffer.concat([picture, Buffer.alloc(1_000)])), /too large/],
  [
    'a redirect to another host',
    (_, response) => void response.writeHead(302, { location: 'https://other.example/icon.png' }).end(),
    /302/,
  ],
  [
    'a redirect to another scheme',
    (_, response) => void response.writeHead(302, { location: 'http://mcp.example/icon.png' }).end(),
    /302/,
  ],
  ['silence', () => {}, /in time/],
  [
    'a slow drip',
    (_, response) => {
      response.writeHead(200, { 'content-type': 'image/png' });
      const timer = setInterval(() => response.write('x'), 10);
      response.once('close', () => clearInterval(timer));
    },
    /in time/,
  ],
];
for (const [name, script, reason] of failures) {
  test(`the default icon is shown: ${name}`, async (t) => {
    const { loader, hosts, server } = await open(t, script, reason.source === 'in time' ? 100 : 5_000);
    const loaded = await loader.load([icon]);
    assert.equal(loaded.kind, 'none');
    assert.match(loaded.kind === 'none' ? loaded.reasons.join() : '', reason);
    assert.deepEqual(new Set(hosts), new Set(['mcp.example']));
    if (reason.source === 'in time') await server.received[0]?.gone;
  });
}

test('a redirect within the origin is followed', async (t) => {
  const { loader } = await open(t, (request, response) => {
    if (request.path === '/2') response.writeHead(200, { 'content-type': 'image/png' }).end(picture);
    else response.writeHead(302, { location: '/2' }).end();
  });
  assert.equal((await loader.load([icon])).kind, 'image');
});

test('when the best icon fails the next is tried', async (t) => {
  const { server, loader } = await open(t, (_, response) => void response.writeHead(404).end());
  const data = { src: `data:image/png;base64,${picture.toString('base64')}` };
  const loaded = await loader.load(
    [{ src: 'https://other.example/x.png', theme: 'dark' }, { ...icon, theme: 'dark' }, data],
    'dark',
  );
  assert.equal(loaded.kind, 'image');
  assert.equal(server.received.length, 1);
});

for (const [what, failure] of Object.entries({ 'was missing': 404, 'was no picture': 200 })) {
  test(`an icon that ${what} is fetched again once failures are forgotten`, async (t) => {
    let status = failure;
    const { server, loader } = await open(t, (_, response) => {
      const isThere = status === 0;
      response.writeHead(isThere ? 200 : status, { 'content-type': 'image/png' });
      response.end(isThere ? picture : Buffer.from('no picture'));
    });
    assert.equal((await loader.load([icon])).kind, 'none');
    status = 0;
    assert.equal((await loader.load([icon])).kind, 'none');
    assert.equal(server.received.length, 1);
    loader.forgetFailures();
    assert.equal((await loader.load([icon])).kind, 'image');
    loader.forgetFailures();
    assert.equal((await loader.load([icon])).kind, 'image');
    assert.equal(server.received.length, 2);
  });
}

test('a server without an origin has only icons that need no fetching', async () => {
  const loader = new IconLoader({});
  assert.deepEqual(await loader.load([icon]), { kind: 'none', reasons: ['not on the origin of the server'] });
  assert.deepEqual(await loader.load([]), { kind: 'none', reasons: [] });
  await loader.close();
});

test('many icons are fetched a few at a time', async (t) => {
  let [now, most] = [0, 0];
  const { loader } = await open(t, (_, response) => {
    most = Math.max(most, ++now);
    setTimeout(() => {
      now--;
      response.writeHead(200, { 'content-type': 'image/png' }).end(picture);
    }, 5);
  });
  const loaded = await Promise.all(
    Array.from({ length: 40 }, (_, at) => loader.load([{ src: `https://mcp.example/${at}.png` }])),
  );
  assert.deepEqual(new Set(loaded.map(({ kind }) => kind)), new Set(['image']));
  assert.equal(most, 4);
});
