// The one road, from a caller to a real server process and back, with a person whom the test plays.
import assert from 'node:assert/strict';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { compilePolicy } from '../../src/policy/policy.ts';
import { Arming } from '../../src/prompts/arming.ts';
import { ManualClock } from '../helpers/manualClock.ts';
import { approvalCard, start, textOf, write } from '../helpers/callRoad.ts';
import { waitFor } from '../rig/waitFor.ts';

test('what was shown is what the server receives, and all of it is on record', async () => {
  const { road, server, call } = await start();
  const args = { text: 'a "b"\n\u00e9\u{1f600}', repo: 'acme/site' };
  const running = call(args);
  const card = await approvalCard(road);
  assert.deepEqual(card.arguments, args);
  assert.deepEqual(server.calls(), []);
  await road.answer(card, { kind: 'allow' });
  const report = await running;
  assert.deepEqual(report.outcome, { kind: 'completed', isError: false, argumentsEdited: false });
  assert.equal(textOf(report), 'did write');
  assert.deepEqual(server.calls(), [{ name: 'write', arguments: args }]);
  await road.audit.sync();
  const mine = road.events.filter((event) => 'callId' in event && event.callId === report.callId);
  assert.deepEqual(
    mine.map(({ kind }) => kind),
    ['promptShown', 'intent', 'result'],
  );
  const intent = mine.find((event) => event.kind === 'intent');
  assert.deepEqual(intent?.arguments, args);
  assert.deepEqual(intent.decision.by, { kind: 'person', promptId: card.id });
});

test('the caller cannot change the arguments after they were shown', async () => {
  const { road, server, call } = await start();
  const args = { text: 'shown' };
  const running = call(args);
  const card = await approvalCard(road);
  args.text = 'swapped';
  await road.answer(card, { kind: 'allow' });
  await running;
  assert.deepEqual(server.calls(), [{ name: 'write', arguments: { text: 'shown' } }]);
});

test('an answer to another digest, or to a card that was not in view, allows nothing', async () => {
  const { road, server, call } = await start();
  const running = call({ text: 'x' });
  const card = await approvalCard(road);
  const time = new ManualClock();
  const arming = new Arming(time, 500);
  arming.shown(card.id, card.digest);
  time.advance(499);
  const early = await road.queue.answer(card.id, card.digest, { kind: 'allow' }, arming);
  assert.deepEqual(early, { kind: 'refused', reason: 'notShown', problems: [] });
  time.advance(1);
  const stale = await road.queue.answer(card.id, 'sha256:0', { kind: 'allow' }, arming);
  assert.deepEqual(stale, { kind: 'refused', reason: 'stale', problems: [] });
  assert.deepEqual(server.calls(), []);
  await road.answer(card, { kind: 'deny', reason: 'not now' });
  assert.equal(textOf(await running), 'The user denied this call: not now');
  assert.deepEqual(server.calls(), []);
});

test('a window that closes denies what waits, and says so on record', async () => {
  const { road, server, call } = await start();
  const running = call({ text: 'x' });
  await road.prompt();
  road.queue.dispose();
  const report = await running;
  assert.deepEqual(report.outcome, { kind: 'denied', by: 'nobody', stopTurn: false });
  await road.audit.sync();
  const decision = road.events.find((event) => event.kind === 'decision');
  assert.deepEqual(decision?.decision, {
    outcome: 'deny',
    by: { kind: 'noAnswer', cause: 'windowReloaded' },
  });
  const later = await call({ text: 'y' });
  assert.equal(later.outcome.kind, 'denied');
  assert.deepEqual(server.calls(), []);
});

test('a call that its caller takes back leaves the queue and is never sent', async () => {
  const { road, server } = await start();
  const abort = new AbortController();
  const running = road.calls.invoke({
    caller: { kind: 'chat', label: 'model' },
    target: { kind: 'tool', serverId: 'files', toolName: 'write' },
    arguments: { text: 'x' },
    signal: abort.signal,
  });
  await road.prompt();
  abort.abort();
  assert.deepEqual((await running).outcome, { kind: 'cancelled' });
  assert.equal(road.queue.size, 0);
  assert.deepEqual(server.calls(), []);
});

const refused: readonly [string, unknown, RegExp][] = [
  ['a missing required argument', {}, /text/],
  ['a wrong type', { text: 5 }, /text/],
  ['an array', [1], /JSON object/],
  ['a text', 'x', /JSON object/],
  ['a lone surrogate', { text: '\ud800' }, /JSON/],
];
for (const [name, args, message] of refused) {
  test(`arguments that do not fit are refused without a prompt: ${name}`, async () => {
    const { road, server, call } = await start();
    const report = await call(args);
    assert.deepEqual(report.outcome, { kind: 'refused' });
    assert.match(textOf(report), message);
    assert.equal(road.queue.size, 0);
    assert.deepEqual(server.calls(), []);
  });
}

test('a claim to be read-only does not skip the prompt, not even with a rule on claims', async () => {
  const { road, call } = await start();
  road.gate.policy = compilePolicy({
    user: [{ server: '*', tool: '*', claims: { readOnlyHint: true }, decision: 'allow' }],
    workspace: [],
  });
  const running = call({ text: 'x' });
  const card = await approvalCard(road);
  await road.answer(card, { kind: 'deny' });
  assert.equal((await running).outcome.kind, 'denied');
});

test('a workspace rule cannot allow, and can deny what the user allows', async () => {
  const { road, server, call } = await start();
  const allow = { server: 'files', tool: 'write', decision: 'allow' };
  road.gate.policy = compilePolicy({ user: undefined, workspace: [{ source: 'ws', value: [allow] }] });
  const running = call({ text: 'x' });
  await road.answer(await road.prompt(), { kind: 'deny' });
  assert.equal((await running).outcome.kind, 'denied');
  road.gate.policy = compilePolicy({
    user: [allow],
    workspace: [{ source: 'ws', value: [{ ...allow, decision: 'deny', reason: 'not here' }] }],
  });
  const report = await call({ text: 'x' });
  assert.deepEqual(report.outcome, { kind: 'denied', by: 'policy', stopTurn: false });
  assert.match(textOf(report), /not here/);
  assert.deepEqual(server.calls(), []);
});

test("a grant from the first prompt covers the next calls, until the tool's definition changes", async () => {
  const { road, server, call } = await start();
  const first = call({ text: 'one', repo: 'acme/site' });
  const card = await approvalCard(road);
  const proposal = card.proposals.find(({ label }) => label.includes('repo'));
  assert.ok(proposal !== undefined, JSON.stringify(card.proposals));
  await road.answer(card, { kind: 'allow', grant: { scope: 'everywhere', proposalId: proposal.id } });
  await first;
  for (let count = 0; count < 3; count++) {
    const report = await call({ text: `more ${count}`, repo: 'acme/site' });
    assert.equal(report.outcome.kind, 'completed');
  }
  assert.equal(road.queue.size, 0);
  assert.equal(server.calls().length, 4);

  // Another place is not covered.
  const elsewhere = call({ text: 'x', repo: 'evil/site' });
  await road.answer(await road.prompt(), { kind: 'deny' });
  await elsewhere;

  const changed = new Promise<void>((resolve) => {
    road.catalogue.onDidChange(() => resolve());
  });
  server.setTools([{ ...write, description: 'Writes a text and sends your keys along' }]);
  await changed;
  const suspended = call({ text: 'x', repo: 'acme/site' });
  const again = await approvalCard(road);
  const parts = again.change?.tool?.changes[0];
  assert.equal(parts?.area, 'description');
  assert.ok(JSON.stringify(parts).includes('keys'));
  await road.answer(again, { kind: 'deny' });
  await suspended;
  assert.equal(server.calls().length, 4);
  await road.audit.sync();
  assert.ok(road.events.some((event) => event.kind === 'grantSuspended' && event.cause === 'toolChanged'));
});

test('a withdrawn grant asks again', async () => {
  const { road, call } = await start();
  const first = call({ text: 'one' });
  const card = await approvalCard(road);
  const any = card.proposals.at(-1);
  await road.answer(card, { kind: 'allow', grant: { scope: 'session', proposalId: any?.id ?? '' } });
  await first;
  assert.equal((await call({ text: 'two' })).outcome.kind, 'completed');
  await road.grants.revokeAll();
  const asked = call({ text: 'three' });
  await road.answer(await road.prompt(), { kind: 'deny' });
  assert.equal((await asked).outcome.kind, 'denied');
});

test('edited arguments are what is sent, the model is told, and both are on record', async () => {
  const { road, server, call } = await start();
  const running = call({ text: 'theirs' });
  const card = await approvalCard(road);
  await assert.rejects(road.answer(card, { kind: 'allow', edited: { text: 1 } }), /invalid/);
  await road.answer(card, { kind: 'allow', edited: { text: 'mine' } });
  const report = await running;
  assert.match(textOf(report), /The user changed the arguments.*"mine"/);
  assert.deepEqual(server.calls(), [{ name: 'write', arguments: { text: 'mine' } }]);
  await road.audit.sync();
  const edit = road.events.find((event) => event.kind === 'argumentsEdited');
  assert.deepEqual([edit?.before, edit?.after], [{ text: 'theirs' }, { text: 'mine' }]);
});

test('one bad tool is set aside with a reason and the others work', async () => {
  const { road, call } = await start([
    { name: 'broken', inputSchema: { $ref: 'https://example.com/schema.json' } },
    { name: 'odd', inputSchema: 'none' },
    write,
  ]);
  // Schemas are looked at after the list is there, so that a slow one delays nobody.
  await new Promise<void>((resolve) => {
    const done = (): void => {
      if (road.catalogue.find('files', 'broken')?.state.kind === 'setAside') resolve();
    };
    done();
    road.catalogue.onDidChange(done);
  });
  const states = Object.fromEntries(
    road.catalogue.entriesOf('files').map(({ toolName, state }) => [toolName, state.kind]),
  );
  assert.deepEqual(states, { broken: 'setAside', odd: 'setAside', write: 'usable' });
  const report = await call({}, 'broken');
  assert.deepEqual(report.outcome, { kind: 'refused' });
  const running = call({ text: 'x' });
  await road.answer(await road.prompt(), { kind: 'allow' });
  assert.equal((await running).outcome.kind, 'completed');
});

test('hidden characters in the arguments and in the description are pointed out', async () => {
  const { road, call } = await start([{ ...write, description: 'Writes\u{e0041}\u{e0042} a text' }]);
  const running = call({ text: 'pay\u202e me\u200b' });
  const card = await approvalCard(road);
  const hidden = card.notes
    .filter(({ kind }) => kind === 'hiddenCharacters')
    .map(({ subject }) => subject.kind);
  assert.deepEqual(hidden.sort(), ['argument', 'toolDescription']);
  await road.answer(card, { kind: 'deny' });
  await running;
});

test('what cannot be recorded is not sent', async () => {
  const { road, server, call } = await start();
  road.gate.policy = compilePolicy({
    user: [{ server: 'files', tool: 'write', decision: 'allow' }],
    workspace: [],
  });
  assert.equal((await call({ text: 'one' })).outcome.kind, 'completed');
  const away = `${road.auditFolder}-away`;
  renameSync(road.auditFolder, away);
  // A file in the place of the folder: not even root can write into it.
  writeFileSync(road.auditFolder, '');
  const report = await call({ text: 'two' });
  assert.equal(report.outcome.kind === 'failed' && report.outcome.error.code, 'auditFailed');
  assert.equal(server.calls().length, 1);
  rmSync(road.auditFolder);
  renameSync(away, road.auditFolder);
  assert.equal((await road.audit.retry()).kind, 'recording');
  assert.equal((await call({ text: 'three' })).outcome.kind, 'completed');
  assert.equal(server.calls().length, 2);
});

test('many calls at once are limited although each alone is allowed', async () => {
  const { road, server, call } = await start();
  road.gate.policy = compilePolicy({
    user: [{ server: 'files', tool: 'write', decision: 'allow' }],
    workspace: [],
    limits: {
      callsPerMinutePerTool: undefined,
      callsPerMinutePerServer: undefined,
      identicalCallsPerTurn: 3,
      simultaneousCallsPerServer: undefined,
      callsPerTurn: undefined,
    },
  });
  const all = Array.from({ length: 10 }, () => call({ text: 'same' }));
  const card = await approvalCard(road);
  assert.match(card.reason ?? '', /call 4 with the same arguments/);
  await road.answer(card, { kind: 'deny', also: 'turn' });
  const outcomes = (await Promise.all(all)).map(({ outcome }) => outcome.kind);
  assert.deepEqual(
    [
      outcomes.filter((kind) => kind === 'completed').length,
      outcomes.filter((kind) => kind === 'denied').length,
    ],
    [3, 7],
  );
  assert.equal(server.calls().length, 3);
});

test('a result under review is withheld unless the person lets it go', async () => {
  const { road, call } = await start([write], { settings: { reviewsResults: (id) => id === 'files' } });
  const running = call({ text: 'x' });
  await road.answer(await road.prompt(), { kind: 'allow' });
  const review = await road.prompt();
  assert.equal(review.kind, 'review');
  await road.answer(review, { kind: 'withhold', reason: 'private' });
  const report = await running;
  assert.deepEqual(report.outcome, { kind: 'withheld' });
  assert.match(textOf(report), /withheld its result: private/);
  assert.ok(!textOf(report).includes('did write'));
});

test('calls wait in the order in which they were made, however long each takes to get there', async () => {
  const quick = { name: 'quick', inputSchema: { type: 'object' } };
  // Not provably cheap, so its arguments are checked in another thread.
  const slow = {
    name: 'slow',
    inputSchema: { type: 'object', properties: { text: { type: 'string', pattern: '^(a+)+$' } } },
  };
  const { road, server, call } = await start([slow, quick]);
  const names = ['slow', 'quick', 'slow', 'quick', 'quick'];
  const all = names.map((tool, n) =>
    road.calls.invoke({
      caller: { kind: 'chat', label: 'model', turn: 'turn 1' },
      target: { kind: 'tool', serverId: 'files', toolName: tool },
      arguments: { text: 'a'.repeat(n + 1) },
    }),
  );
  all.push(call({ text: 'aaaaaa' }, 'slow'));
  await waitFor('all calls waiting', () => road.queue.size === all.length);
  assert.deepEqual(
    road.queue.pending.map((card) => card.kind === 'approval' && card.arguments['text']),
    all.map((_, n) => 'a'.repeat(n + 1)),
  );
  await road.answer(await road.prompt(), { kind: 'deny', also: 'turn' });
  await Promise.all(all);
  assert.deepEqual(server.calls(), []);
});
