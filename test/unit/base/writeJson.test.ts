import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { TimeSlice } from '../../../src/base/timeSlice.ts';
import { writeJson } from '../../../src/base/writeJson.ts';
import { describe, it } from '../../helpers/nodeTest.ts';

const nest = (levels: number, inner: unknown): unknown =>
  Array.from({ length: levels }).reduce<unknown>(
    (value, _, level) => (level % 2 ? [value] : { value }),
    inner,
  );
const many = Array.from({ length: 9000 }, (_, id) => ({
  id,
  name: `n${id}`,
  tags: ['a', { b: [] }],
  none: null,
}));

const values: readonly (readonly [name: string, value: unknown])[] = [
  ['a small value', { a: [1, { b: 'x' }], c: {} }],
  ['a scalar', 3],
  ['a long list of small things', many],
  ['a long list in an object', { rows: many, more: [many, [], {}, 'x'], last: 1 }],
  ['a wide object', Object.fromEntries(many.map((row) => [row.name, row]))],
  ['numbers', Array.from({ length: 20_000 }, (_, index) => index / 7)],
  ['empty lists', Array.from({ length: 20_000 }, () => [])],
  ['a long text', 'a "line"\n\u0007😀'.repeat(20_000)],
  ['a text whose pairs stand at every cut', `x${'😀'.repeat(60_000)}`],
  ['half pairs of surrogates', `\ud83d${'😀'.repeat(60_000)}\ud83d`],
  [
    'long texts in lists and objects',
    { a: ['x'.repeat(200_000), 'y'.repeat(200_000)], b: 'z'.repeat(60_000) },
  ],
  ['a small value deep inside', nest(200, many)],
  ['absent members', { a: undefined, rows: many, b: undefined }],
  ['a name of its own kind', JSON.parse(`{"__proto__":${JSON.stringify(many)},"":[]}`)],
  ['small and large in turn', [many, 1, 2, many, {}, [], many, 'x']],
];

describe('writing long JSON in pieces', () => {
  for (const [name, value] of values) {
    it(`writes what JSON.stringify writes: ${name}`, async () => {
      for (const indent of [undefined, 2]) {
        const layout = indent === undefined ? {} : { indent };
        const written = await writeJson(value, layout, new TimeSlice());
        const text = written.pieces.join('');
        assert.ok(text === JSON.stringify(value, undefined, indent), `indent ${indent}`);
        assert.deepEqual([written.length, written.isWhole], [text.length, true]);
      }
    });
  }

  it('writes what JSON.stringify writes of any JSON, in long lists', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.jsonValue(), { maxLength: 6 }), async (part) => {
        const value = { part, long: Array.from({ length: 400 }, () => part) };
        for (const indent of [0, 2, 4]) {
          const { pieces } = await writeJson(value, { indent }, new TimeSlice());
          assert.equal(pieces.join(''), JSON.stringify(value, undefined, indent));
        }
      }),
      { numRuns: 60 },
    );
  });

  it('ends soon after the bound', async () => {
    const { pieces, length, isWhole } = await writeJson(many, { most: 100_000 }, new TimeSlice());
    assert.equal(isWhole, false);
    assert.ok(length > 100_000 && length < 300_000);
    assert.ok(JSON.stringify(many).startsWith(pieces.join('')));
  });
});
