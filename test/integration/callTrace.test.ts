// What goes on record beyond the usual: raw messages, but only when the user asks for it; and what was refused.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { compilePolicy } from '../../src/policy/policy.ts';
import { noManagedPolicy } from '../../src/policy/managedPolicy.ts';
import { defaultLimits } from '../../src/policy/limits.ts';
import { startRoad, type TestRoad } from '../helpers/road.ts';
import { scriptServer } from '../helpers/scriptServer.ts';

const roads: TestRoad[] = [];
after(() => Promise.all(roads.map((road) => road.close())));

const tools = [
  { name: 'works', inputSchema: { type: 'object' } },
  { name: 'fails', inputSchema: { type: 'object' }, reply: { error: { code: -32000, message: 'broken' } } },
];

async function messagesOf(tool: string, traces: boolean): Promise<readonly unknown[]> {
  const server = scriptServer(tools);
  const road = await startRoad({ servers: { files: server.entry }, settings: { traces: () => traces } });
  roads.push(road);
  await road.running(1);
  road.gate.policy = compilePolicy({
    user: [{ server: '*', tool: '*', decision: 'allow' }],
    workspace: [],
    managed: noManagedPolicy,
    limits: defaultLimits,
  });
  const { callId } = await road.calls.invoke({
    caller: { kind: 'user', label: 'you' },
    target: { kind: 'tool', serverId: 'files', toolName: tool },
    arguments: { a: 1 },
  });
  await road.audit.sync();
  return road.events.flatMap((event) =>
    event.kind === 'messageTraced' && event.callId === callId ? [[event.direction, event.message]] : [],
  );
}

test('traced, a call has its request and its answer on record', async () => {
  const [sent, received, ...more] = await messagesOf('works', true);
  const trace = JSON.stringify(sent);
  const id = /"id":(\d+)/.exec(trace)?.[1];
  assert.match(
    trace,
    /^\["sent",\{"jsonrpc":"2.0","id":\d+,"method":"tools\/call","params":\{"name":"works","arguments":\{"a":1\}/,
  );
  assert.deepEqual(received, [
    'received',
    { jsonrpc: '2.0', id: Number(id), result: { content: [{ type: 'text', text: 'did works' }] } },
  ]);
  assert.deepEqual(more, []);
});

test('so has a call that the server refuses', async () => {
  const messages = await messagesOf('fails', true);
  assert.equal(messages.length, 2);
  assert.match(JSON.stringify(messages[1]), /"received".*"code":-32000,"message":"broken"/);
});

test('without the setting no message is kept', async () => {
  assert.deepEqual(await messagesOf('works', false), []);
});

test('a call that is never made has on record what was asked', async () => {
  const server = scriptServer([
    { name: 'works', inputSchema: { type: 'object', properties: { a: { type: 'number' } } } },
  ]);
  const road = await startRoad({ servers: { files: server.entry } });
  roads.push(road);
  await road.running(1);
  for (const toolName of ['works', 'missing']) {
    await road.calls.invoke({
      caller: { kind: 'user', label: 'you' },
      target: { kind: 'tool', serverId: 'files', toolName },
      arguments: { a: 'no number' },
    });
  }
  await road.audit.sync();
  assert.deepEqual(
    road.events.flatMap((event) =>
      event.kind === 'callRefused' ? [[event.stage, event.tool, event.arguments]] : [],
    ),
    [
      ['schema', 'works', { a: 'no number' }],
      ['catalogue', 'missing', { a: 'no number' }],
    ],
  );
});
