// Real child processes with real faults, under the manager as the extension has it.
import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { childServer, legacyOpening, modernOpening } from '../helpers/childServer.ts';
import { until } from '../helpers/processes.ts';
import { startServers, type TestManager } from '../helpers/serverManager.ts';

const program = path.resolve(import.meta.dirname, '../fixtures/badServers/server.mjs');
const bad = (...args: string[]) => ({ type: 'stdio', command: process.execPath, args: [program, ...args] });

const open: TestManager[] = [];
function start(...args: Parameters<typeof startServers>): TestManager {
  const started = startServers(...args);
  open.push(started);
  return started;
}
after(async () => {
  await Promise.all(open.map(({ manager }) => manager.stopAll()));
});

test('a command that does not exist: the message names it and the PATH that was searched', async () => {
  const { reaches } = start({
    ghost: { type: 'stdio', command: 'no-such-command-here', env: { PATH: '/one/place:/another' } },
    fine: bad('fine'),
  });
  const { failure } = await reaches('ghost', 'failed');
  assert.match(failure.message, /"ghost"/);
  assert.match(failure.message, /no-such-command-here/);
  assert.match(failure.message, /\/one\/place:\/another/);
  await reaches('fine', 'running');
});

test('a server that exits at once: exit code and its last words', async () => {
  const { reaches } = start({ a: bad('exitsAtOnce'), fine: bad('fine') });
  const { failure } = await reaches('a', 'failed');
  assert.match(failure.message, /"a".*3/);
  assert.deepEqual(failure.stderr, ['missing API key', 'set FOO_KEY']);
  await reaches('fine', 'running');
});

test('a server that never answers fails by name and leaves nothing behind', async () => {
  const { reaches, manager } = start({ silent: bad('neverAnswers') }, { probeTimeoutMs: 200 });
  await reaches('silent', 'starting');
  // The handshake may take long, since servers install themselves; a person can stop it at any time.
  await manager.get('silent')?.stop();
  assert.equal(manager.get('silent')?.state.kind, 'stopped');
});

test('junk on stdout is a log line, and the server works', async () => {
  const { reaches, manager, log } = start({ noisy: bad('junk') });
  const { client } = await reaches('noisy', 'running');
  assert.deepEqual(
    manager.get('noisy')?.tools.tools.map(({ name }) => name),
    ['go'],
  );
  const result = await client.listTools();
  assert.equal(result.tools.length, 1);
  assert.ok(log.some(({ level, text }) => level === 'warn' && text.includes('Listening on port 1234')));
});

test('a server that answers with other ids is stopped like one that never answers', async () => {
  const { reaches, manager } = start({ confused: bad('wrongId') }, { probeTimeoutMs: 200 });
  await reaches('confused', 'starting');
  await manager.get('confused')?.stop();
  assert.equal(manager.get('confused')?.state.kind, 'stopped');
});

test('a server that dies in a call is started again, and its tools stay in between', async () => {
  const { reaches, manager } = start({ frail: bad('diesInCall', '7') });
  const first = await reaches('frail', 'running');
  const call = first.client.callTool({ name: 'go', arguments: {} });
  await assert.rejects(call, { name: 'HostError' });
  const { failure } = await reaches('frail', 'restarting');
  assert.match(failure.message, /7/);
  assert.ok(failure.stderr.includes('fatal: out of cheese'));
  assert.deepEqual(
    manager.get('frail')?.tools.tools.map(({ name }) => name),
    ['go'],
  );
  const second = await reaches('frail', 'running');
  assert.ok(second.launch > first.launch);
});

test('a server that ignores the end of its input and SIGTERM is ended all the same', async () => {
  const { reaches, manager } = start({ stubborn: bad('ignoresEnd') });
  await reaches('stubborn', 'running');
  await manager.get('stubborn')?.stop();
  assert.equal(manager.get('stubborn')?.state.kind, 'stopped');
});

test('without cwd a server runs in the workspace folder', async () => {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'countersign-cwd-')));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const { reaches } = start({ here: bad('fine') }, { workspaceFolder: folder });
  const { client } = await reaches('here', 'running');
  const result = await client.callTool({ name: 'go', arguments: {} });
  assert.deepEqual(result.content, [{ type: 'text', text: `went, in ${folder}` }]);
});

test('a cwd that does not exist is named', async () => {
  const { reaches } = start({ lost: { ...bad('fine'), cwd: '/no/such/folder' } });
  const { failure } = await reaches('lost', 'failed');
  assert.match(failure.message, /\/no\/such\/folder/);
});

test('changing the configuration touches only the servers that changed', async () => {
  const { reaches, manager } = start({ one: bad('fine'), two: bad('fine') });
  const one = await reaches('one', 'running');
  const two = await reaches('two', 'running');
  const { parseServers } = await import('../../src/servers/configuration.ts');
  manager.configure(
    parseServers({
      user: { one: bad('fine'), two: bad('fine', 'changed'), three: bad('fine') },
      workspace: undefined,
    }).entries,
    true,
  );
  await reaches('three', 'running');
  const after = await reaches('two', 'running');
  assert.equal((await reaches('one', 'running')).client, one.client);
  assert.notEqual(after.client, two.client);
  manager.configure([], true);
  assert.deepEqual(manager.servers, []);
});

test('how often a server may ask in one call is set by the user, also while it runs', async () => {
  let rounds = 1;
  const server = childServer({
    methods: {
      ...modernOpening,
      'tools/list': (request, side) => side.answer(request, { tools: [] }),
      'tools/call': (request, side) =>
        side.answer(request, {
          resultType: 'input_required',
          inputRequests: {
            who: {
              method: 'elicitation/create',
              params: { message: 'Who?', requestedSchema: { type: 'object', properties: {} } },
            },
          },
        }),
    },
  });
  let asked = 0;
  const { reaches } = start(
    { curious: { type: 'stdio', command: server.command, args: server.args } },
    {
      maxRounds: () => rounds,
      capabilities: { elicitation: { form: {} } },
      inputHandler: () => {
        asked++;
        return Promise.resolve({ kind: 'elicitation', action: 'accept', content: {} });
      },
    },
  );
  const { client } = await reaches('curious', 'running');
  const call = (): Promise<unknown> => client.callTool({ name: 'go', arguments: {} });
  await assert.rejects(call(), { code: 'tooManyRounds' });
  assert.equal(asked, 1);
  rounds = 3;
  await assert.rejects(call(), { code: 'tooManyRounds' });
  assert.equal(asked, 4);
});

test('a server whose tools change while it still lists them is asked one time after the other', async () => {
  const server = childServer({
    methods: {
      ...legacyOpening,
      'tools/list': (request, side) => {
        const state = globalThis as { lists?: number; open?: number; most?: number };
        state.lists = (state.lists ?? 0) + 1;
        state.open = (state.open ?? 0) + 1;
        state.most = Math.max(state.most ?? 0, state.open);
        const { lists, most } = state;
        // Each of the first lists takes longer than the next notice.
        if (lists > 1 && lists < 4) side.notify('notifications/tools/list_changed');
        setTimeout(
          () => {
            state.open = (state.open ?? 1) - 1;
            // No template: the program is an argument in a setting, where `$` with a brace is a variable.
            const name = ['lists', lists, 'at-once', most].join('-');
            side.answer(request, { tools: [{ name, inputSchema: { type: 'object' } }] });
          },
          lists === 1 || lists > 3 ? 0 : 1_200,
        );
        if (lists === 1) setTimeout(() => side.notify('notifications/tools/list_changed'), 10);
      },
    },
  });
  const { reaches, manager } = start({
    busy: { type: 'stdio', command: server.command, args: server.args },
  });
  await reaches('busy', 'running');
  await until(() => manager.get('busy')?.tools.tools[0]?.name.startsWith('lists-4') === true);
  assert.equal(manager.get('busy')?.tools.tools[0]?.name, 'lists-4-at-once-1');
});
