import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { isRequest } from '../../src/protocol/jsonRpc.ts';
import { type Peer, startEverything, startLegacyPeer, startModernPeer } from '../helpers/httpPeers.ts';
import {
  handshake,
  legacyRequest,
  modernRequest,
  openHttp,
  openSse,
  type Probe,
  summary,
} from '../helpers/httpTransport.ts';

async function connect(
  t: TestContext,
  starting: Promise<Peer>,
  open: typeof openHttp = openHttp,
): Promise<Probe> {
  const peer = await starting;
  t.after(() => peer.close());
  const probe = await open({ url: peer.url, limits: { reconnectMs: 10, minReconnectMs: 5 } });
  t.after(() => probe.transport.close());
  return probe;
}

/** The text of a tool's answer. */
function textOf(outcome: unknown): unknown {
  const content: unknown = JSON.parse(JSON.stringify(outcome))?.result?.content;
  return Array.isArray(content) ? content[0]?.text : outcome;
}

for (const mode of ['json', 'sse', 'auto'] as const) {
  test(`the official modern server, replies as ${mode}`, async (t) => {
    const probe = await connect(t, startModernPeer(mode));
    const echo = { name: 'echo', arguments: { text: 'Grüße' } };
    assert.deepEqual(
      [
        textOf(await probe.ask(modernRequest(1, 'tools/call', echo))),
        textOf(
          await probe.ask(
            modernRequest(2, 'tools/call', { ...echo, arguments: { at: 'ü'.repeat(100_000) } }),
          ),
        ),
      ],
      ['{"text":"Grüße"}', `{"at":"${'ü'.repeat(100_000)}"}`],
    );
    assert.deepEqual(await probe.ask(modernRequest(3, 'no/such')), {
      error: { code: -32601, message: 'Method not found' },
      origin: { requestId: 3, httpStatus: 404 },
    });
    assert.deepEqual(
      probe.told.filter(({ kind }) => kind !== 'message'),
      [],
    );
  });
}

test('the official modern server checks our headers against the body', async (t) => {
  const probe = await connect(t, startModernPeer());
  // It compares Mcp-Name with the body before it looks for the tool: what it refuses, it would refuse with -32020.
  for (const [id, name] of ['naïve tool', ' padded ', '=?base64?eA==?=', 'a\tb', '世界'].entries()) {
    const outcome = await probe.ask(modernRequest(id + 1, 'tools/call', { name, arguments: {} }));
    assert.equal(textOf(outcome), '{}', name);
  }
});

test('progress of the official modern server comes before its response', async (t) => {
  const probe = await connect(t, startModernPeer());
  await probe.ask(modernRequest(1, 'tools/call', { name: 'progress' }));
  assert.deepEqual(
    probe.told.map((told) => told.kind === 'message' && 'method' in told.message && told.message.method),
    ['notifications/progress', false],
  );
});

for (const options of [{}, { json: true }, { resumable: true }]) {
  test(`the official legacy server with ${JSON.stringify(options)}`, async (t) => {
    const probe = await connect(t, startLegacyPeer(options));
    await handshake(probe);
    const echo = { name: 'echo', arguments: { a: 1 } };
    assert.equal(textOf(await probe.ask(legacyRequest(1, 'tools/call', echo))), '{"a":1}');
    assert.deepEqual(
      probe.told.filter(({ kind }) => kind !== 'message'),
      [],
    );
  });
}

test('the official legacy server asks within a call, and is answered', async (t) => {
  const probe = await connect(t, startLegacyPeer());
  const capabilities = { elicitation: {} };
  const opening = { protocolVersion: '2025-11-25', capabilities, clientInfo: { name: 'test', version: '1' } };
  await probe.ask(legacyRequest('init', 'initialize', opening));
  probe.transport.useProtocol('legacy', '2025-11-25');
  await probe.transport.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  const answer = probe.ask(legacyRequest(1, 'tools/call', { name: 'ask' }));
  const asked = await probe.when((told) => told.kind === 'message' && 'method' in told.message);
  assert.ok(asked.kind === 'message' && isRequest(asked.message));
  assert.deepEqual(summary(asked), { method: 'elicitation/create', origin: { requestId: 1 } });
  const { id } = asked.message;
  await probe.transport.send({ jsonrpc: '2.0', id, result: { action: 'decline' } }, { relatedRequestId: 1 });
  assert.equal(textOf(await answer), 'decline');
});

test('a call of the official legacy server outlives its connection', async (t) => {
  const probe = await connect(t, startLegacyPeer({ resumable: true }));
  await handshake(probe);
  const call = legacyRequest(1, 'tools/call', { name: 'interrupted', arguments: { a: 1 } });
  assert.equal(textOf(await probe.ask(call)), '{"a":1}');
});

test('a session ended by us is gone at the official server', async (t) => {
  const peer = await startLegacyPeer();
  t.after(() => peer.close());
  const probe = await openHttp({ url: peer.url });
  await handshake(probe);
  assert.equal(peer.sessions(), 1);
  await probe.transport.close();
  assert.equal(peer.sessions(), 0);
  assert.deepEqual(probe.told.slice(1).map(summary), [{ closed: undefined }]);
});

for (const mode of ['streamableHttp', 'sse'] as const) {
  test(`the reference server over ${mode}`, async (t) => {
    const probe = await connect(t, startEverything(mode), mode === 'sse' ? openSse : openHttp);
    await handshake(probe);
    await probe.ask(legacyRequest(1, 'tools/list'));
    assert.equal(
      textOf(await probe.ask(legacyRequest(2, 'tools/call', { name: 'echo', arguments: { message: 'hi' } }))),
      'Echo: hi',
    );
    assert.deepEqual(
      probe.told.filter(({ kind }) => kind !== 'message'),
      [],
    );
  });
}
