import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { HostError } from '../../src/base/errors.ts';
import { createStdioTransport } from '../../src/transport/stdioTransport.ts';
import { withServer } from '../helpers/childClient.ts';
import {
  type ChildMethod,
  type ChildPlan,
  childServer,
  legacyOpening,
  modernOpening,
} from '../helpers/childServer.ts';
import { describe, it } from '../helpers/nodeTest.ts';
import { isAlive, until } from '../helpers/processes.ts';

const events = {
  message: () => undefined,
  requestFailed: () => undefined,
  dropped: () => undefined,
  closed: () => undefined,
};
const nothing = { args: [], env: {}, cwd: tmpdir() };

/** Answers `tools/call` with facts about the process. */
const facts: ChildMethod = (request, side) =>
  side.answer(request, {
    content: [],
    structuredContent: {
      pid: process.pid,
      cwd: process.cwd(),
      env: process.env,
      args: process.argv.slice(3),
    },
  });

describe('starting a server process', () => {
  it('says where a command was looked for', async () => {
    const transport = createStdioTransport({
      ...nothing,
      command: 'no-such-command',
      env: { PATH: '/a:/b' },
    });
    await assert.rejects(transport.start(events), (error) => {
      assert.ok(error instanceof HostError);
      assert.deepEqual(
        [error.code, error.details],
        ['spawnFailed', { command: 'no-such-command', path: '/a:/b', cwd: tmpdir() }],
      );
      assert.match(error.message, /"no-such-command" was not found.*\/a:\/b/);
      return true;
    });
    await assert.rejects(transport.send({ jsonrpc: '2.0', method: 'm' }), { code: 'closed' });
    await transport.close();
  });

  const failures: readonly (readonly [string, object, RegExp])[] = [
    ['a path that does not exist', { command: '/no/such/server' }, /"\/no\/such\/server" was not found\.$/],
    [
      'a folder that does not exist',
      { command: process.execPath, cwd: '/no/such/folder' },
      /folder "\/no\/such\/folder"/,
    ],
    ['a file that may not be run', { command: fileURLToPath(import.meta.url) }, /may not be run/],
    ['a command with a zero in it', { command: 'a\0b' }, /could not be started/],
    ['an empty command', { command: '' }, /could not be started/],
  ];
  for (const [name, options, message] of failures)
    it(`fails for ${name}`, async () => {
      await assert.rejects(
        createStdioTransport({ ...nothing, command: 'x', ...options }).start(events),
        (error) => {
          assert.ok(error instanceof HostError);
          assert.equal(error.code, 'spawnFailed');
          assert.match(error.message, message);
          return true;
        },
      );
    });

  it('gives the server its folder, its arguments as they are, and only safe variables', async () => {
    const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'countersign-stdio-')));
    const server = childServer({ methods: { ...modernOpening, 'tools/call': facts } });
    const args = ['', 'two words', '"quoted"', "it's", '$HOME', '; rm -rf', '*', 'é\n'];
    process.env['COUNTERSIGN_TEST_SECRET'] = 'secret';
    try {
      await withServer(
        { ...server, args: [...server.args, ...args], cwd: folder, env: { GIVEN: 'a=b\nc', PATH: '/only' } },
        async ({ client }) => {
          const { structuredContent } = await client.callTool({ name: 'a', arguments: {} });
          const found = structuredContent as { cwd: string; args: string[]; env: Record<string, string> };
          assert.deepEqual([found.cwd, found.args], [folder, args]);
          assert.deepEqual(
            [found.env['GIVEN'], found.env['PATH'], found.env['HOME']],
            ['a=b\nc', '/only', process.env['HOME']],
          );
          assert.equal(found.env['COUNTERSIGN_TEST_SECRET'], undefined);
        },
      );
    } finally {
      delete process.env['COUNTERSIGN_TEST_SECRET'];
      await rm(folder, { recursive: true });
    }
  });

  it('hands on what the server prints beside the protocol, cut where it is too long', async () => {
    const start: ChildPlan['start'] = (side) => side.log(`one\r\n${'x'.repeat(20_000)}\nthree`);
    await withServer(childServer({ methods: { ...modernOpening }, start }), async ({ stderr }) => {
      await until(() => stderr.length === 3);
      assert.deepEqual(
        [stderr[0], stderr[1]?.length, stderr[1]?.endsWith('… (20000 bytes)'), stderr[2]],
        ['one', 1_039, true, 'three'],
      );
    });
  });
});

describe('finding the era of a server process', () => {
  it('starts a server again that the probe ended', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'countersign-stdio-'));
    const methods = {
      ...legacyOpening,
      'server/discover': ((_request, side) => side.exit(1)) satisfies ChildMethod,
      'tools/call': facts,
    };
    const start: ChildPlan['start'] = (side) => side.log(`started ${process.pid}`);
    await withServer(childServer({ methods, start }), async ({ client, stderr }) => {
      await client.callTool({ name: 'a', arguments: {} });
      assert.deepEqual([client.era, stderr.length, new Set(stderr).size], ['legacy', 2, 2]);
    });
    await rm(folder, { recursive: true });
  });

  it('starts a server again that the probe ended late, while it holds a port', async () => {
    const reserved = createServer().listen(0, '127.0.0.1');
    await once(reserved, 'listening');
    const { port } = reserved.address() as AddressInfo;
    reserved.close();
    await once(reserved, 'close');
    const methods = {
      ...legacyOpening,
      'server/discover': ((_request, side) => {
        // Too busy to look at anything, and then surprised.
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600);
        side.exit(1);
      }) satisfies ChildMethod,
      'tools/call': facts,
    };
    const start: ChildPlan['start'] = (side) => {
      void side.import('node:net').then((net: { createServer: typeof createServer }) =>
        net
          .createServer()
          .on('error', () => side.exit(9))
          .listen(Number(process.env['PORT']), '127.0.0.1', () => side.log(`started ${process.pid}`)),
      );
    };
    const server = { ...childServer({ methods, start }), env: { PORT: String(port) } };
    await withServer(
      server,
      async ({ client, stderr }) => {
        await client.callTool({ name: 'a', arguments: {} });
        await until(() => stderr.length === 2);
        assert.deepEqual([client.era, new Set(stderr).size], ['legacy', 2]);
      },
      { probeTimeoutMs: 200 },
    );
  });

  it('greets a server that is silent about what it does not know', async () => {
    const methods = {
      ...legacyOpening,
      'server/discover': (() => undefined) satisfies ChildMethod,
      'tools/call': facts,
    };
    await withServer(
      childServer({ methods }),
      async ({ client }) => {
        await client.callTool({ name: 'a', arguments: {} });
        assert.deepEqual([client.era, client.protocolVersion], ['legacy', '2025-11-25']);
      },
      { probeTimeoutMs: 200 },
    );
  });
});

describe('ending a server process', () => {
  const pidOf: ChildMethod = async (request, side) => {
    const { spawn: start }: { spawn: typeof spawn } = await side.import('node:child_process');
    const grandchild = start(
      process.execPath,
      ['-e', 'process.on("SIGTERM",()=>{});setInterval(()=>{},1000)'],
      {
        stdio: 'ignore',
      },
    );
    side.answer(request, { content: [], structuredContent: [process.pid, grandchild.pid] });
  };
  const plans: readonly (readonly [string, Partial<ChildPlan>])[] = [
    ['that ends by itself', {}],
    ['that ignores the end of its input', { ignoreEnd: true }],
    [
      'that ignores everything it can',
      { ignoreEnd: true, start: () => void process.on('SIGTERM', () => undefined) },
    ],
  ];
  for (const [name, plan] of plans)
    it(`ends one ${name}, with what it started`, async () => {
      let pids: number[] = [];
      const server = childServer({ ...plan, methods: { ...modernOpening, 'tools/call': pidOf } });
      await withServer(server, async ({ client }) => {
        const { structuredContent } = await client.callTool({ name: 'a', arguments: {} });
        pids = structuredContent as number[];
        assert.deepEqual(pids.map(isAlive), [true, true]);
      });
      await until(() => !pids.some(isAlive));
    });

  it('ends what a server left behind when it ended by itself', async () => {
    let pids: number[] = [];
    const methods = {
      ...modernOpening,
      'tools/call': pidOf,
      'tools/list': ((_request, side) => side.exit(0)) satisfies ChildMethod,
    };
    await withServer(childServer({ methods }), async ({ client }) => {
      pids = (await client.callTool({ name: 'a', arguments: {} })).structuredContent as number[];
      await assert.rejects(client.listTools(), { code: 'exited' });
      await until(() => !pids.some(isAlive));
    });
  });

  it('lets go of the pipes that a process outside its group still holds', async () => {
    const pipes = (): number => process.getActiveResourcesInfo().filter((name) => name === 'PipeWrap').length;
    const before = pipes();
    let pid = 0;
    const methods = {
      ...modernOpening,
      'tools/call': (async (request, side) => {
        const { spawn: begin }: { spawn: typeof spawn } = await side.import('node:child_process');
        const stray = begin(process.execPath, ['-e', 'setInterval(()=>{},1000)'], {
          detached: true,
          stdio: ['ignore', 'inherit', 'inherit'],
        });
        side.answer(request, { content: [], structuredContent: stray.pid ?? 0 });
      }) satisfies ChildMethod,
      'tools/list': ((_request, side) => side.exit(0)) satisfies ChildMethod,
    };
    try {
      await withServer(childServer({ methods }), async ({ client }) => {
        pid = (await client.callTool({ name: 'a', arguments: {} })).structuredContent as number;
        await assert.rejects(client.listTools(), { code: 'exited' });
      });
      await until(() => pipes() <= before);
      assert.equal(isAlive(pid), true);
    } finally {
      process.kill(pid, 'SIGKILL');
    }
  });

  it('can be asked for at any time, and more than once', async () => {
    const transport = createStdioTransport({
      ...nothing,
      command: process.execPath,
      args: ['-e', 'setInterval(()=>{},1000)'],
    });
    await transport.close();
    const other = createStdioTransport(childServer({ methods: modernOpening }));
    const closed: unknown[] = [];
    await other.start({ ...events, closed: (error) => closed.push(error) });
    const { pid } = other;
    assert.ok(pid !== undefined && isAlive(pid));
    await Promise.all([other.close(), other.close()]);
    assert.deepEqual([closed, isAlive(pid), other.pid], [[undefined], false, undefined]);
  });

  it('stops at once when cancelled while starting', async () => {
    const abort = new AbortController();
    const transport = createStdioTransport(childServer({ methods: modernOpening }));
    const told: unknown[] = [];
    const started = transport.start({ ...events, closed: (error) => told.push(error) }, abort.signal);
    abort.abort();
    await assert.rejects(started, { code: 'cancelled' });
    assert.deepEqual([transport.pid, told], [undefined, []]);
  });

  it('happens even when we are killed, and the server ignores the end of its input', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'countersign-stdio-'));
    const host = path.join(folder, 'host.ts');
    const transportFile = new URL('../../src/transport/stdioTransport.ts', import.meta.url).href;
    const server = childServer({ ignoreEnd: true, methods: modernOpening });
    await writeFile(
      host,
      `import { createStdioTransport } from ${JSON.stringify(transportFile)};
       const none = () => undefined;
       const transport = createStdioTransport(${JSON.stringify(server)});
       await transport.start({ message: none, requestFailed: none, dropped: none, closed: none });
       console.log(transport.pid);
       setInterval(none, 1000);`,
    );
    const child = spawn(process.execPath, [host], { stdio: ['ignore', 'pipe', 'inherit'] });
    const pid = await new Promise<number>((resolve) => {
      child.stdout.once('data', (text: Buffer) => resolve(Number(text.toString('utf8'))));
    });
    assert.ok(isAlive(pid));
    child.kill('SIGKILL');
    await until(() => !isAlive(pid));
    await rm(folder, { recursive: true });
  });
});
