import assert from 'node:assert/strict';
import { HostError } from '../../../src/base/errors.ts';
import type { JsonObject } from '../../../src/base/json.ts';
import type { KnownEra, TransportSource } from '../../../src/client/clientOptions.ts';
import { connectClient } from '../../../src/client/connectClient.ts';
import type { JsonRpcRequest } from '../../../src/transport/transport.ts';
import { assertAllConform, checked } from '../../helpers/checkedTransport.ts';
import { ending } from '../../helpers/errors.ts';
import { ManualClock } from '../../helpers/manualClock.ts';
import { describe, it } from '../../helpers/nodeTest.ts';
import { type PeerScript, PeerTransport, settle } from '../../helpers/peerTransport.ts';

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
const status = (code: number): HostError =>
  new HostError('httpStatus', `HTTP status ${code}.`, { details: { status: code } });
const exited = new HostError('exited', 'The server ended with code 1.', { details: { exitCode: 1 } });

/** What a peer does with a request; `attempt` counts the requests of that method, from 1. */
type Answers = Readonly<
  Record<string, (request: JsonRpcRequest, peer: PeerTransport, attempt: number) => void>
>;

function script(answers: Answers): PeerScript {
  const attempts = new Map<string, number>();
  return (message, peer) => {
    if (!('method' in message) || !('id' in message)) return;
    const attempt = (attempts.get(message.method) ?? 0) + 1;
    attempts.set(message.method, attempt);
    const answer = answers[message.method];
    if (answer === undefined) peer.refuse(message, -32601);
    else answer(message, peer, attempt);
  };
}

const silent = (): void => undefined;
const modern: Answers = { 'server/discover': (request, peer) => peer.answer(request, discover) };
const legacy = (version: string): Answers => ({
  initialize: (request, peer) => peer.answer(request, greeting(version)),
});

interface Row {
  readonly name: string;
  readonly kind: 'stdio' | 'http';
  /** One script for each transport that is made, in order. HTTP+SSE transports take them too. */
  readonly peers: readonly Answers[];
  readonly known?: KnownEra;
  readonly expected: unknown;
  /** Methods sent, by transport. */
  readonly sent: readonly (readonly string[])[];
}

const ask = 'server/discover';
const greet = ['initialize', 'notifications/initialized'];

const rows: readonly Row[] = [
  { name: 'a modern server', kind: 'stdio', peers: [modern], expected: 'modern 2026-07-28', sent: [[ask]] },
  ...['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'].map((version): Row => ({
    name: `a legacy server of ${version}`,
    kind: 'stdio',
    peers: [legacy(version)],
    expected: `legacy ${version}`,
    sent: [[ask, ...greet]],
  })),
  {
    name: 'a server that refuses the version at first',
    kind: 'http',
    peers: [
      {
        [ask]: (request, peer, attempt) =>
          attempt === 1
            ? peer.refuse(request, -32022, { supported: ['2026-07-28'], requested: '2026-07-28' })
            : peer.answer(request, discover),
      },
    ],
    expected: 'modern 2026-07-28',
    sent: [[ask, ask]],
  },
  {
    name: 'a server that refuses every version for ever',
    kind: 'http',
    peers: [{ [ask]: (request, peer) => peer.refuse(request, -32022, { supported: ['2026-07-28'] }) }],
    expected: { host: 'unsupportedVersion' },
    sent: [[ask, ask]],
  },
  {
    name: 'a server of the future',
    kind: 'stdio',
    peers: [{ [ask]: (request, peer) => peer.refuse(request, -32022, { supported: ['2030-01-01'] }) }],
    expected: { host: 'unsupportedVersion' },
    sent: [[ask]],
  },
  {
    name: 'a legacy server that answers without an id',
    kind: 'stdio',
    peers: [
      {
        ...legacy('2025-06-18'),
        [ask]: (_request, peer) => peer.deliver({ jsonrpc: '2.0', error: { code: -32600, message: '' } }),
      },
    ],
    expected: 'legacy 2025-06-18',
    sent: [[ask, ...greet]],
  },
  {
    name: 'a legacy server that settles on an unknown version',
    kind: 'stdio',
    peers: [legacy('2023-01-01')],
    expected: { host: 'unsupportedVersion' },
    sent: [[ask, 'initialize']],
  },
  {
    name: 'a legacy server that settles on a modern version',
    kind: 'stdio',
    peers: [legacy('2026-07-28')],
    expected: { host: 'unsupportedVersion' },
    sent: [[ask, 'initialize']],
  },
  {
    name: 'a legacy server that refuses the greeting',
    kind: 'stdio',
    peers: [{ initialize: (request, peer) => peer.refuse(request, -32603) }],
    expected: { rpc: -32603 },
    sent: [[ask, 'initialize', ask]],
  },
  {
    name: 'a server that the probe ends',
    kind: 'stdio',
    peers: [{ [ask]: (_request, peer) => peer.end(exited) }, legacy('2024-11-05')],
    expected: 'legacy 2024-11-05',
    sent: [[ask], greet],
  },
  {
    name: 'a server that refuses the probe and then ends',
    kind: 'stdio',
    peers: [
      {
        [ask]: (request, peer) => {
          peer.refuse(request, -32601);
          setImmediate(() => peer.end(exited));
        },
        initialize: () => undefined,
      },
      legacy('2025-06-18'),
    ],
    expected: 'legacy 2025-06-18',
    sent: [[ask, 'initialize'], greet],
  },
  {
    name: 'a modern server that ends once by chance',
    kind: 'stdio',
    peers: [{ [ask]: (_request, peer) => peer.end(exited) }, modern],
    expected: 'modern 2026-07-28',
    sent: [[ask], ['initialize', ask]],
  },
  {
    name: 'a server that always ends',
    kind: 'stdio',
    peers: [
      { [ask]: (_request, peer) => peer.end(exited) },
      { initialize: (_request, peer) => peer.end(exited) },
    ],
    expected: { host: 'exited' },
    sent: [[ask], ['initialize']],
  },
  {
    name: 'a known legacy server is not probed',
    kind: 'stdio',
    peers: [legacy('2025-11-25')],
    known: { era: 'legacy', transport: 'stdio' },
    expected: 'legacy 2025-11-25',
    sent: [greet],
  },
  {
    name: 'a known legacy server that has become modern',
    kind: 'stdio',
    peers: [modern],
    known: { era: 'legacy', transport: 'stdio' },
    expected: 'modern 2026-07-28',
    sent: [['initialize', ask]],
  },
  {
    name: 'a known HTTP+SSE server that has become modern',
    kind: 'http',
    peers: [{ initialize: (request, peer) => peer.fail(request, status(405)) }, modern],
    known: { era: 'legacy', transport: 'legacySse' },
    expected: 'modern 2026-07-28',
    sent: [['initialize'], [ask]],
  },
  {
    name: 'a known modern server is asked what it can do',
    kind: 'stdio',
    peers: [modern],
    known: { era: 'modern', transport: 'stdio' },
    expected: 'modern 2026-07-28',
    sent: [[ask]],
  },
  {
    name: 'a modern server without a description',
    kind: 'http',
    peers: [{ [ask]: (request, peer) => peer.refuse(request, -32601, undefined, { httpStatus: 404 }) }],
    expected: 'modern 2026-07-28',
    sent: [[ask]],
  },
  ...[400, 404, 405].map((code): Row => ({
    name: `a legacy HTTP server that answers ${code}`,
    kind: 'http',
    peers: [{ ...legacy('2025-03-26'), [ask]: (request, peer) => peer.fail(request, status(code)) }],
    expected: 'legacy 2025-03-26',
    sent: [[ask, ...greet]],
  })),
  ...[400, 404, 405].map((code): Row => ({
    name: `an HTTP+SSE server that answers ${code}`,
    kind: 'http',
    peers: [
      {
        [ask]: (request, peer) => peer.fail(request, status(code)),
        initialize: (request, peer) => peer.fail(request, status(code)),
      },
      legacy('2024-11-05'),
    ],
    expected: 'legacy 2024-11-05',
    sent: [[ask, 'initialize'], greet],
  })),
  {
    name: 'a known HTTP+SSE server is reached directly',
    kind: 'http',
    peers: [legacy('2024-11-05')],
    known: { era: 'legacy', transport: 'legacySse' },
    expected: 'legacy 2024-11-05',
    sent: [greet],
  },
  {
    name: 'an HTTP server that wants a token',
    kind: 'http',
    peers: [{ [ask]: (request, peer) => peer.fail(request, new HostError('unauthorized', '401')) }],
    expected: { host: 'unauthorized' },
    sent: [[ask]],
  },
  {
    name: 'an HTTP server that is broken',
    kind: 'http',
    peers: [{ [ask]: (request, peer) => peer.fail(request, status(500)) }],
    expected: { host: 'httpStatus' },
    sent: [[ask]],
  },
];

describe('connectClient', () => {
  for (const row of rows)
    it(row.name, async () => {
      const made: PeerTransport[] = [];
      const create = (kind: PeerTransport['kind']) => (): PeerTransport => {
        const peer = new PeerTransport(script(row.peers[made.length] ?? {}), kind);
        made.push(peer);
        return peer;
      };
      const { source, sent } = checked(
        row.kind === 'stdio'
          ? { kind: 'stdio', create: create('stdio') }
          : {
              kind: 'http',
              createStreamableHttp: create('streamableHttp'),
              createLegacySse: create('legacySse'),
            },
      );
      const outcome = await ending(
        connect(source, new ManualClock(), row.known).then(
          (client) => `${client.era} ${client.protocolVersion}`,
        ),
      );
      await settle();
      assert.deepEqual(
        [
          outcome,
          made.map((peer) => peer.sent.map((message) => ('method' in message ? message.method : 'answer'))),
        ],
        [row.expected, row.sent],
      );
      assertAllConform(sent);
    });

  it('takes silence for an old server, and gives a slow one time for the greeting', async () => {
    const clock = new ManualClock();
    const peer = new PeerTransport(script({ [ask]: silent, initialize: silent }));
    const client = connect({ kind: 'stdio', create: () => peer }, clock);
    await settle();
    clock.advance(3_000);
    await settle();
    assert.deepEqual(
      peer.requests.map((request) => request.method),
      [ask, 'initialize'],
    );
    clock.advance(59_000);
    await settle();
    const [, initialize] = peer.requests;
    assert.ok(initialize !== undefined);
    peer.answer(initialize, greeting('2025-11-25'));
    assert.equal((await client).era, 'legacy');
  });

  it('remembers for the next start that a slow server was modern after all', async () => {
    const clock = new ManualClock();
    const peer = new PeerTransport(script({ ...legacy('2025-11-25'), [ask]: silent }));
    const connecting = connect({ kind: 'stdio', create: () => peer }, clock);
    await settle();
    clock.advance(3_000);
    const client = await connecting;
    assert.deepEqual(client.knownEra, { era: 'legacy', transport: 'stdio' });
    const [late] = peer.requests;
    assert.ok(late !== undefined);
    peer.answer(late, discover);
    await settle();
    assert.deepEqual([client.era, client.knownEra], ['legacy', { era: 'modern', transport: 'stdio' }]);
  });

  it('finds a slow modern server by its refusal of the greeting', async () => {
    const clock = new ManualClock();
    const peer = new PeerTransport(
      script({
        [ask]: (request, side, attempt) => (attempt === 1 ? undefined : side.answer(request, discover)),
      }),
    );
    const client = connect({ kind: 'stdio', create: () => peer }, clock);
    await settle();
    clock.advance(3_000);
    assert.equal((await client).era, 'modern');
  });

  it('gives an HTTP server more time, and finds a slow modern one by its refusal of the greeting', async () => {
    const clock = new ManualClock();
    const peer = new PeerTransport(
      script({
        [ask]: (request, side, attempt) => (attempt === 1 ? undefined : side.answer(request, discover)),
      }),
      'streamableHttp',
    );
    const source: TransportSource = {
      kind: 'http',
      createStreamableHttp: () => peer,
      createLegacySse: () => assert.fail('not needed'),
    };
    const client = connect(source, clock);
    await settle();
    clock.advance(9_999);
    await settle();
    assert.equal(peer.requests.length, 1);
    clock.advance(1);
    assert.equal((await client).era, 'modern');
  });

  it('says what was tried when no kind of HTTP server answers, and leaves nothing open', async () => {
    const refuse: Answers = {
      [ask]: (request, peer) => peer.fail(request, status(404)),
      initialize: (request, peer) => peer.fail(request, status(404)),
    };
    const failing = new PeerTransport(silent, 'legacySse');
    failing.start = () => Promise.reject(new HostError('httpStatus', 'HTTP status 405.'));
    const first = new PeerTransport(script(refuse), 'streamableHttp');
    const source: TransportSource = {
      kind: 'http',
      createStreamableHttp: () => first,
      createLegacySse: () => failing,
    };
    await assert.rejects(connect(source, new ManualClock()), (error) => {
      assert.ok(error instanceof HostError);
      assert.match(error.message, /404.*HTTP\+SSE.*405/s);
      return true;
    });
    await assert.rejects(first.send({ jsonrpc: '2.0', method: 'm' }), { code: 'closed' });
  });

  it('can be cancelled at every step, and ends what it started', async () => {
    for (const answers of [{ [ask]: silent }, { initialize: silent }]) {
      const peer = new PeerTransport(script(answers));
      const abort = new AbortController();
      const client = connect(
        { kind: 'stdio', create: () => peer },
        new ManualClock(),
        undefined,
        abort.signal,
      );
      await settle();
      abort.abort();
      await assert.rejects(client, { code: 'cancelled' });
      await assert.rejects(peer.send({ jsonrpc: '2.0', method: 'm' }), { code: 'closed' });
    }
  });
});

function connect(
  transports: TransportSource,
  clock: ManualClock,
  knownEra?: KnownEra,
  signal: AbortSignal = new AbortController().signal,
): ReturnType<typeof connectClient> {
  return connectClient(
    {
      transports,
      clock,
      clientInfo: { name: 'test', version: '1' },
      capabilities: { elicitation: { form: {} }, roots: { listChanged: true } },
      inputHandler: () => Promise.resolve({ kind: 'elicitation', action: 'cancel' }),
      ...(knownEra === undefined ? undefined : { knownEra }),
    },
    signal,
  );
}
