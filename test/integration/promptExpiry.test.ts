// A question that nobody answers ends as a no if the user has said so, and the caller and the record are told.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { CallReport } from '../../src/calls/callTypes.ts';
import { promptExpiry } from '../../src/calls/promptExpiry.ts';
import { startRoad, type TestRoad } from '../helpers/road.ts';
import { scriptServer } from '../helpers/scriptServer.ts';

const roads: TestRoad[] = [];
after(() => Promise.all(roads.map((road) => road.close())));

const tool = { name: 'write', inputSchema: { type: 'object' } };
const textOf = ({ parts }: CallReport): string =>
  parts.map((part) => (part.kind === 'text' ? part.text : '')).join('\n');

test('a call that nobody answers in time is not made', async () => {
  const server = scriptServer([tool]);
  const road = await startRoad({
    servers: { files: server.entry },
    settings: { promptExpiry: () => 0.05 },
  });
  roads.push(road);
  await road.running(1);
  const report = await road.calls.invoke({
    caller: { kind: 'chat', label: 'model', turn: '1' },
    target: { kind: 'tool', serverId: 'files', toolName: 'write' },
    arguments: {},
  });
  assert.deepEqual(report.outcome, { kind: 'denied', by: 'nobody', stopTurn: false });
  assert.match(textOf(report), /Nobody answered in time/);
  assert.deepEqual(server.calls(), []);
  await road.audit.sync();
  const decision = road.events.find((event) => event.kind === 'decision');
  assert.deepEqual(decision?.decision, { outcome: 'deny', by: { kind: 'noAnswer', cause: 'promptExpired' } });
});

test('a result that nobody looks at in time is withheld, and the model is not told that a person did', async () => {
  const server = scriptServer([tool]);
  let seconds = 0;
  const road = await startRoad({
    servers: { files: server.entry },
    settings: { promptExpiry: () => seconds, reviewsResults: () => true },
  });
  roads.push(road);
  await road.running(1);
  const running = road.calls.invoke({
    caller: { kind: 'chat', label: 'model', turn: '1' },
    target: { kind: 'tool', serverId: 'files', toolName: 'write' },
    arguments: {},
  });
  const card = await road.prompt();
  seconds = 0.05;
  await road.answer(card, { kind: 'allow' });
  const report = await running;
  assert.deepEqual(report.outcome, { kind: 'withheld' });
  assert.match(textOf(report), /not released by the user: Nobody answered in time\./);
  assert.ok(!textOf(report).includes('did write'));
  assert.deepEqual(server.calls().length, 1);
});

test('no time means never, and a time that no timer can hold does not end at once', () => {
  assert.deepEqual([0, -1, Number.NaN].map(promptExpiry), [{}, {}, {}]);
  assert.deepEqual(promptExpiry(60), { expiresInMs: 60_000 });
  assert.deepEqual(promptExpiry(1e12), { expiresInMs: 2_147_483_647 });
});
