import assert from 'node:assert/strict';
import { HostError } from '../../../src/base/errors.ts';
import { type RequestOptions, RpcConnection } from '../../../src/client/rpcConnection.ts';
import type { Progress } from '../../../src/protocol/model.ts';
import type { WireCodec } from '../../../src/protocol/wire/codec.ts';
import { LegacyCodec } from '../../../src/protocol/wire/legacy.ts';
import { ModernCodec } from '../../../src/protocol/wire/modern.ts';
import type { Transport } from '../../../src/transport/transport.ts';
import { ending } from '../../helpers/errors.ts';
import { ManualClock } from '../../helpers/manualClock.ts';
import { describe, it } from '../../helpers/nodeTest.ts';
import { PeerTransport, settle } from '../../helpers/peerTransport.ts';

interface Setup {
  readonly connection: RpcConnection;
  readonly peer: PeerTransport;
  readonly clock: ManualClock;
  readonly problems: string[];
  readonly seen: string[];
}

const modern = new ModernCodec({
  version: '2026-07-28',
  clientInfo: { name: 't', version: '1' },
  capabilities: {},
});
const legacy = new LegacyCodec('2025-11-25');
const limits: RequestOptions = { timeoutMs: 1_000, maxTimeoutMs: 5_000 };

async function setUp(kind: Transport['kind'] = 'stdio', codec: WireCodec = modern): Promise<Setup> {
  const clock = new ManualClock();
  const problems: string[] = [];
  const seen: string[] = [];
  const peer = new PeerTransport(() => undefined, kind);
  const connection = new RpcConnection(peer, codec, clock, {
    notification: (message) => seen.push(message.method),
    request: (message) => seen.push(`request ${message.method}`),
    late: (name, answer) => seen.push(`late ${name} ${'result' in answer}`),
    problem: (error) => problems.push(error.code),
    closed: (error) => seen.push(`closed ${error?.code ?? ''}`),
  });
  await peer.start(connection);
  return { connection, peer, clock, problems, seen };
}

const sentMethods = (peer: PeerTransport): unknown[] =>
  peer.sent.map((message) => ('method' in message ? message.method : message));

describe('RpcConnection', () => {
  it('answers each request once, whatever the order and however often', async () => {
    const { connection, peer, problems } = await setUp();
    const answers = ['a', 'b'].map((name) => connection.request(name, {}, limits));
    await settle();
    const [first, second] = peer.requests;
    assert.ok(first !== undefined && second !== undefined);
    peer.answer(second, { of: 'b' });
    peer.answer(first, { of: 'a' });
    peer.answer(first, { of: 'again' });
    peer.deliver({ jsonrpc: '2.0', id: 99, result: {} });
    peer.deliver({ jsonrpc: '2.0', id: String(first.id), result: {} });
    assert.deepEqual(await Promise.all(answers), [{ of: 'a' }, { of: 'b' }]);
    await settle();
    assert.deepEqual(problems, ['protocolViolation', 'protocolViolation', 'protocolViolation']);
  });

  const ways: readonly (readonly [
    Transport['kind'],
    WireCodec,
    told: readonly string[],
    stopped: boolean,
  ])[] = [
    ['stdio', modern, ['a', 'notifications/cancelled'], false],
    ['stdio', legacy, ['a', 'notifications/cancelled'], false],
    ['streamableHttp', modern, ['a'], true],
    ['streamableHttp', legacy, ['a', 'notifications/cancelled'], true],
    ['legacySse', legacy, ['a', 'notifications/cancelled'], true],
  ];
  for (const [kind, codec, told, stopped] of ways)
    it(`cancels in the way of ${kind}, ${codec.era}, and ignores what comes later`, async () => {
      const { connection, peer, problems } = await setUp(kind, codec);
      const abort = new AbortController();
      const answer = ending(connection.request('a', {}, { ...limits, signal: abort.signal }));
      await settle();
      abort.abort();
      assert.deepEqual(await answer, { host: 'cancelled' });
      assert.deepEqual(sentMethods(peer), told);
      assert.equal(peer.sentOptions[0]?.signal?.aborted ?? false, stopped);
      const [request] = peer.requests;
      assert.ok(request !== undefined);
      peer.answer(request, {});
      peer.notify('notifications/progress', { progressToken: request.id, progress: 1 });
      await settle();
      assert.deepEqual(problems, ['protocolViolation']);
    });

  it('names the request that is cancelled', async () => {
    const { connection, peer, clock } = await setUp();
    const answer = ending(connection.request('a', {}, limits));
    await settle();
    clock.advance(1_000);
    assert.deepEqual(await answer, { host: 'timeout' });
    const last = peer.sent.at(-1);
    assert.ok(last !== undefined && 'method' in last && last.params !== undefined);
    assert.equal(last.params['requestId'], peer.requests[0]?.id);
  });

  it('never cancels a handshake by message', async () => {
    const { connection, peer, clock, seen, problems } = await setUp('stdio', legacy);
    const answer = ending(connection.request('initialize', {}, { ...limits, handshake: true }));
    await settle();
    clock.advance(1_000);
    assert.deepEqual([await answer, sentMethods(peer)], [{ host: 'timeout' }, ['initialize']]);
    const [request] = peer.requests;
    assert.ok(request !== undefined);
    peer.answer(request, {});
    await settle();
    assert.deepEqual([seen, problems], [['late initialize true'], []]);
  });

  it('sends nothing for a signal that has fired before', async () => {
    const { connection, peer } = await setUp();
    assert.deepEqual(await ending(connection.request('a', {}, { ...limits, signal: AbortSignal.abort() })), {
      host: 'cancelled',
    });
    assert.deepEqual(peer.sent, []);
  });

  it('keeps a request alive by progress that grows, up to the maximum', async () => {
    const { connection, peer, clock } = await setUp();
    const seen: Progress[] = [];
    const answer = ending(
      connection.request('a', {}, { ...limits, onProgress: (progress) => seen.push(progress) }),
    );
    await settle();
    const token = peer.requests[0]?.id ?? '';
    for (let step = 1; step <= 6; step++) {
      clock.advance(900);
      peer.notify('notifications/progress', {
        progressToken: token,
        progress: step,
        total: 10,
        message: 'm',
      });
      await settle();
    }
    assert.deepEqual(await answer, { host: 'timeout' });
    assert.deepEqual(
      seen.map((progress) => progress.progress),
      [1, 2, 3, 4, 5],
    );
    assert.deepEqual(seen[0], { progress: 1, total: 10, message: 'm' });
  });

  const dead: readonly (readonly [string, (token: string | number) => unknown])[] = [
    ['progress that stands still', (token) => ({ progressToken: token, progress: 1 })],
    ['progress of another request', () => ({ progressToken: 99, progress: 50 })],
    ['a token of another type', (token) => ({ progressToken: String(token), progress: 50 })],
    ['progress that is no number', (token) => ({ progressToken: token, progress: '50' })],
    ['progress without parameters', () => undefined],
  ];
  for (const [name, params] of dead)
    it(`is not kept alive by ${name}`, async () => {
      const { connection, peer, clock } = await setUp();
      const answer = ending(connection.request('a', {}, limits));
      await settle();
      const token = peer.requests[0]?.id ?? '';
      peer.notify('notifications/progress', { progressToken: token, progress: 1 });
      await settle();
      clock.advance(600);
      const given = params(token);
      peer.notify(
        'notifications/progress',
        given === undefined ? undefined : JSON.parse(JSON.stringify(given)),
      );
      await settle();
      clock.advance(400);
      assert.deepEqual(await answer, { host: 'timeout' });
    });

  it('does not count time in which a person is asked', async () => {
    const { connection, peer, clock } = await setUp();
    const answer = connection.request('a', {}, limits);
    await settle();
    const resume = connection.pause(undefined);
    const again = connection.pause(undefined);
    clock.advance(60_000);
    resume();
    clock.advance(60_000);
    again();
    clock.advance(999);
    const [request] = peer.requests;
    assert.ok(request !== undefined);
    peer.answer(request, { ok: 1 });
    assert.deepEqual(await answer, { ok: 1 });
  });

  it('starts the clock again after the pause', async () => {
    const { connection, clock } = await setUp();
    const answer = ending(connection.request('a', {}, limits));
    await settle();
    const resume = connection.pause(undefined);
    clock.advance(60_000);
    resume();
    clock.advance(1_000);
    assert.deepEqual(await answer, { host: 'timeout' });
  });

  it('waits without limit where none is set', async () => {
    const { connection, peer, clock } = await setUp();
    const answer = connection.request('a', {}, { timeoutMs: Infinity, maxTimeoutMs: Infinity });
    await settle();
    clock.advance(10 ** 9);
    const [request] = peer.requests;
    assert.ok(request !== undefined);
    peer.answer(request, {});
    assert.deepEqual(await answer, {});
  });

  it('takes an answer only from the stream of its request', async () => {
    const { connection, peer, problems } = await setUp('streamableHttp');
    const [one, other] = ['a', 'b'].map((name) => ending(connection.request(name, {}, limits)));
    await settle();
    const [first, second] = peer.requests;
    assert.ok(first !== undefined && second !== undefined);
    peer.answer(second, { stolen: true }, { requestId: first.id });
    peer.deliver(
      { jsonrpc: '2.0', error: { code: -32600, message: '' } },
      { requestId: first.id, httpStatus: 400 },
    );
    peer.answer(second, { own: true }, { requestId: second.id });
    assert.deepEqual(await Promise.all([one, other]), [{ rpc: -32600 }, { own: true }]);
    assert.deepEqual(problems, ['protocolViolation']);
  });

  it('ends everything with the connection, and sends nothing after it', async () => {
    const { connection, peer, clock, seen } = await setUp();
    const answers = ['a', 'b'].map((name) => ending(connection.request(name, {}, limits)));
    await settle();
    peer.end(new HostError('exited', 'gone'));
    assert.deepEqual(await Promise.all(answers), [{ host: 'exited' }, { host: 'exited' }]);
    assert.deepEqual(await ending(connection.request('c', {}, limits)), { host: 'exited' });
    assert.deepEqual([seen, clock.waiting, peer.sent.length], [['closed exited'], 0, 2]);
  });

  it('passes on what is not about a request', async () => {
    const { peer, seen, problems, connection } = await setUp();
    peer.notify('notifications/message', {});
    peer.deliver({ jsonrpc: '2.0', id: 1, method: 'ping' });
    connection.requestFailed(5, new HostError('streamEnded', ''));
    connection.dropped(new HostError('malformedMessage', ''));
    await settle();
    assert.deepEqual(
      [seen, problems],
      [
        ['notifications/message', 'request ping'],
        ['streamEnded', 'malformedMessage'],
      ],
    );
  });

  it('uses one timer for any number of requests', async () => {
    const { connection, peer, clock } = await setUp();
    const answers = Array.from({ length: 500 }, () => connection.request('a', {}, limits));
    await settle();
    assert.equal(clock.waiting, 1);
    for (const request of peer.requests) peer.answer(request, {});
    await Promise.all(answers);
  });
});
