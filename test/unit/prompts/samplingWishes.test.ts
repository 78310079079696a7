import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/base/json.ts';
import { samplingWishes, stopsOf, temperatureOf } from '../../../src/prompts/samplingWishes.ts';
import { it } from '../../helpers/nodeTest.ts';

const find: JsonObject = { name: 'find' };
const many = Array.from({ length: 60 }, (_, place) => `stop ${place}`);

/** What a server wishes for, what is done about it, and what is said not to be. */
const rows: readonly (readonly [string, JsonObject, readonly string[], readonly string[]])[] = [
  ['nothing', {}, [], []],
  ['a temperature', { temperature: 0 }, ['Temperature: 0, if the model knows one'], []],
  ['a temperature that no model takes', { temperature: 7 }, [], ['the temperature 7']],
  ['a temperature below all', { temperature: -1 }, [], ['the temperature -1']],
  ['a temperature that is none', { temperature: 'hot' }, [], ['the temperature hot']],
  ['stop sequences', { stopSequences: ['a', '\u202e'] }, ['Stop at: "a", "\u202e"'], []],
  ['stop sequences that are none', { stopSequences: ['', 3] }, [], ['2 of 2 texts to stop at']],
  [
    'more stop sequences than are looked for',
    { stopSequences: many },
    [
      `Stop at: ${many
        .slice(0, 10)
        .map((stop) => JSON.stringify(stop))
        .join(', ')} and 40 more`,
    ],
    ['10 of 60 texts to stop at'],
  ],
  ['a very long stop sequence', { stopSequences: ['x'.repeat(5000)] }, [`Stop at: "${'x'.repeat(199)}…`], []],
  ['no context', { includeContext: 'none' }, [], []],
  ['context', { includeContext: 'thisServer' }, [], ['context of other calls (thisServer)']],
  ['no metadata', { metadata: {} }, [], []],
  ['metadata', { metadata: { a: 1, b: 2 } }, [], ['options for one kind of model (a, b)']],
  [
    'one tool that must be used',
    { tools: [find], toolChoice: { mode: 'required' } },
    ['Use of tools: required'],
    [],
  ],
  [
    'one of two tools that must be used',
    { tools: [find, { name: 'seek' }], toolChoice: { mode: 'required' } },
    [],
    ['use of tools: required'],
  ],
  [
    'a tool that must be used, and none',
    { toolChoice: { mode: 'required' } },
    [],
    ['use of tools: required'],
  ],
  ['no use of tools', { tools: [find], toolChoice: { mode: 'none' } }, ['Use of tools: none'], []],
  ['a use of tools that nobody knows', { toolChoice: { mode: 'maybe' } }, [], ['use of tools: maybe']],
  [
    'preferences',
    { modelPreferences: { hints: [{ name: 'x' }, {}, 3], costPriority: 1 } },
    ['Models: x', 'Low cost: 1 of 1'],
    [],
  ],
  ['a weight that is none', { modelPreferences: { speedPriority: 9 } }, [], ['Speed: 9']],
  ['preferences that are none', { modelPreferences: 'fast' }, [], []],
];

for (const [name, params, wishes, notPassedOn] of rows) {
  it(`${name}: what is done, and what is not`, () => {
    assert.deepEqual(samplingWishes(params), { wishes, notPassedOn });
  });
}

it('a temperature that is said to be passed on is, and no other', () => {
  for (const [temperature, expected] of [
    [0, 0],
    [2, 2],
    [2.1, undefined],
    ['1', undefined],
    [null, undefined],
  ] as const)
    assert.equal(temperatureOf({ temperature }), expected);
  assert.equal(stopsOf({ stopSequences: many }).length, 50);
});
