import assert from 'node:assert/strict';
import type { JsonObject, JsonValue } from '../../../src/base/json.ts';
import { noteTextLength } from '../../../src/protocol/wire/textLength.ts';
import { ending } from '../../helpers/errors.ts';
import { describe, it } from '../../helpers/nodeTest.ts';
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

const tool = (name: string, inputSchema: JsonObject = { type: 'object' }): JsonObject => ({
  name,
  inputSchema,
});
const page = (names: readonly string[], more: JsonObject = {}): JsonObject => ({
  resultType: 'complete',
  ttlMs: 0,
  cacheScope: 'private',
  tools: names.map((name) => tool(name)),
  ...more,
});

/** A peer whose pages are named by their cursors; the first one is named "first". */
function paged(pages: Readonly<Record<string, JsonObject>>): Handlers {
  return {
    ...modernHandlers,
    'tools/list': (request, peer) => {
      const cursor = ownParams(request)['cursor'];
      const found = pages[typeof cursor === 'string' ? `=${cursor}` : 'first'];
      if (found === undefined) peer.refuse(request, -32602);
      return found;
    },
  };
}

const listings = ({ peer }: Session): readonly JsonValue[] =>
  peer.requests
    .filter(({ method }) => method === 'tools/list')
    .map((request) => ownParams(request)['cursor'] ?? 'first');

async function names(session: Session, refresh = false): Promise<unknown> {
  return ending(session.client.listTools({ refresh }).then(({ tools }) => tools.map(({ name }) => name)));
}

interface Row {
  readonly name: string;
  readonly pages: Readonly<Record<string, JsonObject>>;
  readonly expected: unknown;
  readonly cursors: readonly JsonValue[];
}

const rows: readonly Row[] = [
  { name: 'one page', pages: { first: page(['b', 'a']) }, expected: ['b', 'a'], cursors: ['first'] },
  { name: 'no tools', pages: { first: page([]) }, expected: [], cursors: ['first'] },
  {
    name: 'several pages, in order',
    pages: {
      first: page(['c'], { nextCursor: 'x' }),
      '=x': page(['a'], { nextCursor: 'y' }),
      '=y': page(['b']),
    },
    expected: ['c', 'a', 'b'],
    cursors: ['first', 'x', 'y'],
  },
  {
    name: 'an empty cursor is a cursor',
    pages: { first: page(['a'], { nextCursor: '' }), '=': page(['b']) },
    expected: ['a', 'b'],
    cursors: ['first', ''],
  },
  {
    name: 'an empty page in the middle',
    pages: { first: page([], { nextCursor: 'x' }), '=x': page(['b']) },
    expected: ['b'],
    cursors: ['first', 'x'],
  },
  {
    name: 'null as a cursor ends the list',
    pages: { first: page(['a'], { nextCursor: null }) },
    expected: ['a'],
    cursors: ['first'],
  },
  {
    name: 'a cursor that comes again',
    pages: {
      first: page(['a'], { nextCursor: 'x' }),
      '=x': page(['b'], { nextCursor: 'y' }),
      '=y': page(['c'], { nextCursor: 'x' }),
    },
    expected: { host: 'protocolViolation' },
    cursors: ['first', 'x', 'y'],
  },
  {
    name: 'a cursor that is a number',
    pages: { first: page(['a'], { nextCursor: 1 }) },
    expected: { host: 'protocolViolation' },
    cursors: ['first'],
  },
  {
    name: 'a cursor that is refused, twice',
    pages: { first: page(['a'], { nextCursor: 'gone' }) },
    expected: { rpc: -32602 },
    cursors: ['first', 'gone', 'first', 'gone'],
  },
  {
    name: 'no list',
    pages: { first: { resultType: 'complete' } },
    expected: { host: 'protocolViolation' },
    cursors: ['first'],
  },
  {
    name: 'a list that is an object',
    pages: { first: { tools: {} } },
    expected: { host: 'protocolViolation' },
    cursors: ['first'],
  },
];

describe('tool lists', () => {
  for (const { name, pages, expected, cursors } of rows)
    it(name, async () => {
      const session = await connectPeer(peerWith(paged(pages)));
      assert.deepEqual([await names(session), listings(session)], [expected, cursors]);
    });

  it('begins again when a cursor went bad on the way', async () => {
    let changed = false;
    const session = await connectPeer(
      peerWith({
        ...modernHandlers,
        'tools/list': (request, peer) => {
          if (ownParams(request)['cursor'] === undefined)
            return page(['a'], changed ? {} : { nextCursor: 'old' });
          changed = true;
          peer.refuse(request, -32602);
          return undefined;
        },
      }),
    );
    assert.deepEqual([await names(session), listings(session)], [['a'], ['first', 'old', 'first']]);
  });

  it('ends a list without end', async () => {
    let next = 0;
    const endless: Handlers = {
      ...modernHandlers,
      'tools/list': () => page([`t${next}`], { nextCursor: String(next++) }),
    };
    const session = await connectPeer(peerWith(endless));
    assert.deepEqual(await names(session), { host: 'tooManyPages' });
    assert.equal(listings(session).length, 1_000);
  });

  it('ends a list that takes too long in all, although each page comes in time', async () => {
    let next = 0;
    let session: Session | undefined;
    session = await connectPeer(
      peerWith({
        ...modernHandlers,
        'tools/list': () => {
          session?.clock.advance(59_000);
          return page([`t${next}`], { nextCursor: String(next++) });
        },
      }),
    );
    assert.deepEqual(await names(session), { host: 'timeout' });
    assert.equal(listings(session).length, 16);
  });

  it('ends a list of few pages that are huge', async () => {
    let next = 0;
    const session = await connectPeer(
      peerWith({
        ...modernHandlers,
        'tools/list': () => {
          const result = page([`t${next}`], { nextCursor: String(next++) });
          // As if the text of each page had been read; nobody wants to hold it here.
          noteTextLength(result, 10 * 1024 * 1024);
          return result;
        },
      }),
    );
    assert.deepEqual(await names(session), { host: 'tooManyPages' });
    assert.equal(listings(session).length, 7);
  });

  it('sets bad entries aside with a reason, and the second of a name', async () => {
    const tools = [tool('a'), 3, { name: 'b' }, tool('a'), tool('c'), { inputSchema: {} }];
    const session = await connectPeer(peerWith(paged({ first: { ...page([]), tools } })));
    const list = await session.client.listTools();
    assert.deepEqual(
      [list.tools.map(({ name }) => name), list.rejected.map(({ name }) => name), session.log.length],
      [['a', 'c'], ['#2', 'b', 'a', '#6'], 4],
    );
  });

  const bad = tool('bad', { type: 'object', properties: { n: { type: 'number', 'x-mcp-header': 'N' } } });
  for (const [kind, handlers, expected] of [
    ['streamableHttp', modernHandlers, ['good']],
    ['stdio', modernHandlers, ['good', 'bad']],
    ['streamableHttp', { ...legacyHandlers, 'server/discover': modernHandlers['nothing'] }, ['good', 'bad']],
  ] as const)
    it(`leaves out tools with wrong headers only where headers are sent: ${kind}, ${expected.length} left`, async () => {
      const all = { ...handlers, 'tools/list': () => ({ ...page([]), tools: [tool('good'), bad] }) };
      const defined = Object.fromEntries(
        Object.entries(all).filter(([, handler]) => handler !== undefined),
      ) as Handlers;
      const session = await connectPeer(peerWith(defined, kind));
      const list = await session.client.listTools();
      assert.deepEqual(
        list.tools.map(({ name }) => name),
        expected,
      );
      assert.equal(
        session.log.some((line) => line.startsWith('warn') && line.includes('"bad"')),
        expected.length === 1,
      );
    });

  it('is read once for callers at the same time, and each may give up alone', async () => {
    const session = await connectPeer(peerWith({ ...modernHandlers, 'tools/list': () => undefined }));
    const abort = new AbortController();
    const impatient = ending(session.client.listTools({ signal: abort.signal }));
    const patient = ending(session.client.listTools().then(({ tools }) => tools.length));
    await settle();
    abort.abort();
    const [request] = session.peer.requests.filter(({ method }) => method === 'tools/list');
    assert.ok(request !== undefined);
    session.peer.answer(request, page(['a']));
    assert.deepEqual(
      [await impatient, await patient, listings(session).length],
      [{ host: 'cancelled' }, 1, 1],
    );
  });
});

describe('tool lists that change while they are read', () => {
  for (const [name, change] of [
    ['by a notice', (session: Session) => session.peer.notify('notifications/tools/list_changed')],
    ['by a refresh', (session: Session) => void names(session, true)],
  ] as const)
    it(`${name} are read again for those who ask later`, async () => {
      const session = await connectPeer(peerWith({ ...legacyHandlers, 'tools/list': () => undefined }));
      const early = names(session);
      await settle();
      change(session);
      await settle();
      const late = names(session);
      await settle();
      const requests = session.peer.requests.filter(({ method }) => method === 'tools/list');
      for (const [index, request] of requests.entries())
        session.peer.answer(request, page([`version ${index}`]));
      assert.deepEqual([await early, await late], [['version 0'], ['version 1']]);
    });
});

describe('headers of a tool', () => {
  it('are those of the newest list, also when an older one arrives after it', async () => {
    const session = await connectPeer(
      peerWith(
        {
          ...modernHandlers,
          'tools/list': () => undefined,
          'tools/call': () => ({ resultType: 'complete', content: [] }),
        },
        'streamableHttp',
      ),
    );
    const both = [names(session), names(session, true)];
    await settle();
    const requests = session.peer.requests.filter(({ method }) => method === 'tools/list');
    for (const [header, request] of [
      ['New', requests[1]],
      ['Old', requests[0]],
    ] as const) {
      assert.ok(request !== undefined);
      const inputSchema = {
        type: 'object',
        properties: { a: { type: 'string', 'x-mcp-header': header } },
      };
      session.peer.answer(request, { ...page([]), tools: [tool('t', inputSchema)] });
      await settle();
    }
    assert.deepEqual(await Promise.all(both), [['t'], ['t']]);
    await session.client.callTool({ name: 't', arguments: { a: '1' } });
    assert.deepEqual(session.peer.sentOptions.at(-1)?.headers, { 'Mcp-Param-New': '1' });
  });
});

describe('cached tool lists', () => {
  it('are used while fresh, page by page, and read again when asked to', async () => {
    const session = await connectPeer(
      peerWith(
        paged({
          first: page(['a'], { ttlMs: 1_000, nextCursor: 'x' }),
          '=x': page(['b'], { ttlMs: 100 }),
        }),
      ),
    );
    const first = await session.client.listTools();
    assert.equal(await session.client.listTools(), first);
    session.clock.advance(100);
    await names(session);
    session.clock.advance(900);
    await names(session);
    await names(session, true);
    assert.deepEqual(listings(session), ['first', 'x', 'x', 'first', 'x', 'first', 'x']);
  });

  for (const ttlMs of [0, -1, undefined, 'long'])
    it(`are not used with a time to live of ${String(ttlMs)}`, async () => {
      const { ttlMs: _dropped, ...rest } = page(['a']);
      const first: JsonObject = ttlMs === undefined ? rest : { ...rest, ttlMs };
      const session = await connectPeer(peerWith(paged({ first })));
      await names(session);
      await names(session);
      assert.equal(listings(session).length, 2);
    });

  for (const [cacheScope, expected] of [
    ['private', 3],
    ['public', 1],
    ['shared', 3],
  ] as const)
    it(`${cacheScope}: are kept apart by authorization where they must be`, async () => {
      let principal = 'ann';
      const session = await connectPeer(
        peerWith(paged({ first: page(['a'], { ttlMs: 60_000, cacheScope }) })),
        {
          principal: () => principal,
        },
      );
      for (const next of ['ann', 'bob', 'ann', 'eve', 'bob']) {
        principal = next;
        await names(session);
      }
      assert.equal(listings(session).length, expected);
    });

  it('all go when a cursor of theirs went bad', async () => {
    const pages: Record<string, JsonObject> = {
      first: page(['a'], { ttlMs: 60_000, nextCursor: 'x' }),
      '=x': page(['b']),
    };
    const session = await connectPeer(peerWith(paged(pages)));
    assert.deepEqual(await names(session), ['a', 'b']);
    delete pages['=x'];
    pages['first'] = page(['c'], { ttlMs: 60_000 });
    assert.deepEqual(await names(session), ['c']);
    assert.deepEqual(listings(session), ['first', 'x', 'x', 'first']);
  });

  it('are never used by legacy servers, whatever they claim', async () => {
    const session = await connectPeer(
      peerWith({
        ...legacyHandlers,
        'tools/list': () => page(['a'], { ttlMs: 60_000, cacheScope: 'public' }),
      }),
    );
    await names(session);
    await names(session);
    assert.equal(listings(session).length, 2);
  });
});

describe('lists of resources and prompts', () => {
  it('are read page by page, without the entries that cannot be read', async () => {
    const { client } = await connectPeer(
      peerWith({
        ...modernHandlers,
        'resources/list': (request) =>
          ownParams(request)['cursor'] === undefined
            ? { resources: [{ uri: 'a:1', name: 'one', size: 3 }, { name: 'none' }], nextCursor: '2' }
            : { resources: [{ uri: 'a:2' }] },
        'prompts/list': () => ({
          prompts: [{ name: 'p', arguments: [{ name: 'x', required: true }, { name: 'y' }, 3, {}] }, 'q'],
        }),
      }),
    );
    assert.deepEqual(await client.listResources(), [
      { uri: 'a:1', name: 'one', size: 3 },
      { uri: 'a:2', name: 'a:2' },
    ]);
    assert.deepEqual(await client.listPrompts(), [
      {
        name: 'p',
        arguments: [
          { name: 'x', required: true },
          { name: 'y', required: false },
        ],
      },
    ]);
  });
});

describe('tools that can only be called as tasks', () => {
  const tasks: JsonObject = { requests: { tools: { call: {} } } };
  const tools = [
    { ...tool('plain'), execution: { taskSupport: 'forbidden' } },
    { ...tool('either'), execution: { taskSupport: 'optional' } },
    { ...tool('only'), execution: { taskSupport: 'required' } },
    { ...tool('odd'), execution: 'required' },
  ];
  const server = (handlers: Handlers, answer: string, capabilities: JsonObject): Handlers => ({
    ...handlers,
    [answer]: (request, peer) => ({ ...handlers[answer]?.(request, peer), capabilities }),
    'tools/list': () => page([], { tools }),
  });
  for (const [name, handlers, all] of [
    ['are set aside', server(legacyHandlers, 'initialize', { tools: {}, tasks }), false],
    [
      'are not meant where the server has no tasks',
      server(legacyHandlers, 'initialize', { tools: {} }),
      true,
    ],
    [
      'are not meant where it has other tasks',
      server(legacyHandlers, 'initialize', { tools: {}, tasks: { list: {}, requests: {} } }),
      true,
    ],
    ['are unknown to modern servers', server(modernHandlers, 'server/discover', { tools: {}, tasks }), true],
  ] as const) {
    it(name, async () => {
      const { client } = await connectPeer(peerWith(handlers));
      const { tools: usable, rejected } = await client.listTools();
      assert.deepEqual(
        [usable.map((listed) => listed.name), rejected.map((listed) => listed.name)],
        all ? [['plain', 'either', 'only', 'odd'], []] : [['plain', 'either', 'odd'], ['only']],
      );
      for (const { reason } of rejected) assert.match(reason, /only be called as a task/);
    });
  }
});
