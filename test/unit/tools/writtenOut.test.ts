import assert from 'node:assert/strict';
import { TimeSlice } from '../../../src/base/timeSlice.ts';
import type { JsonValue } from '../../../src/base/json.ts';
import { findWrittenOut } from '../../../src/tools/writtenOut.ts';
import { describe, it } from '../../helpers/nodeTest.ts';

const rows = Array.from({ length: 60_000 }, (_, id) => ({ id, name: `n${id}`, tags: ['a', 'b'], ok: true }));
const turned = rows.map(({ id, name, tags, ok }) => ({ ok, tags, name, id }));
const shifted = rows.with(59_999, { id: 59_999, name: 'another', tags: ['a', 'b'], ok: true });

const table: readonly (readonly [
  name: string,
  texts: readonly (string | undefined)[],
  value: JsonValue,
  found: number | undefined,
])[] = [
  ['compact', ['x', JSON.stringify({ a: 1 })], { a: 1 }, 1],
  ['in another order, with other spaces', ['{ "b":[1, 2],\n"a" :{} }'], { a: {}, b: [1, 2] }, 0],
  ['a scalar', ['5'], 5, 0],
  ['a text', ['yes', '"yes"'], 'yes', 1],
  ['null', ['null'], null, 0],
  ['another value', ['{"a":2}'], { a: 1 }, undefined],
  ['more', ['{"a":1,"b":2}'], { a: 1 }, undefined],
  ['less', ['{"a":1}'], { a: 1, b: 2 }, undefined],
  ['a list and an object', ['{"0":1}'], [1], undefined],
  ['a member that is only inherited', ['{"toString":1}'], { valueOf: 1 }, undefined],
  ['no text at all', [undefined], { a: 1 }, undefined],
  ['far more white space than anybody writes', [`{"a":1${' '.repeat(1_000_000)}}`], { a: 1 }, undefined],
  ['megabytes, compact', [JSON.stringify(rows)], rows, 0],
  ['megabytes, indented', [JSON.stringify(rows, undefined, 4)], rows, 0],
  ['megabytes, in another order', ['[1]', JSON.stringify(turned)], rows, 1],
  ['megabytes, different at the end', [JSON.stringify(shifted)], rows, undefined],
];

describe('structured content that is written out as text', () => {
  for (const [name, texts, value, found] of table) {
    it(`${name}: ${found === undefined ? 'not found' : 'found'}`, async () => {
      assert.equal(await findWrittenOut(texts, value, new TimeSlice()), found);
    });
  }
});
