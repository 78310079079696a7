// A tool that a person runs by hand: a draft of a call, which is theirs to fill in and goes the same road.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CallReport } from '../../src/calls/callTypes.ts';
import { compilePolicy } from '../../src/policy/policy.ts';
import { approvalCard, start, textOf, write } from '../helpers/callRoad.ts';
import type { TestRoad } from '../helpers/road.ts';

function runByHand(road: TestRoad, args: object = {}): Promise<CallReport> {
  return road.calls.invoke({
    caller: { kind: 'user', label: 'you' },
    target: { kind: 'tool', serverId: 'files', toolName: 'write' },
    arguments: args,
    isDraft: true,
  });
}

const rule = (more: object): object => ({ server: 'files', tool: 'write', ...more });

test('a draft is shown for its arguments, asked about once, and sent exactly as its person has run it', async () => {
  const { road, server } = await start([write], { settings: { promptExpiry: () => 60 } });
  const running = runByHand(road);
  const card = await approvalCard(road);
  assert.deepEqual(
    [card.isDraft, card.arguments, card.form?.kind, card.proposals, card.expiresAt],
    [true, {}, 'fields', [], undefined],
  );
  // Nobody has filled it in; and what is wrong is said before anything goes out.
  await assert.rejects(road.answer(card, { kind: 'allow' }), /invalid/);
  await assert.rejects(road.answer(card, { kind: 'allow', edited: { text: 7 } }), /must be a string|text/);
  assert.deepEqual(await road.queue.check(card.id, { text: 7 }), [
    { path: '/text', message: 'Must be a string.' },
  ]);
  assert.deepEqual(server.calls(), []);
  await road.answer(card, { kind: 'allow', edited: { text: 'mine' } });
  const report = await running;
  assert.equal(textOf(report), 'did write');
  assert.deepEqual(server.calls(), [{ name: 'write', arguments: { text: 'mine' } }]);
  assert.equal(road.queue.size, 0);
  await road.audit.sync();
  assert.deepEqual(
    road.events.flatMap((event) => ('callId' in event && event.callId === report.callId ? [event.kind] : [])),
    ['promptShown', 'intent', 'result'],
  );
});

test('a draft waits for its person whatever policy allows, and counts as theirs', async () => {
  const { road, server } = await start();
  road.gate.policy = compilePolicy({ user: [rule({ decision: 'allow' })], workspace: [] });
  const running = runByHand(road, { text: 'begun' });
  const card = await approvalCard(road);
  assert.deepEqual([card.isDraft, card.arguments], [true, { text: 'begun' }]);
  assert.deepEqual(server.calls(), []);
  await road.answer(card, { kind: 'allow', edited: { text: 'done' } });
  assert.equal((await running).outcome.kind, 'completed');
  const intent = road.events.find(({ kind }) => kind === 'intent');
  assert.deepEqual(intent?.kind === 'intent' && intent.decision, {
    outcome: 'allow',
    by: { kind: 'person', promptId: card.id },
  });
});

test('what policy denies is denied: at once, or when it is typed', async () => {
  const { road, server } = await start();
  road.gate.policy = compilePolicy({
    user: [rule({ decision: 'deny', args: { repo: { equals: 'secret' } }, reason: 'not that one' })],
    workspace: [],
  });
  const running = runByHand(road);
  const card = await approvalCard(road);
  await road.answer(card, { kind: 'allow', edited: { text: 'x', repo: 'secret' } });
  const typed = await running;
  assert.deepEqual(typed.outcome, { kind: 'denied', by: 'policy', stopTurn: false });
  road.gate.policy = compilePolicy({ user: [rule({ decision: 'deny' })], workspace: [] });
  assert.deepEqual((await runByHand(road)).outcome, { kind: 'denied', by: 'policy', stopTurn: false });
  assert.deepEqual(server.calls(), []);
});

test('a draft that is discarded leaves no call, and no trace among the calls', async () => {
  const { road, server } = await start();
  const running = runByHand(road);
  await road.answer(await approvalCard(road), { kind: 'deny' });
  assert.deepEqual((await running).outcome, { kind: 'denied', by: 'person', stopTurn: false });
  assert.deepEqual([server.calls(), road.board.calls], [[], []]);
});
