import assert from 'node:assert/strict';
import { findTool, planTurn, type Reply } from '../../fixtures/demo-model/script.ts';
import { describe, it } from '../../helpers/nodeTest.ts';

const tools = [{ name: 'everything_echo' }, { name: 'everything_get-sum' }, { name: 'other_re_echo' }];
const calls = (...list: readonly [string, object][]): Reply => ({
  kind: 'calls',
  calls: list.map(([tool, input]) => ({ tool, input })),
});

describe('the demo model’s script', () => {
  const rows: readonly Readonly<{ prompt: string; done?: number; reply: Reply | undefined }>[] = [
    { prompt: 'echo hello', reply: calls(['other_re_echo', { message: 'hello' }]) },
    { prompt: 'Echo two words ', reply: calls(['other_re_echo', { message: 'two words' }]) },
    { prompt: 'add 2 and -3.5', reply: calls(['everything_get-sum', { a: 2, b: -3.5 }]) },
    { prompt: 'echo hello', done: 1, reply: undefined },
    { prompt: 'use everything_echo {"message":"x"}', reply: calls(['everything_echo', { message: 'x' }]) },
    { prompt: 'use missing', reply: calls(['missing', {}]) },
    {
      prompt: 'use everything_echo {"message":"1"}\nuse everything_echo {"message":"2"}\nthen add 1 and 2',
      reply: calls(['everything_echo', { message: '1' }], ['everything_echo', { message: '2' }]),
    },
    {
      prompt: 'use everything_echo {"message":"1"}\nthen add 1 and 2',
      done: 1,
      reply: calls(['everything_get-sum', { a: 1, b: 2 }]),
    },
    {
      prompt: '2 times use everything_echo {"message":"#"}',
      reply: calls(['everything_echo', { message: '0' }], ['everything_echo', { message: '1' }]),
    },
    { prompt: 'fail on purpose', reply: { kind: 'fail', message: 'on purpose' } },
  ];
  for (const { prompt, done = 0, reply } of rows)
    it(`${JSON.stringify(prompt)} after ${done} rounds`, () => {
      assert.deepEqual(planTurn(prompt, done, tools), reply);
    });

  it('explains itself and its tools to everything else', () => {
    const reply = planTurn('use everything_echo {broken', 0, tools);
    assert.match(reply?.kind === 'text' ? reply.text : '', /I understand:[^]*everything_get-sum/);
  });

  it('takes underscores for hyphens in a tool’s name', () => {
    assert.equal(findTool('get-sum', [{ name: 'everything_get_sum' }]), 'everything_get_sum');
  });
});
