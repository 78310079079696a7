// What changes while somebody is asked, and what goes round the prompt: none of it makes a call.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';
import { CallObstacles } from '../../src/calls/callObstacles.ts';
import { GrantStore } from '../../src/policy/grantStore.ts';
import { parseManagedPolicy } from '../../src/policy/managedPolicy.ts';
import { compilePolicy } from '../../src/policy/policy.ts';
import { parseServers } from '../../src/servers/configuration.ts';
import { MemoryStateFile } from '../helpers/memoryStateFile.ts';
import { startRoad, type TestRoad } from '../helpers/road.ts';
import { type ScriptServer, scriptServer } from '../helpers/scriptServer.ts';
import { approvalCard, nextChange, roads, start, textOf, write } from '../helpers/callRoad.ts';
import { waitFor } from '../rig/waitFor.ts';

test('a tool that changes between the prompt and the call is asked about anew', async () => {
  const { road, server, call } = await start();
  const running = call({ text: 'x' });
  const card = await approvalCard(road);
  const changed = new Promise<void>((resolve) => {
    road.catalogue.onDidChange(() => resolve());
  });
  server.setTools([{ ...write, description: 'Something else' }]);
  await changed;
  await road.answer(card, { kind: 'allow' });
  const second = await approvalCard(road);
  assert.equal(second.tool.description, 'Something else');
  assert.deepEqual(server.calls(), []);
  await road.answer(second, { kind: 'allow' });
  assert.equal((await running).outcome.kind, 'completed');
  assert.equal(server.calls().length, 1);
});

const changesUnderThePrompt: readonly (readonly [
  string,
  (road: TestRoad, server: ScriptServer) => Promise<void>,
])[] = [
  [
    'its server is launched otherwise',
    async (road, server) => {
      const { entries } = parseServers({
        user: { files: { ...server.entry, env: { NEW: '1' } } },
        workspace: undefined,
      });
      road.manager.configure(entries, true);
      await road.running(1);
    },
  ],
  [
    'the tool is taken back',
    async (road, server) => {
      const changed = nextChange(road);
      server.setTools([]);
      await changed;
    },
  ],
];
for (const [name, change] of changesUnderThePrompt) {
  test(`what was allowed is not what runs when, under the prompt, ${name}`, async () => {
    const { road, server, call } = await start();
    const running = call({ text: 'x' });
    const card = await approvalCard(road);
    await change(road, server);
    await road.answer(card, { kind: 'allow' });
    const asked = await Promise.race([running, approvalCard(road)]);
    assert.deepEqual(server.calls(), []);
    // Asked anew, or refused because there is nothing left that could be called.
    if ('id' in asked) await road.answer(asked, { kind: 'deny' });
    assert.ok(['denied', 'refused'].includes((await running).outcome.kind));
  });
}

test('a call that was allowed after its tool had gone is listed as one that was not made', async () => {
  const { road, server, call } = await start();
  const running = call({ text: 'x' });
  const card = await approvalCard(road);
  const changed = nextChange(road);
  server.setTools([]);
  await changed;
  await road.answer(card, { kind: 'allow' });
  const report = await running;
  const why =
    'The tool "write" cannot be called any more: since the call was asked for, its server has stopped or the tool has changed. The call was not made.';
  assert.equal(textOf(report), why);
  assert.deepEqual(
    road.board.calls.map(({ promptId, toolName, state }) => [
      promptId,
      toolName,
      state.kind === 'finished' && [state.outcome, state.summary],
    ]),
    [[card.id, 'write', ['failed', why]]],
  );
});

test('a tool that changes while its call is being recorded is not called', async () => {
  let beforeIntent = (): Promise<void> => Promise.resolve();
  const audit = {
    record: (): void => {},
    recordResult: (): Promise<void> => Promise.resolve(),
    intent: (): Promise<void> => beforeIntent(),
  };
  const { road, server, call } = await start([write], { ports: { audit } });
  beforeIntent = async () => {
    const changed = nextChange(road);
    server.setTools([{ ...write, description: 'Something else' }]);
    await changed;
  };
  const running = call({ text: 'x' });
  await road.answer(await approvalCard(road), { kind: 'allow' });
  const report = await running;
  assert.equal(report.outcome.kind, 'failed');
  assert.match(textOf(report), /changed just before it was called/);
  assert.deepEqual(server.calls(), []);
});

test('the caller cannot change the arguments after a rule has allowed them', async () => {
  const { road, server, call } = await start();
  road.gate.policy = compilePolicy({
    user: [{ server: 'files', tool: 'write', args: { text: { equals: 'harmless' } }, decision: 'allow' }],
    workspace: [],
  });
  const args = { text: 'harmless' };
  const running = call(args);
  args.text = 'harmful';
  assert.equal((await running).outcome.kind, 'completed');
  assert.deepEqual(
    server.calls().map((sent) => sent.arguments),
    [{ text: 'harmless' }],
  );
});

const forbidden = {
  user: [{ server: 'files', tool: 'write', args: { text: { equals: 'harmful' } }, decision: 'deny' }],
  workspace: [],
};

test('what a person types is held against the rules too', async () => {
  const { road, server, call } = await start();
  road.gate.policy = compilePolicy(forbidden);
  const running = call({ text: 'harmless' });
  await road.answer(await approvalCard(road), { kind: 'allow', edited: { text: 'harmful' } });
  assert.deepEqual((await running).outcome, { kind: 'denied', by: 'policy', stopTurn: false });
  assert.deepEqual(server.calls(), []);
});

test('a rule that comes while a prompt waits counts, and a review that it asks for is made', async () => {
  const { road, server, call } = await start();
  const denied = call({ text: 'harmful' });
  const card = await approvalCard(road);
  road.gate.policy = compilePolicy(forbidden);
  await road.answer(card, { kind: 'allow', grant: { scope: 'session', proposalId: card.proposals[0]!.id } });
  assert.deepEqual((await denied).outcome, { kind: 'denied', by: 'policy', stopTurn: false });
  assert.deepEqual([server.calls(), road.grants.records()], [[], []]);

  const reviewed = call({ text: 'x' });
  const next = await approvalCard(road);
  const review = { server: 'files', tool: 'write', decision: 'ask', reviewResult: true };
  road.gate.policy = compilePolicy({ user: [review], workspace: [] });
  await road.answer(next, { kind: 'allow' });
  const result = await road.prompt();
  assert.equal(result.kind, 'review');
  await road.answer(result, { kind: 'withhold' });
  assert.equal((await reviewed).outcome.kind, 'withheld');
});

test("a person's no is on record with its reason", async () => {
  const { road, call } = await start();
  const running = call({ text: 'x' });
  const card = await approvalCard(road);
  await road.answer(card, { kind: 'deny', reason: 'not today' });
  await running;
  await road.audit.sync();
  const decisions = road.events.flatMap((event) => (event.kind === 'decision' ? [event.decision] : []));
  assert.deepEqual(decisions, [
    { outcome: 'deny', by: { kind: 'person', promptId: card.id }, reason: 'not today' },
  ]);
});

test('a grant that another window has withdrawn allows nothing here', async () => {
  const grantsFile = new MemoryStateFile();
  const { road, call } = await start([write], { ports: { grantsFile } });
  const first = call({ text: 'one' });
  const card = await approvalCard(road);
  const proposalId = card.proposals.at(-1)!.id;
  await road.answer(card, { kind: 'allow', grant: { scope: 'everywhere', proposalId } });
  await first;
  const other = new GrantStore(grantsFile, systemClock);
  await other.refresh();
  await other.revokeAll();
  const asked = call({ text: 'two' });
  await road.answer(await approvalCard(road), { kind: 'deny' });
  assert.equal((await asked).outcome.kind, 'denied');
  other.dispose();
});

test("in Restricted Mode a workspace's server does not start, whatever was agreed to", async () => {
  const server = scriptServer([write]);
  let isTrusted = true;
  const road = await startRoad({
    servers: {},
    workspaceServers: { theirs: server.entry },
    ports: { isWorkspaceTrusted: () => isTrusted },
  });
  roads.push(road);
  const managed = road.manager.get('theirs')!;
  const asking = road.consent.ask(managed);
  await road.answer(await road.prompt(), { kind: 'allow' });
  assert.equal(await asking, true);
  isTrusted = false;
  await managed.start();
  assert.equal(managed.state.kind, 'untrusted');
});

test("a workspace's server waits for a person's word on exactly what would run", async () => {
  const server = scriptServer([write]);
  const road = await startRoad({ servers: {}, workspaceServers: { theirs: server.entry } });
  roads.push(road);
  const managed = road.manager.get('theirs');
  assert.equal(managed?.state.kind, 'untrusted');
  const asking = road.consent.ask(managed);
  const card = await road.prompt();
  assert.equal(
    card.kind === 'launch' && card.launch.kind === 'stdio' && card.launch.command,
    process.execPath,
  );
  await road.answer(card, { kind: 'allow' });
  assert.equal(await asking, true);
  await managed.start();
  assert.equal(managed.state.kind, 'running');
});

test("a workspace's server whose environment changes is asked about anew, and the difference is shown; no answer is on record", async () => {
  const server = scriptServer([write]);
  const entry = (options: string): object => ({
    ...server.entry,
    env: { NODE_OPTIONS: options, TOKEN: 'Bearer ${env:PATH}' },
  });
  const road = await startRoad({ servers: {}, workspaceServers: { theirs: entry('--no-warnings') } });
  roads.push(road);
  const first = road.manager.get('theirs')!;
  const asking = road.consent.ask(first);
  const card = await road.prompt();
  assert.deepEqual(card.kind === 'launch' && card.launch.kind === 'stdio' && card.launch.env, [
    { name: 'NODE_OPTIONS', text: '--no-warnings' },
    { name: 'TOKEN', text: 'Bearer ${env:PATH}' },
  ]);
  assert.deepEqual(card.kind === 'launch' && card.warnings, [
    'It is given what your own environment holds as: PATH.',
  ]);
  await road.answer(card, { kind: 'allow' });
  assert.equal(await asking, true);

  const changed = parseServers({ user: {}, workspace: { theirs: entry('--require=./evil.js') } });
  road.manager.configure(changed.entries, true);
  const second = road.manager.get('theirs')!;
  assert.equal(second.state.kind, 'untrusted');
  const again = road.consent.ask(second);
  const next = await road.prompt();
  const launch = next.kind === 'launch' ? next.change?.launch : undefined;
  assert.deepEqual(
    launch?.changes.map(({ area, path }) => [area, path]),
    [['env', '/env/NODE_OPTIONS']],
  );
  assert.match(JSON.stringify(launch), /evil/);

  // The window is loaded again while the question stands.
  await road.close();
  assert.equal(await again, false);
  assert.deepEqual(
    road.events.flatMap((event) => (event.kind === 'serverTrust' ? [[event.outcome, event.by.kind]] : [])),
    [
      ['trusted', 'person'],
      ['unanswered', 'noAnswer'],
    ],
  );
});

test('a tool that is switched off is nothing to a model, and a person can still run it', async () => {
  const { road, server, call } = await start([write], {
    ports: { enabled: { get: () => false, set: () => {} } },
  });
  const caller = { kind: 'chat', label: 'model', turn: 'turn 1' } as const;
  const name = road.catalogue.find('files', 'write')?.modelName ?? '';
  for (const target of [
    { name, arguments: { text: 'x' } },
    { name: 'call_tool', arguments: { name, arguments: { text: 'x' } } },
  ]) {
    const report = await road.toolbox.invoke({ caller, ...target });
    assert.deepEqual(report.outcome, { kind: 'refused' });
  }
  const running = call({ text: 'x' });
  await road.answer(await approvalCard(road), { kind: 'allow' });
  assert.equal((await running).outcome.kind, 'completed');
  assert.equal(server.calls().length, 1);
});

test('what is left of a long result is read on in the same conversation only', async () => {
  const reply = { result: { content: [{ type: 'text', text: `${'x'.repeat(5000)} the end` }] } };
  const { road, call } = await start([{ ...write, reply }], { settings: { resultBytes: () => 1000 } });
  const running = call({ text: 'x' });
  await road.answer(await approvalCard(road), { kind: 'allow' });
  const id = /result-[0-9a-f]+/.exec(textOf(await running))?.[0] ?? '';
  assert.notEqual(id, '');
  const read = async (turn: string, kind: 'chat' | 'bridge'): Promise<string> => {
    const caller = { kind, label: '', turn };
    const asked = { id, start: 4900, length: 200 };
    return textOf(await road.toolbox.invoke({ caller, name: 'read_result', arguments: asked }));
  };
  assert.match(await read('turn 1', 'chat'), /the end/);
  for (const other of [read('turn 2', 'chat'), read('turn 1', 'bridge'), read('', 'chat')])
    assert.doesNotMatch(await other, /the end/);
});

test('the full result of a call is kept for the person', async () => {
  const { road, call } = await start();
  const running = call({ text: 'x' });
  await road.answer(await approvalCard(road), { kind: 'allow' });
  const { title, checked, serverId } = road.shelf.get((await running).callId) ?? {};
  assert.deepEqual(
    [serverId, title, checked?.blocks],
    ['files', 'write', [{ kind: 'text', text: 'did write' }]],
  );
});

test("a server that the machine's policy does not list is neither started nor asked about", async () => {
  const server = scriptServer([write]);
  const managed = parseManagedPolicy(JSON.stringify({ servers: { allow: ['other'] } }), 'policy.json');
  const road = await startRoad({
    servers: { files: server.entry },
    workspaceServers: { theirs: server.entry },
    ports: { managed },
  });
  roads.push(road);
  for (const { id, state } of road.manager.servers) assert.equal(state.kind, 'invalid', id);
  await road.manager.get('files')!.start();
  assert.equal(await road.consent.ask(road.manager.get('theirs')!), false);
  assert.deepEqual([road.manager.get('files')!.state.kind, road.queue.size], ['invalid', 0]);
});

test("what is known of a workspace's server says nothing of one with the same id elsewhere", async () => {
  const server = scriptServer([write]);
  const pinsFile = new MemoryStateFile();
  const notes: (readonly string[])[] = [];
  for (const id of ['file:///one', 'file:///one', 'file:///two']) {
    const road = await startRoad({
      servers: {},
      workspaceServers: { theirs: server.entry },
      ports: { pinsFile, workspace: () => ({ id, name: id, folders: [] }) },
    });
    const managed = road.manager.get('theirs')!;
    if (managed.state.kind === 'untrusted') {
      const asking = road.consent.ask(managed);
      await road.answer(await road.prompt(), { kind: 'allow' });
      await asking;
      await managed.start();
    }
    await road.running(1);
    const caller = { kind: 'chat', label: 'model' } as const;
    const target = { kind: 'tool', serverId: 'theirs', toolName: 'write' } as const;
    const running = road.calls.invoke({ caller, target, arguments: { text: 'x' } });
    const card = await approvalCard(road);
    notes.push(card.notes.flatMap(({ kind }) => (kind.startsWith('definition') ? [kind] : [])));
    await road.answer(card, { kind: 'allow' });
    await running;
    await road.close();
  }
  assert.deepEqual(notes[0], notes[2]);
  assert.notDeepEqual(notes[0], notes[1]);
});

test('a card says what has come in the way of its call, as long as it is there', async () => {
  const { road, server, call } = await start();
  const running = call({ text: 'x' });
  const card = await approvalCard(road);
  const obstacles = new CallObstacles({ catalogue: road.catalogue, servers: road.manager });
  let told = 0;
  const listening = obstacles.onDidChange(() => (told += 1));
  assert.equal(obstacles.of(card), undefined);
  const changed = nextChange(road);
  server.setTools([{ ...write, description: 'Something else' }]);
  await changed;
  assert.match(obstacles.of(card) ?? '', /^The tool has changed .* asked again/);
  const taken = nextChange(road);
  server.setTools([]);
  await taken;
  assert.match(obstacles.of(card) ?? '', /^The tool cannot be called any more/);
  await road.manager.get('files')?.stop();
  assert.match(obstacles.of(card) ?? '', /^Its server is not running\./);
  assert.ok(told >= 3);
  server.setTools([write]);
  await road.manager.get('files')?.start();
  await waitFor('the tool as it was', () => obstacles.of(card) === undefined);
  listening.dispose();
  await road.answer(card, { kind: 'deny' });
  assert.equal((await running).outcome.kind, 'denied');
});
