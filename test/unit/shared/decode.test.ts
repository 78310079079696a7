import assert from 'node:assert/strict';
import {
  type Decoder,
  boolean,
  decode,
  list,
  literal,
  number,
  object,
  oneOf,
  optional,
  text,
  union,
} from '../../../src/shared/decode.ts';
import { json, jsonObject } from '../../../src/shared/jsonDecoder.ts';
import { it } from '../../helpers/nodeTest.ts';

const person = object({ name: text(5), age: optional(number(0, 150)) });
const shape = union<object>({
  dot: object({ kind: literal('dot') }),
  box: object({ kind: literal('box'), size: number() }),
});
const limits = { depth: 2, values: 5 };

const rows: readonly {
  readonly decoder: Decoder<unknown>;
  readonly value: unknown;
  readonly expected: unknown;
}[] = [
  { decoder: text(3), value: 'abc', expected: 'abc' },
  { decoder: text(3), value: 'abcd', expected: 'message: expected at most 3 characters' },
  { decoder: text(3), value: new String('abc'), expected: 'message: expected a string' },
  { decoder: number(0, 1), value: 0.5, expected: 0.5 },
  { decoder: number(0, 1), value: 2, expected: 'message: expected a number in range' },
  { decoder: number(), value: Number.NaN, expected: 'message: expected a number in range' },
  { decoder: number(), value: Infinity, expected: 'message: expected a number in range' },
  { decoder: boolean, value: 1, expected: 'message: expected true or false' },
  { decoder: oneOf(['a', 'b']), value: 'b', expected: 'b' },
  { decoder: oneOf(['a', 'b']), value: 'toString', expected: 'message: expected a | b' },
  { decoder: list(text(1), 2), value: ['a', 'b'], expected: ['a', 'b'] },
  { decoder: list(text(1), 2), value: ['a', 'bb'], expected: 'message[1]: expected at most 1 characters' },
  { decoder: list(text(1), 2), value: ['a', 'b', 'c'], expected: 'message: expected at most 2 entries' },
  { decoder: list(text(1), 2), value: { length: 1, 0: 'a' }, expected: 'message: expected a list' },
  { decoder: person, value: { name: 'Kim', age: 3, more: true }, expected: { name: 'Kim', age: 3 } },
  { decoder: person, value: { name: 'Kim', age: undefined }, expected: { name: 'Kim' } },
  { decoder: person, value: { age: 3 }, expected: 'message.name: expected a string' },
  { decoder: person, value: Object.create({ name: 'Kim' }), expected: 'message.name: expected a string' },
  { decoder: person, value: { name: 'Kim', age: null }, expected: 'message.age: expected a number in range' },
  { decoder: person, value: [], expected: 'message: expected an object' },
  { decoder: shape, value: { kind: 'box', size: 1 }, expected: { kind: 'box', size: 1 } },
  { decoder: shape, value: { kind: 'toString' }, expected: 'message.kind: expected dot | box' },
  { decoder: shape, value: null, expected: 'message.kind: expected dot | box' },
  { decoder: json(limits), value: [1, { a: null }], expected: [1, { a: null }] },
  { decoder: json(limits), value: [[[1]]], expected: 'message: expected JSON within limits' },
  { decoder: json(limits), value: [1, 2, 3, 4, 5], expected: 'message: expected JSON within limits' },
  { decoder: json(limits), value: [undefined], expected: 'message: expected JSON within limits' },
  { decoder: json(limits), value: () => 1, expected: 'message: expected JSON within limits' },
  { decoder: jsonObject(limits), value: [], expected: 'message: expected a JSON object within limits' },
];

for (const { decoder, value, expected } of rows) {
  it(`${describeValue(value)} gives ${JSON.stringify(expected)}`, () => {
    const decoded = decode(decoder, value);
    assert.deepEqual(decoded.ok ? decoded.value : decoded.problem, expected);
  });
}

it('an object that throws when it is read does so to the caller, not into the page', () => {
  const trap = {
    get name(): string {
      throw new Error('trap');
    },
  };
  assert.throws(() => decode(person, trap), /trap/);
});

it('depth beyond the stack is refused, not a crash', () => {
  let deep: unknown = [];
  for (let level = 0; level < 1_000_000; level += 1) deep = [deep];
  assert.equal(decode(json({ depth: 100, values: 1000 }), deep).ok, false);
});

function describeValue(value: unknown): string {
  return typeof value === 'function' ? 'a function' : (JSON.stringify(value) ?? 'undefined');
}
