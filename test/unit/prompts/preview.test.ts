import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/base/json.ts';
import { argumentsPreview, cut } from '../../../src/prompts/preview.ts';
import { it } from '../../helpers/nodeTest.ts';

for (const [value, expected] of [
  [{}, ''],
  [{ a: 'x', b: 1, c: true, d: null }, 'a: x, b: 1, c: true, d: null'],
  [{ a: [], b: [1], c: [1, 2], d: {} }, 'a: 0 entries, b: 1 entry, c: 2 entries, d: {…}'],
  [{ a: ' two\n\n lines ' }, 'a:  two lines '],
  [{ password: 'hunter2', pwd: 'no' }, 'password: ••••••••, pwd: no'],
  [{ note: `Bearer ${'x'.repeat(20)}, then` }, 'note: ••••••••, then'],
  [{ note: `Bearer ${'x'.repeat(3_000)}` }, 'note: ••••••••'],
] as const satisfies readonly (readonly [JsonObject, string])[]) {
  it(`${JSON.stringify(value)} in one line: ${expected}`, () => {
    assert.equal(argumentsPreview(value), expected);
  });
}

it('long arguments are cut, and cost no more than what is shown of them', () => {
  const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`k${index}`, 'v']));
  assert.equal(argumentsPreview(many).length, 120);
  assert.equal(argumentsPreview({ a: 'x'.repeat(10_000_000) }).length, 120);
});

for (const [text, max, expected] of [
  ['abc', 3, 'abc'],
  ['abcd', 3, 'ab…'],
  ['a👍cd', 3, 'a…'],
  ['👍👍', 3, '👍…'],
] as const) {
  it(`${text} cut to ${max}: ${expected}`, () => assert.equal(cut(text, max), expected));
}
