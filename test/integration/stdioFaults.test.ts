import assert from 'node:assert/strict';
import { HostError } from '../../src/base/errors.ts';
import { isJsonObject, type JsonObject } from '../../src/base/json.ts';
import type { ChildMethod, ChildPlan } from '../helpers/childServer.ts';
import { childServer, legacyOpening, modernOpening } from '../helpers/childServer.ts';
import { withServer } from '../helpers/childClient.ts';
import { ending } from '../helpers/errors.ts';
import { describe, it } from '../helpers/nodeTest.ts';
import { until } from '../helpers/processes.ts';
import { turnsDuring } from '../helpers/turnsDuring.ts';

/*
 * What a server can do wrong while it is asked for something: every row is a real process, and every end is
 * a typed error. Each server also has a sound tool, to show that one bad message harms nothing else.
 */

const sound: ChildMethod = (request, side) =>
  side.answer(request, { content: [{ type: 'text', text: 'sound' }] });
const soundResult = { content: [{ type: 'text', text: 'sound' }], isError: false };

interface Row {
  readonly name: string;
  /** What the server does when it is asked to list its tools. */
  readonly act: ChildMethod;
  readonly expected: unknown;
  /** A line that must be in the log. */
  readonly logged?: RegExp;
}

const rows: readonly Row[] = [
  {
    name: 'text that is no message',
    act: (request, side) => {
      side.raw('Starting up...\n\n{"level":"info"}\n[]\n  \n');
      side.answer(request, { tools: [] });
    },
    expected: 0,
    logged: /no message.*Starting up/,
  },
  {
    name: 'Windows line ends and a byte order mark',
    act: (request, side) => {
      side.raw(`\uFEFF{"jsonrpc":"2.0","id":${request.id},"result":{"tools":[]}}\r\n`);
    },
    expected: 0,
  },
  {
    name: 'two messages in one write, the answer in two',
    act: (request, side) => {
      const text = JSON.stringify({ jsonrpc: '2.0', id: request.id, result: { tools: [] } });
      side.raw(`{"jsonrpc":"2.0","method":"notifications/message","params":{}}\n${text.slice(0, 20)}`);
      setTimeout(() => side.raw(`${text.slice(20)}\n`), 20);
    },
    expected: 0,
  },
  {
    name: 'an answer that drips, cut inside characters',
    act: async (request, side) => {
      const tools = [{ name: 'é👍', inputSchema: { type: 'object' } }];
      const text = `${JSON.stringify({ jsonrpc: '2.0', id: request.id, result: { tools } })}\n`;
      for (const byte of new TextEncoder().encode(text)) {
        side.raw(Uint8Array.of(byte));
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    },
    expected: 1,
  },
  {
    name: 'a result that is no object',
    act: (request, side) => side.send({ jsonrpc: '2.0', id: request.id, result: 'ok' }),
    expected: { host: 'malformedMessage' },
  },
  {
    name: 'the wrong version of JSON-RPC',
    act: (request, side) => side.send({ id: request.id, result: { tools: [] } }),
    expected: { host: 'malformedMessage' },
  },
  {
    name: 'the same key twice',
    act: (request, side) =>
      side.raw(`{"jsonrpc":"2.0","id":${request.id},"result":{"tools":[]},"result":{"tools":[1]}}\n`),
    expected: { host: 'malformedMessage' },
  },
  {
    name: 'JSON of 100,000 levels',
    act: (request, side) => {
      const deep = '['.repeat(100_000) + ']'.repeat(100_000);
      side.raw(`{"jsonrpc":"2.0","id":${request.id},"result":{"tools":[],"more":${deep}}}\n`);
    },
    expected: { host: 'malformedMessage' },
  },
  {
    name: 'a tool of 100,000 levels',
    act: (request, side) => {
      const deep = '['.repeat(100_000) + ']'.repeat(100_000);
      const tools = `[{"name":"a","inputSchema":{}},${deep},{"name":"b","inputSchema":{}}]`;
      side.raw(`{"jsonrpc":"2.0","id":${request.id},"result":{"tools":${tools}}}\n`);
    },
    expected: 2,
    logged: /"#2" is set aside: .*levels deep/,
  },
  {
    name: 'bytes that are not UTF-8',
    act: (request, side) => {
      const text = JSON.stringify({ jsonrpc: '2.0', id: request.id, result: { tools: [], x: '\u00ff' } });
      side.raw(Uint8Array.from(`${text}\n`, (character) => character.charCodeAt(0)));
    },
    expected: { host: 'malformedMessage' },
  },
  {
    name: 'a replacement character that is meant',
    act: (request, side) => side.answer(request, { tools: [], x: '\ufffd' }),
    expected: 0,
  },
  {
    name: 'halves of characters in a tool',
    act: (request, side) =>
      side.raw(
        `{"jsonrpc":"2.0","id":${request.id},"result":{"tools":[{"name":"a","description":"\\ud83d","inputSchema":{}},{"name":"b","inputSchema":{}}]}}\n`,
      ),
    expected: 1,
    logged: /"a" is set aside/,
  },
  {
    name: 'an answer to somebody else, and a second one',
    act: (request, side) => {
      side.answer({ id: 999 }, { tools: [1, 2, 3] });
      side.answer(request, { tools: [] });
      side.answer(request, { tools: [1, 2, 3] });
    },
    expected: 0,
    logged: /not waiting/,
  },
  {
    name: 'a line of 100 MB that names its request',
    act: async (request, side) => {
      await side.rawAndWait(`{"jsonrpc":"2.0","id":${request.id},"result":{"tools":[],"x":"`);
      const megabyte = 'x'.repeat(1024 * 1024);
      for (let count = 0; count < 100; count++) await side.rawAndWait(megabyte);
      await side.rawAndWait('"}}\n');
    },
    expected: { host: 'messageTooLarge' },
  },
  {
    name: 'a line of 100 MB that names its request last',
    act: async (request, side) => {
      await side.rawAndWait('{"result":{"tools":[],"x":"');
      const megabyte = 'x'.repeat(1024 * 1024);
      for (let count = 0; count < 100; count++) await side.rawAndWait(megabyte);
      await side.rawAndWait(`"},"jsonrpc":"2.0","id":${request.id}}\n`);
    },
    expected: { host: 'messageTooLarge' },
  },
  {
    name: 'a line of 100 MB that belongs to nobody',
    act: async (request, side) => {
      const megabyte = 'x'.repeat(1024 * 1024);
      for (let count = 0; count < 100; count++) await side.rawAndWait(megabyte);
      side.raw('\n');
      side.answer(request, { tools: [] });
    },
    expected: 0,
    logged: /104857600 bytes/,
  },
  {
    name: 'a burst of 10,000 notifications',
    act: (request, side) => {
      const notice = '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n';
      side.raw(notice.repeat(10_000));
      side.answer(request, { tools: [] });
    },
    expected: 0,
  },
  {
    name: 'a million blank lines and a million of junk',
    act: (request, side) => {
      side.raw('\n'.repeat(1_000_000));
      side.raw('x\n'.repeat(1_000_000));
      side.answer(request, { tools: [] });
    },
    expected: 0,
    logged: /not a JSON object/,
  },
  {
    name: 'a burst of 10,000 lines of junk',
    act: (request, side) => {
      side.raw('junk\n'.repeat(10_000));
      side.answer(request, { tools: [] });
    },
    expected: 0,
  },
  {
    name: 'questions, where only results may hold them',
    act: (request, side) => {
      side.send({ jsonrpc: '2.0', id: 1, method: 'elicitation/create', params: {} });
      side.answer(request, { tools: [] });
    },
    expected: 0,
    logged: /request.*ignored/,
  },
];

describe('a modern server on stdio that sends', () => {
  for (const { name, act, expected, logged } of rows)
    it(name, async () => {
      const server = childServer({ methods: { ...modernOpening, 'tools/list': act, 'tools/call': sound } });
      await withServer(server, async ({ client, log }) => {
        const before = process.memoryUsage();
        const outcome = await ending(client.listTools().then(({ tools }) => tools.length));
        const after = process.memoryUsage();
        assert.deepEqual(outcome, expected);
        const grown = after.arrayBuffers + after.heapUsed - before.arrayBuffers - before.heapUsed;
        assert.ok(grown < 80 * 1024 * 1024, `${grown} bytes`);
        assert.deepEqual(await client.callTool({ name: 'a', arguments: {} }), soundResult);
        if (logged !== undefined)
          assert.ok(
            log.some((line) => logged.test(line)),
            log.join('\n').slice(0, 2_000),
          );
        assert.ok(log.length < 1_000);
      });
    });

  const floods: readonly (readonly [string, ChildMethod])[] = [
    ['broken messages', (_, side) => void side.rawAndWait('{"jsonrpc":\n'.repeat(100_000))],
    [
      'log entries in JSON',
      (_, side) => void side.rawAndWait('{"level":30,"msg":"hello"}\n'.repeat(100_000)),
    ],
    ['short lines', (_, side) => void side.rawAndWait('x\n'.repeat(8_000_000))],
    ['blank lines', (_, side) => void side.rawAndWait('\n'.repeat(8_000_000))],
  ];
  for (const [name, act] of floods)
    it(`a flood of ${name} is ended, and the error says what it did`, async () => {
      const server = childServer({ methods: { ...modernOpening, 'tools/list': act } });
      await withServer(server, async ({ client, log }) => {
        const closed = new Promise<HostError | undefined>((resolve) => void client.onClosed(resolve));
        assert.deepEqual(await ending(client.listTools()), { host: 'limitExceeded' });
        const error = await closed;
        assert.match(error?.message ?? '', /floods us.*standard error/);
        assert.ok(log.length < 200);
      });
    });

  it('half a line of 100 MB, for ever: the request times out, and memory stays bounded', async () => {
    const methods = {
      ...modernOpening,
      'tools/call': (async (request, side) => {
        await side.rawAndWait(`{"jsonrpc":"2.0","id":${request.id},"result":{"x":"`);
        const megabyte = 'x'.repeat(1024 * 1024);
        for (let count = 0; count < 100; count++) await side.rawAndWait(megabyte);
        side.log('sent');
      }) satisfies ChildMethod,
    };
    await withServer(childServer({ methods }), async ({ client, stderr }) => {
      const before = process.memoryUsage().arrayBuffers;
      const outcome = await ending(client.callTool({ name: 'a', arguments: {} }, { timeoutMs: 1_500 }));
      assert.deepEqual(outcome, { host: 'timeout' });
      // A busy machine reads all of it later than that.
      await until(() => stderr.includes('sent'));
      assert.ok(process.memoryUsage().arrayBuffers - before < 64 * 1024 * 1024);
    });
  });
});

describe('a server on stdio that ends', () => {
  type Step = 'server/discover' | 'initialize' | 'tools/list' | 'tools/call';
  const ends: readonly (readonly [string, ChildMethod, JsonObject])[] = [
    ['with a code', (_request, side) => side.exit(3), { exitCode: 3, signal: null }],
    [
      'in the middle of its answer',
      (request, side) => {
        side.raw(`{"jsonrpc":"2.0","id":${request.id},"resu`);
        side.exit(0);
      },
      { exitCode: 0, signal: null },
    ],
    ['by a signal', (_request, side) => side.kill('SIGKILL'), { exitCode: null, signal: 'SIGKILL' }],
  ];
  const steps: readonly (readonly [Step, ChildPlan['methods']])[] = [
    ['initialize', {}],
    ['tools/list', modernOpening],
    [
      'tools/call',
      { ...legacyOpening, 'tools/list': (request, side) => side.answer(request, { tools: [] }) },
    ],
  ];
  for (const [step, opening] of steps)
    for (const [how, act, details] of ends)
      it(`${how}, at ${step}`, async () => {
        const methods = {
          ...opening,
          [step]: act,
        };
        const start: ChildPlan['start'] = (side) => side.log('first words\nlast words');
        const closed: unknown[] = [];
        const outcome = await withServer(childServer({ methods, start }), async ({ client }) => {
          client.onClosed((error) => closed.push(error?.code));
          await client.listTools();
          await client.callTool({ name: 'a', arguments: {} });
        }).then(
          () => 'went well',
          (error: unknown) => error,
        );
        assert.ok(outcome instanceof Error && 'details' in outcome && 'code' in outcome, String(outcome));
        const { pid, ...rest } = outcome.details as JsonObject;
        assert.equal(typeof pid, 'number');
        assert.deepEqual(
          [outcome.code, rest, closed],
          [
            'exited',
            { ...details, stderr: ['first words', 'last words'] },
            step === 'initialize' ? [] : ['exited'],
          ],
        );
      });

  it('after a flood beside the protocol: others have their turns, and its last words are kept', async () => {
    const methods = {
      ...modernOpening,
      'tools/list': ((_request, side) => {
        const many = 'x\n'.repeat(20_000);
        for (let times = 0; times < 50; times += 1) side.log(many);
        // Not before all of it is with the system.
        process.stderr.write('last words\n', () => side.exit(3));
      }) satisfies ChildMethod,
    };
    let error: unknown;
    const turns = await turnsDuring(async () => {
      error = await withServer(childServer({ methods }), async ({ client }) => {
        await client.listTools();
      }).catch((failure: unknown) => failure);
    });
    assert.ok(error instanceof HostError && error.code === 'exited', String(error));
    const { stderr } = error.details as { readonly stderr: readonly string[] };
    assert.deepEqual([stderr.length, stderr.at(-1)], [20, 'last words']);
    // Two megabytes in pieces of a pipe's size.
    assert.ok(turns > 15, `${turns} turns`);
  });

  it('after its answer: the answer counts', async () => {
    const methods = {
      ...modernOpening,
      'tools/call': ((request, side) => {
        side.answer(request, { content: [] });
        side.exit(0);
      }) satisfies ChildMethod,
    };
    await withServer(childServer({ methods }), async ({ client }) => {
      assert.deepEqual(await client.callTool({ name: 'a', arguments: {} }), { content: [], isError: false });
      assert.deepEqual(await ending(client.callTool({ name: 'a', arguments: {} })), { host: 'exited' });
    });
  });

  it('by closing its output only', async () => {
    const methods = {
      ...modernOpening,
      'tools/call': (async (_request, side) => {
        const fs: { closeSync(descriptor: number): void } = await side.import('node:fs');
        fs.closeSync(1);
      }) satisfies ChildMethod,
    };
    await withServer(childServer({ methods, ignoreEnd: true }), async ({ client }) => {
      assert.deepEqual(await ending(client.callTool({ name: 'a', arguments: {} })), { host: 'exited' });
    });
  });
});

describe('a large message on stdio', () => {
  const large: ChildMethod = async (request, side) => {
    const list = Array.from({ length: 300_000 }, () => []);
    side.notify('notifications/message', { level: 'info', data: 'before' });
    side.answer(request, { content: [], structuredContent: { list } });
    side.notify('notifications/message', { level: 'info', data: 'after' });
    if (request.params?.['name'] === 'last') {
      await side.rawAndWait('\n');
      side.exit(0);
    }
  };
  const methods = { ...modernOpening, 'tools/call': large };

  it('is read in pieces, between what came before it and what came after', async () => {
    await withServer(childServer({ methods }), async ({ client }) => {
      const order: unknown[] = [];
      const after = new Promise<void>((resolve) => {
        client.onLogMessage(({ data }) => {
          order.push(data);
          if (data === 'after') resolve();
        });
      });
      const { structuredContent } = await client.callTool(
        { name: 'a', arguments: {} },
        // At once; a promise would tell a little later.
        {
          onMessage: (direction, message) =>
            direction === 'received' && 'result' in message && order.push('result'),
        },
      );
      await after;
      assert.deepEqual(order, ['before', 'result', 'after']);
      const list = isJsonObject(structuredContent) ? structuredContent['list'] : undefined;
      assert.equal(Array.isArray(list) && list.length, 300_000);
    });
  });

  it('arrives although its server ends right behind it', async () => {
    await withServer(childServer({ methods }), async ({ client }) => {
      const closed = new Promise((resolve) => client.onClosed(resolve));
      const { structuredContent } = await client.callTool({ name: 'last', arguments: {} });
      assert.ok(isJsonObject(structuredContent));
      assert.equal(((await closed) as { code?: string } | undefined)?.code, 'exited');
    });
  });
});

describe('a server on stdio that misbehaves', () => {
  it('does not disturb another one', async () => {
    const flood: ChildMethod = (_request, side) => {
      const line = `${'x'.repeat(1_000)}\n`;
      setInterval(() => side.raw(line.repeat(100)), 1);
    };
    const noisy = childServer({ methods: { ...modernOpening, 'tools/call': flood } });
    const calm = childServer({ methods: { ...modernOpening, 'tools/call': sound } });
    await withServer(noisy, ({ client: other }) =>
      withServer(calm, async ({ client }) => {
        const endless = ending(other.callTool({ name: 'a', arguments: {} }, { timeoutMs: 1_000 }));
        for (let count = 0; count < 20; count++)
          assert.deepEqual(await client.callTool({ name: 'a', arguments: {} }), soundResult);
        assert.deepEqual(await endless, { host: 'timeout' });
      }),
    );
  });

  it('cannot make us keep what it does not read', async () => {
    const methods = {
      ...modernOpening,
      'tools/call': ((_request, side) => side.stopReading()) satisfies ChildMethod,
    };
    await withServer(childServer({ methods, ignoreEnd: true }), async ({ client }) => {
      const big = 'x'.repeat(8 * 1024 * 1024);
      const outcomes = await Promise.all(
        Array.from({ length: 12 }, () =>
          ending(client.callTool({ name: 'a', arguments: { big } }, { timeoutMs: 2_000 })),
        ),
      );
      const codes = outcomes.map((outcome) => JSON.stringify(outcome));
      // What waits behind all that can still be given up, although the server will not hear of it.
      const abort = new AbortController();
      const given = ending(client.callTool({ name: 'a', arguments: {} }, { signal: abort.signal }));
      abort.abort();
      assert.deepEqual(await given, { host: 'cancelled' });
      assert.ok(codes.includes('{"host":"limitExceeded"}'), codes.join());
      assert.ok(codes.includes('{"host":"timeout"}'), codes.join());
    });
  });
});
