import assert from 'node:assert/strict';
import { HostError } from '../../../src/base/errors.ts';
import type { JsonObject } from '../../../src/base/json.ts';
import type { JsonRpcRequest } from '../../../src/transport/transport.ts';
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

const done: JsonObject = { resultType: 'complete', content: [] };
const of = ({ peer }: Session, method: string): readonly JsonRpcRequest[] =>
  peer.requests.filter((request) => request.method === method);
const metaOf = (request: JsonRpcRequest | undefined): unknown => request?.params?.['_meta'];

const identity = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

describe('a client', () => {
  it('knows what the server says about itself', async () => {
    const { client } = await connectPeer(peerWith(modernHandlers));
    const { era, protocolVersion, serverInfo, capabilities, instructions, knownEra } = client;
    assert.deepEqual(
      { era, protocolVersion, serverInfo, capabilities, instructions, knownEra },
      {
        era: 'modern',
        protocolVersion: '2026-07-28',
        serverInfo: { name: 'peer', version: '1' },
        capabilities: { tools: {} },
        instructions: undefined,
        knownEra: { era: 'modern', transport: 'stdio' },
      },
    );
  });

  it('says in the log why a server without the capability has no tools', async () => {
    for (const [capabilities, expected] of [
      [{}, ['info: The server does not say that it has tools, so none are listed.']],
      [{ tools: {} }, []],
    ] as const) {
      const { log } = await connectPeer(
        peerWith({
          'server/discover': () => ({ supportedVersions: ['2026-07-28'], capabilities: { ...capabilities } }),
        }),
      );
      assert.deepEqual(log, expected);
    }
  });

  it('sends the arguments as they are, with a progress token and the trace', async () => {
    const session = await connectPeer(peerWith({ ...modernHandlers, 'tools/call': () => done }));
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01';
    const args = { z: 1, a: [null, -0, 1e21, 'é\u2028', { __proto__x: true }], '': {} };
    await session.client.callTool({ name: 'a/b', arguments: args }, { traceparent });
    const [call] = of(session, 'tools/call');
    assert.ok(call !== undefined);
    assert.equal(JSON.stringify(ownParams(call)), JSON.stringify({ name: 'a/b', arguments: args }));
    assert.deepEqual(metaOf(call), { ...identity, progressToken: call.id, traceparent });
    assert.deepEqual(messageProblems(call, 'modern'), []);
  });

  it('announces its end once, with the reason', async () => {
    const ends: unknown[] = [];
    const first = await connectPeer(peerWith(modernHandlers));
    first.client.onClosed((error) => ends.push(error?.code));
    first.peer.end(new HostError('exited', ''));
    first.peer.end(undefined);
    const second = await connectPeer(peerWith(modernHandlers));
    second.client.onClosed((error) => ends.push(error));
    await second.client.close();
    await settle();
    assert.deepEqual(ends, ['exited', undefined]);
    assert.deepEqual(await ending(second.client.listTools()), { host: 'closed' });
  });

  it('hands on log messages, whatever their shape', async () => {
    const session = await connectPeer(peerWith(modernHandlers));
    const seen: unknown[] = [];
    session.client.onLogMessage((message) => seen.push(message));
    for (const params of [{ level: 'error', logger: 'db', data: { a: 1 } }, { level: 'loud', data: 'x' }, {}])
      session.peer.notify('notifications/message', params);
    session.peer.notify('notifications/unknown', {});
    await settle();
    assert.deepEqual(seen, [
      { level: 'error', logger: 'db', data: { a: 1 } },
      { level: 'info', data: 'x' },
      { level: 'info', data: null },
    ]);
  });

  it('asks modern servers for logs with each request, legacy ones once', async () => {
    const modern = await connectPeer(peerWith({ ...modernHandlers, 'tools/call': () => done }));
    await modern.client.setLogLevel('debug');
    await modern.client.callTool({ name: 'a', arguments: {} });
    await modern.client.setLogLevel(undefined);
    await modern.client.callTool({ name: 'a', arguments: {} });
    const calls = of(modern, 'tools/call');
    assert.deepEqual(calls.map(metaOf), [
      { ...identity, progressToken: calls[0]?.id, 'io.modelcontextprotocol/logLevel': 'debug' },
      { ...identity, progressToken: calls[1]?.id },
    ]);

    const greeting = legacyHandlers['initialize']?.({} as never, {} as never);
    const able: Handlers = {
      initialize: () => ({ ...greeting, capabilities: { logging: {} } }),
      'logging/setLevel': () => ({}),
    };
    const legacy = await connectPeer(peerWith(able));
    await legacy.client.setLogLevel('debug');
    await legacy.client.setLogLevel(undefined);
    assert.deepEqual(
      of(legacy, 'logging/setLevel').map((request) => ownParams(request)['level']),
      ['debug', 'warning'],
    );
    assert.deepEqual(legacy.peer.sent.flatMap((message) => messageProblems(message, 'legacy')).length, 1);

    const unable = await connectPeer(peerWith(legacyHandlers));
    await unable.client.setLogLevel('debug');
    assert.deepEqual(of(unable, 'logging/setLevel'), []);
  });

  it('tells only those about new roots who were told to expect that', async () => {
    for (const [handlers, roots, expected] of [
      [legacyHandlers, { listChanged: true }, 1],
      [legacyHandlers, {}, 0],
      [modernHandlers, { listChanged: true }, 0],
    ] as const) {
      const session = await connectPeer(peerWith(handlers), { capabilities: { roots } });
      session.client.notifyRootsChanged();
      const notices = session.peer.sent.filter(
        (message) => 'method' in message && message.method === 'notifications/roots/list_changed',
      );
      assert.equal(notices.length, expected);
    }
  });

  it('goes on with another version when the server changes its mind, once', async () => {
    let refusals = 0;
    const handlers: Handlers = {
      ...modernHandlers,
      'tools/call': (request, peer) => {
        if (refusals-- <= 0) return done;
        peer.refuse(request, -32022, { supported: ['2026-07-28'], requested: '2026-07-28' });
        return undefined;
      },
    };
    const session = await connectPeer(peerWith(handlers));
    refusals = 1;
    assert.deepEqual(await session.client.callTool({ name: 'a', arguments: {} }), {
      content: [],
      isError: false,
    });
    refusals = 5;
    assert.deepEqual(await ending(session.client.callTool({ name: 'a', arguments: {} })), { rpc: -32022 });
    assert.equal(of(session, 'tools/call').length, 4);
  });

  it('greets a legacy HTTP server again that forgot the session, once for all calls', async () => {
    let forgotten = true;
    const handlers: Handlers = {
      ...legacyHandlers,
      'tools/call': (request, peer) => {
        if (!forgotten) return done;
        peer.fail(request, new HostError('sessionExpired', '404'));
        return undefined;
      },
      initialize: (request, peer) => {
        if (of({ peer } as Session, 'initialize').length > 1) forgotten = false;
        return legacyHandlers['initialize']?.(request, peer);
      },
    };
    const session = await connectPeer(peerWith(handlers, 'streamableHttp'));
    let announced = 0;
    session.client.onToolsChanged(() => announced++);
    const calls = ['a', 'b', 'c'].map((name) => session.client.callTool({ name, arguments: {} }));
    await Promise.all(calls);
    session.clock.advance(100);
    assert.deepEqual(
      [of(session, 'initialize').length, of(session, 'tools/call').length, session.peer.protocols, announced],
      [2, 6, ['legacy 2025-11-25', 'legacy 2025-11-25'], 1],
    );
  });

  it('gives up when the session is forgotten again at once', async () => {
    const session = await connectPeer(
      peerWith(
        {
          ...legacyHandlers,
          'tools/call': (request, peer) => {
            peer.fail(request, new HostError('sessionExpired', '404'));
            return undefined;
          },
        },
        'streamableHttp',
      ),
    );
    assert.deepEqual(await ending(session.client.callTool({ name: 'a', arguments: {} })), {
      host: 'sessionExpired',
    });
    assert.deepEqual([of(session, 'initialize').length, of(session, 'tools/call').length], [2, 2]);
  });

  for (const code of ['streamEnded', 'network', 'malformedMessage', 'messageTooLarge', 'timeout'] as const)
    it(`never sends a call twice after ${code}`, async () => {
      const session = await connectPeer(
        peerWith(
          {
            ...modernHandlers,
            'tools/call': (request, peer) => {
              peer.fail(request, new HostError(code, 'gone'));
              return undefined;
            },
          },
          'streamableHttp',
        ),
      );
      assert.deepEqual(await ending(session.client.callTool({ name: 'a', arguments: {} })), { host: code });
      assert.equal(of(session, 'tools/call').length, 1);
    });
});

describe('parameters as headers', () => {
  const schema = (name: string): JsonObject => ({
    type: 'object',
    properties: { region: { type: 'string', 'x-mcp-header': name } },
  });
  const list = (name: string): JsonObject => ({ tools: [{ name: 'a', inputSchema: schema(name) }] });
  const headersOf = (session: Session): unknown[] =>
    session.peer.sent.flatMap((message, index) =>
      'method' in message && message.method === 'tools/call'
        ? [session.peer.sentOptions[index]?.headers]
        : [],
    );
  const call = { name: 'a', arguments: { region: 'eu' } };

  it('follow the list as it was last read, also in later rounds', async () => {
    const session = await connectPeer(
      peerWith(
        {
          ...modernHandlers,
          'tools/list': () => list('Region'),
          'tools/call': (request) =>
            ownParams(request)['requestState'] === undefined
              ? { resultType: 'input_required', requestState: 's' }
              : done,
        },
        'streamableHttp',
      ),
    );
    await session.client.listTools();
    const outcome = session.client.callTool(call);
    await settle();
    session.clock.advance(200);
    await outcome;
    assert.deepEqual(headersOf(session), [{ 'Mcp-Param-Region': 'eu' }, { 'Mcp-Param-Region': 'eu' }]);
  });

  it('are learnt from the list when the server misses them, however fresh, and the call is sent once more', async () => {
    let name = 'Region';
    const session = await connectPeer(
      peerWith(
        {
          ...modernHandlers,
          'tools/list': () => ({ ...list(name), ttlMs: 60_000 }),
          'tools/call': (request, peer) => {
            if (peer.sentOptions.at(-1)?.headers?.['Mcp-Param-Zone'] === 'eu') return done;
            peer.refuse(request, -32020);
            return undefined;
          },
        },
        'streamableHttp',
      ),
    );
    await session.client.listTools();
    name = 'Zone';
    assert.deepEqual(await session.client.callTool(call), { content: [], isError: false });
    assert.deepEqual(headersOf(session), [{ 'Mcp-Param-Region': 'eu' }, { 'Mcp-Param-Zone': 'eu' }]);
    assert.equal(of(session, 'tools/list').length, 2);
  });

  for (const [what, changed] of [
    ['its description', { description: 'Deletes everything' }],
    ['its annotations', { annotations: { destructiveHint: true } }],
    ['what it takes', { inputSchema: { ...schema('Zone'), required: ['region'] } }],
    ['its name', { name: 'b' }],
  ] as const)
    it(`do not carry a call on to a tool that has changed: ${what}`, async () => {
      let tools: readonly JsonObject[] = [{ name: 'a', inputSchema: schema('Region') }];
      const session = await connectPeer(
        peerWith(
          {
            ...modernHandlers,
            'tools/list': () => ({ tools: [...tools] }),
            'tools/call': (request, peer) => {
              peer.refuse(request, -32020);
              return undefined;
            },
          },
          'streamableHttp',
        ),
      );
      await session.client.listTools();
      let announced = 0;
      session.client.onToolsChanged(() => (announced += 1));
      tools = [{ name: 'a', inputSchema: schema('Zone'), ...changed }];
      assert.deepEqual(await ending(session.client.callTool(call)), { host: 'toolChanged' });
      assert.equal(of(session, 'tools/call').length, 1);
      session.clock.advance(1_000);
      assert.equal(announced, 1, 'nobody who shows the tools is told');
    });

  it('are not tried a third time', async () => {
    const session = await connectPeer(
      peerWith(
        {
          ...modernHandlers,
          'tools/list': () => list('Zone'),
          'tools/call': (request, peer) => {
            peer.refuse(request, -32020);
            return undefined;
          },
        },
        'streamableHttp',
      ),
    );
    assert.deepEqual(await ending(session.client.callTool(call)), { rpc: -32020 });
    assert.equal(of(session, 'tools/call').length, 2);
  });

  it('stop a call that they cannot carry before it is sent', async () => {
    const session = await connectPeer(
      peerWith({ ...modernHandlers, 'tools/list': () => list('Region') }, 'streamableHttp'),
    );
    await session.client.listTools();
    const outcome = await ending(session.client.callTool({ name: 'a', arguments: { region: 2 ** 53 } }));
    assert.deepEqual([outcome, of(session, 'tools/call').length], [{ host: 'invalidArguments' }, 0]);
  });

  it('do not exist on stdio', async () => {
    const session = await connectPeer(
      peerWith({ ...modernHandlers, 'tools/list': () => list('Region'), 'tools/call': () => done }),
    );
    await session.client.listTools();
    await session.client.callTool(call);
    assert.deepEqual(headersOf(session), [undefined]);
  });
});

describe('resources', () => {
  const contents = [{ uri: 'a:1', text: 'x' }];
  const rows: readonly (readonly [name: string, hint: JsonObject, requests: number])[] = [
    ['fresh', { ttlMs: 1_000, cacheScope: 'public' }, 2],
    ['without a time to live', {}, 3],
    ['with a negative one', { ttlMs: -5 }, 3],
  ];
  for (const [name, hint, expected] of rows)
    it(`${name} are read ${expected} times`, async () => {
      const session = await connectPeer(
        peerWith({ ...modernHandlers, 'resources/read': () => ({ contents, ...hint }) }),
      );
      assert.deepEqual(await session.client.readResource('a:1'), { contents });
      await session.client.readResource('a:1');
      session.clock.advance(1_000);
      await session.client.readResource('a:1');
      assert.equal(of(session, 'resources/read').length, expected);
    });

  it('that depended on an answer are not kept', async () => {
    const session = await connectPeer(
      peerWith({
        ...modernHandlers,
        'resources/read': (request) =>
          ownParams(request)['requestState'] === undefined
            ? {
                resultType: 'input_required',
                inputRequests: { r: { method: 'roots/list' } },
                requestState: 's',
              }
            : { contents, ttlMs: 60_000, cacheScope: 'public' },
      }),
      { capabilities: { roots: {} }, inputHandler: () => Promise.resolve({ kind: 'roots', roots: [] }) },
    );
    await session.client.readResource('a:1');
    await session.client.readResource('a:1');
    assert.equal(of(session, 'resources/read').length, 4);
  });

  it('of one authorization are not given to another', async () => {
    let principal = 'ann';
    const session = await connectPeer(
      peerWith({
        ...modernHandlers,
        'resources/read': () => ({ contents, ttlMs: 60_000, cacheScope: 'private' }),
      }),
      { principal: () => principal },
    );
    await session.client.readResource('a:1');
    principal = 'bob';
    await session.client.readResource('a:1');
    assert.equal(of(session, 'resources/read').length, 2);
  });
});

it('a call that the server does not know the tool or the arguments of has the tools read again', async () => {
  const session = await connectPeer(
    peerWith({
      ...modernHandlers,
      'tools/call': (request, peer) => {
        peer.refuse(request, -32602);
        return undefined;
      },
    }),
  );
  let announced = 0;
  session.client.onToolsChanged(() => (announced += 1));
  assert.deepEqual(await ending(session.client.callTool({ name: 'a', arguments: {} })), { rpc: -32602 });
  session.clock.advance(1_000);
  assert.equal(announced, 1);
  assert.equal(of(session, 'tools/call').length, 1);
});
