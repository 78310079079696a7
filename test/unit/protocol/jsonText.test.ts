import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { inspectJsonText } from '../../../src/protocol/jsonText.ts';
import { describe, it } from '../../helpers/nodeTest.ts';

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

describe('inspectJsonText', () => {
  it('agrees with the value about its depth, and finds nothing else', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
        const text = JSON.stringify(value);
        const depth = depthOf(value);
        assert.equal(inspectJsonText(text, value, depth).flaw, undefined);
        if (depth > 0) assert.match(inspectJsonText(text, value, depth - 1).flaw ?? '', /deep/);
      }),
    );
  });

  it('finds a key that is written twice, wherever it is', () => {
    const wrapped = fc.tuple(fc.string(), fc.jsonValue(), fc.jsonValue(), fc.array(fc.jsonValue()));
    fc.assert(
      fc.property(wrapped, ([key, one, other, beside]) => {
        const name = JSON.stringify(key);
        const twice = `{${name}:${JSON.stringify(one)},${name}:${JSON.stringify(other)}}`;
        const text = `[${[...beside.map((value) => JSON.stringify(value)), twice].join(',')}]`;
        // Two equal keys: the second value wins, whose members are then the only ones counted.
        const members = JSON.stringify(one);
        assert.match(
          inspectJsonText(text, JSON.parse(text), 1_000).flaw ?? `missed beside ${members}`,
          /twice/,
        );
      }),
    );
  });

  it('takes time in proportion to the text, whatever it is made of', () => {
    const hostile = `["${'\\\\'.repeat(500_000)}\\"${'\\"'.repeat(500_000)}"]`;
    assert.equal(inspectJsonText(hostile, JSON.parse(hostile), 10).flaw, undefined);
  });
});
