import assert from 'node:assert/strict';
import { HostError } from '../../../src/base/errors.ts';
import type { JsonObject } from '../../../src/base/json.ts';
import type { JsonRpcRequest, RequestId, Transport } from '../../../src/transport/transport.ts';
import { ending } from '../../helpers/errors.ts';
import { describe, it } from '../../helpers/nodeTest.ts';
import { messageProblems } from '../../helpers/officialSchema.ts';
import {
  connectPeer,
  type Handlers,
  legacyHandlers,
  modernHandlers,
  ownParams,
  peerWith,
  type Session,
} from '../../helpers/peerServer.ts';
import { settle } from '../../helpers/peerTransport.ts';

const capabilities = { tools: { listChanged: true } };
const listening: Handlers = {
  'server/discover': () => ({
    ...modernHandlers['server/discover']?.({} as never, {} as never),
    capabilities,
  }),
  'subscriptions/listen': () => undefined,
  'tools/list': () => ({ tools: [], ttlMs: 60_000, cacheScope: 'private' }),
};

interface Listening extends Session {
  readonly announced: () => number;
}

async function open(
  handlers: Handlers = listening,
  kind: Transport['kind'] = 'stdio',
  random = 0,
): Promise<Listening> {
  const session = await connectPeer(peerWith(handlers, kind), { random: () => random });
  let announced = 0;
  session.client.onToolsChanged(() => announced++);
  await settle();
  return { ...session, announced: () => announced };
}

const listens = ({ peer }: Session): readonly JsonRpcRequest[] =>
  peer.requests.filter(({ method }) => method === 'subscriptions/listen');
const lastId = (session: Session): RequestId => listens(session).at(-1)?.id ?? '';
const tagged = (id: RequestId): JsonObject => ({ _meta: { 'io.modelcontextprotocol/subscriptionId': id } });

async function acknowledge(
  session: Session,
  notifications: JsonObject = { toolsListChanged: true },
): Promise<void> {
  session.peer.notify('notifications/subscriptions/acknowledged', {
    ...tagged(lastId(session)),
    notifications,
  });
  await settle();
}

async function change(
  session: Session,
  params: JsonObject = tagged(lastId(session)),
  requestId?: RequestId,
): Promise<void> {
  session.peer.notify(
    'notifications/tools/list_changed',
    params,
    requestId === undefined ? {} : { requestId },
  );
  await settle();
}

describe('change notices of modern servers', () => {
  it('are asked for, taken by their subscription, and make the list new', async () => {
    const session = await open();
    assert.deepEqual(listens(session).map(ownParams), [{ notifications: { toolsListChanged: true } }]);
    assert.deepEqual(
      listens(session).flatMap((message) => messageProblems(message, 'modern')),
      [],
    );
    await acknowledge(session);
    await session.client.listTools();
    await change(session);
    session.clock.advance(100);
    assert.equal(session.announced(), 1);
    await session.client.listTools();
    assert.equal(session.peer.requests.filter(({ method }) => method === 'tools/list').length, 2);
  });

  it('are not asked for where the server has none', async () => {
    const session = await open(modernHandlers);
    assert.deepEqual(listens(session), []);
  });

  const strays: readonly (readonly [string, Transport['kind'], JsonObject, RequestId | undefined, number])[] =
    [
      ['another subscription', 'stdio', tagged(99), undefined, 0],
      ['no subscription', 'stdio', {}, undefined, 0],
      ['the same id as a text', 'stdio', tagged('2'), undefined, 0],
      ['no subscription, on the stream of another request', 'streamableHttp', {}, 99, 0],
      ['no subscription, on its own stream', 'streamableHttp', {}, 2, 1],
    ];
  for (const [name, kind, params, requestId, expected] of strays)
    it(`of ${name} (${kind}) count ${expected}`, async () => {
      const session = await open(listening, kind);
      assert.equal(lastId(session), 2);
      await acknowledge(session);
      await change(session, params, requestId);
      session.clock.advance(5_000);
      assert.equal(session.announced(), expected);
    });

  it('in a storm become few', async () => {
    const session = await open();
    await acknowledge(session);
    for (let notice = 0; notice < 10_000; notice++)
      session.peer.notify('notifications/tools/list_changed', tagged(lastId(session)));
    await settle();
    session.clock.advance(100);
    assert.equal(session.announced(), 1);
    for (let second = 0; second < 5; second++)
      for (let tick = 0; tick < 10; tick++) {
        await change(session);
        session.clock.advance(100);
      }
    // The last one is never lost.
    session.clock.advance(1_000);
    const total = session.announced();
    assert.ok(total >= 5 && total <= 7, String(total));
  });

  const ends: readonly (readonly [string, (session: Session) => void])[] = [
    [
      'gracefully',
      (session) => session.peer.answer(last(session), { resultType: 'complete', ...tagged(lastId(session)) }),
    ],
    ['abruptly', (session) => session.peer.fail(last(session), new HostError('streamEnded', 'gone'))],
    [
      'by cancellation',
      (session) => session.peer.notify('notifications/cancelled', { requestId: lastId(session) }),
    ],
    ['with an error', (session) => session.peer.refuse(last(session), -32603)],
  ];
  for (const [name, end] of ends)
    it(`are asked for again after the stream ended ${name}, and nothing is missed between`, async () => {
      const session = await open();
      await acknowledge(session);
      end(session);
      await settle();
      session.clock.advance(499);
      await settle();
      assert.equal(listens(session).length, 1);
      session.clock.advance(1);
      await settle();
      assert.equal(listens(session).length, 2);
      session.clock.advance(5_000);
      assert.equal(session.announced(), 0);
      await acknowledge(session);
      session.clock.advance(5_000);
      assert.equal(session.announced(), 1);
    });

  it('are asked for less and less often while that fails, with jitter, and soon again after it worked', async () => {
    const waits: number[] = [];
    const session = await open(listening, 'stdio', 0.5);
    for (let attempt = 0; attempt < 9; attempt++) {
      session.peer.fail(last(session), new HostError('network', 'no'));
      await settle();
      const before = listens(session).length;
      const start = session.clock.monotonic();
      while (listens(session).length === before) {
        session.clock.advance(250);
        await settle();
      }
      waits.push(session.clock.monotonic() - start);
    }
    assert.deepEqual(waits, [750, 1_500, 3_000, 6_000, 12_000, 24_000, 45_000, 45_000, 45_000]);
    await acknowledge(session);
    session.clock.advance(10_000);
    session.peer.fail(last(session), new HostError('streamEnded', 'gone'));
    await settle();
    const before = listens(session).length;
    session.clock.advance(750);
    await settle();
    assert.equal(listens(session).length, before + 1);
  });

  for (const code of [-32601, -32602])
    it(`are given up after error ${code}`, async () => {
      const session = await open();
      session.peer.refuse(last(session), code);
      await settle();
      session.clock.advance(600_000);
      await settle();
      assert.equal(listens(session).length, 1);
    });

  it('are taken from a stream that the server never acknowledged', async () => {
    const session = await open();
    await change(session);
    session.clock.advance(600_000);
    await settle();
    assert.deepEqual([listens(session).length, session.announced()], [1, 1]);
  });

  it('are not given up for a second acknowledgement, whatever it says', async () => {
    const session = await open();
    await acknowledge(session);
    await acknowledge(session, {});
    await change(session);
    session.clock.advance(100);
    assert.deepEqual([listens(session).length, session.announced()], [1, 1]);
  });

  it('are given up when the server agrees to something else', async () => {
    const session = await open();
    await acknowledge(session, { promptsListChanged: true });
    session.clock.advance(600_000);
    await settle();
    assert.equal(listens(session).length, 1);
    assert.ok(
      session.peer.sent.some(
        (message) => 'method' in message && message.method === 'notifications/cancelled',
      ),
    );
  });

  it('end with the client', async () => {
    const session = await open();
    await acknowledge(session);
    await session.client.close();
    session.clock.advance(600_000);
    await settle();
    assert.deepEqual([listens(session).length, session.clock.waiting], [1, 0]);
  });
});

describe('a list of tools', () => {
  const lists = ({ peer }: Session): number =>
    peer.requests.filter(({ method }) => method === 'tools/list').length;

  it('is asked for when changes of it are sure to be heard, and once', async () => {
    const session = await open();
    const list = ending(session.client.listTools().then(({ tools }) => tools));
    await settle();
    assert.equal(lists(session), 0);
    await acknowledge(session);
    assert.deepEqual([await list, lists(session)], [[], 1]);
    session.clock.advance(60_000);
    assert.equal(session.announced(), 0);
  });

  it('does not wait for ever, and is read again when changes are heard at last', async () => {
    const session = await open();
    const list = session.client.listTools();
    session.clock.advance(999);
    await settle();
    assert.equal(lists(session), 0);
    session.clock.advance(1);
    await list;
    // Nobody waits a second time.
    await session.client.listTools({ refresh: true });
    assert.deepEqual([lists(session), session.announced()], [2, 0]);
    await acknowledge(session);
    session.clock.advance(100);
    assert.equal(session.announced(), 1);
    await session.client.listTools();
    assert.equal(lists(session), 3);
  });

  const silent: readonly (readonly [string, (session: Session) => void])[] = [
    ['refused', (session) => session.peer.refuse(last(session), -32601)],
    ['broken', (session) => session.peer.fail(last(session), new HostError('network', 'no'))],
    ['ended', (session) => session.peer.answer(last(session), { resultType: 'complete' })],
    [
      'acknowledged for something else',
      (session) =>
        session.peer.notify('notifications/subscriptions/acknowledged', {
          ...tagged(lastId(session)),
          notifications: {},
        }),
    ],
  ];
  for (const [how, end] of silent)
    it(`waits no longer once the subscription is ${how}`, async () => {
      const session = await open();
      const list = session.client.listTools();
      await settle();
      end(session);
      await list;
      assert.equal(lists(session), 1);
    });

  it('read while nothing was heard counts as changed when the next stream is there', async () => {
    const session = await open();
    await acknowledge(session);
    await session.client.listTools();
    session.peer.fail(last(session), new HostError('streamEnded', 'gone'));
    await settle();
    await session.client.listTools({ refresh: true });
    session.clock.advance(500);
    await settle();
    await acknowledge(session);
    session.clock.advance(100);
    await session.client.listTools();
    assert.deepEqual([session.announced(), lists(session)], [1, 3]);
  });

  it('that waits can be given up, and ends with the client', async () => {
    const session = await open();
    const abort = new AbortController();
    const given = ending(session.client.listTools({ signal: abort.signal }));
    const late = ending(session.client.listTools());
    await settle();
    abort.abort();
    assert.deepEqual(await given, { host: 'cancelled' });
    await session.client.close();
    assert.deepEqual([await late, lists(session), session.clock.waiting], [{ host: 'closed' }, 0, 0]);
  });
});

describe('change notices of legacy servers', () => {
  it('are taken as they come', async () => {
    const session = await open(legacyHandlers);
    session.peer.notify('notifications/tools/list_changed');
    await settle();
    session.clock.advance(100);
    assert.equal(session.announced(), 1);
  });
});

function last(session: Session): JsonRpcRequest {
  const request = listens(session).at(-1);
  assert.ok(request !== undefined);
  return request;
}
