import assert from 'node:assert/strict';
import { type Current, nextCurrent } from '../../webview/approvals/current.ts';
import { it } from '../helpers/nodeTest.ts';

const prompt = (id: string): Current => ({ kind: 'prompt', id });
const call = (callId: string): Current => ({ kind: 'call', callId });
const held = (callId: string): Current => ({ kind: 'call', callId, held: true });
const nothing: Current = { kind: 'nothing' };
const batch: Current = { kind: 'batch', group: 'g' };
const waitingForCall: Current = { kind: 'answered', promptId: 'a' };

const rows: readonly {
  readonly name: string;
  readonly current: Current;
  readonly prompts?: readonly string[];
  readonly calls?: readonly string[];
  readonly before?: readonly string[];
  readonly engaged?: boolean;
  readonly answered?: string;
  readonly expected: Current;
}[] = [
  { name: 'the first prompt is shown', current: nothing, prompts: ['a', 'b'], expected: prompt('a') },
  { name: 'without prompts there is nothing', current: nothing, expected: nothing },
  {
    name: 'a prompt stays while it waits, whatever comes',
    current: prompt('b'),
    prompts: ['z', 'a', 'b'],
    expected: prompt('b'),
  },
  {
    name: 'answered: the next in order',
    current: prompt('b'),
    before: ['a', 'b', 'c'],
    prompts: ['a', 'c'],
    answered: 'b',
    engaged: true,
    expected: prompt('c'),
  },
  {
    name: 'answered, the last: back to the first',
    current: prompt('c'),
    before: ['a', 'b', 'c'],
    prompts: ['a', 'b'],
    answered: 'c',
    engaged: true,
    expected: prompt('a'),
  },
  {
    name: 'answered, the next has gone too: the one after',
    current: prompt('a'),
    before: ['a', 'b', 'c'],
    prompts: ['c', 'd'],
    answered: 'a',
    expected: prompt('c'),
  },
  {
    name: 'answered, nothing else waits: its call',
    current: prompt('a'),
    before: ['a'],
    answered: 'a',
    engaged: true,
    expected: call('of a'),
  },
  {
    name: 'withdrawn under the eyes: said so in its place',
    current: prompt('a'),
    before: ['a', 'b'],
    prompts: ['b'],
    engaged: true,
    expected: held('of a'),
  },
  {
    name: 'withdrawn unseen: the next',
    current: prompt('a'),
    before: ['a', 'b'],
    prompts: ['b'],
    expected: prompt('b'),
  },
  {
    name: 'a call makes room for a prompt',
    current: call('x'),
    calls: ['x'],
    prompts: ['a'],
    expected: prompt('a'),
  },
  {
    name: 'a call that a person has chosen and looks at stays',
    current: held('x'),
    calls: ['x'],
    prompts: ['a'],
    engaged: true,
    expected: held('x'),
  },
  {
    name: 'a call that nobody has chosen makes room even under the pointer',
    current: call('x'),
    calls: ['x'],
    prompts: ['a'],
    engaged: true,
    expected: prompt('a'),
  },
  {
    name: 'a chosen call that nobody looks at makes room',
    current: held('x'),
    calls: ['x'],
    prompts: ['a'],
    expected: prompt('a'),
  },
  {
    name: 'a call that is gone makes room',
    current: call('x'),
    prompts: ['a'],
    engaged: true,
    expected: prompt('a'),
  },
  { name: 'a call that is gone leaves nothing', current: call('x'), expected: nothing },
  {
    name: 'while its call is awaited, a prompt is shown',
    current: waitingForCall,
    prompts: ['b'],
    expected: prompt('b'),
  },
  { name: 'the awaited call is shown', current: waitingForCall, expected: call('of a') },
  {
    name: 'several together stay while one of them waits',
    current: batch,
    prompts: ['a', 'g1'],
    expected: batch,
  },
  { name: 'several together are done', current: batch, prompts: ['a'], expected: prompt('a') },
];

for (const {
  name,
  current,
  prompts = [],
  calls = [],
  before = [],
  engaged = false,
  answered,
  expected,
} of rows) {
  it(name, () => {
    const next = nextCurrent(current, {
      prompts: prompts.map((id) => ({ id, ...(id.startsWith('g') ? { group: 'g' } : {}) })),
      calls: calls.map((id) => ({ id })),
      before,
      engaged,
      active: engaged,
      answered,
      landing: (id) => call(`of ${id}`),
    });
    assert.deepEqual(next, expected);
  });
}
