import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/base/json.ts';
import { loadCompiler } from '../../../src/tools/schemaCompile.ts';
import { compileSchema } from '../../../src/tools/schemaReading.ts';
import { describe, it } from '../../helpers/nodeTest.ts';

const text: JsonObject = { $anchor: 'text', type: ['string', 'integer'] };
const count: JsonObject = { type: 'integer' };
const tree: JsonObject = {
  $dynamicAnchor: 'node',
  properties: { children: { type: 'array', items: { $dynamicRef: '#node' } }, name: { type: 'string' } },
};

/** 2020-12, core 8.2.3.2: without a dynamic anchor of its name, `$dynamicRef` is a plain reference. */
const rows: readonly (readonly [
  title: string,
  schema: JsonObject,
  values: readonly (readonly [unknown, string])[],
])[] = [
  [
    'to an anchor',
    { properties: { a: { $dynamicRef: '#text' } }, $defs: { text } },
    [
      [{ a: 'x' }, 'valid'],
      [{ a: true }, 'invalid'],
    ],
  ],
  [
    'to a place, beside another reference',
    { properties: { a: { $dynamicRef: '#/$defs/count', $ref: '#text' } }, $defs: { text, count } },
    [
      [{ a: 1 }, 'valid'],
      [{ a: 'x' }, 'invalid'],
    ],
  ],
  [
    'to a dynamic anchor',
    tree,
    [
      [{ children: [{ name: 'x', children: [{}] }] }, 'valid'],
      [{ children: [{ name: 1 }] }, 'invalid'],
    ],
  ],
];

describe('$dynamicRef', () => {
  for (const [title, schema, values] of rows) {
    it(title, async () => {
      const compiled = compileSchema(schema, await loadCompiler('2020-12'));
      assert.equal(compiled.kind, 'compiled');
      if (compiled.kind !== 'compiled') return;
      for (const [value, verdict] of values) {
        assert.equal(compiled.check(value).kind, verdict, JSON.stringify(value));
      }
    });
  }

  it('to nothing', async () => {
    const schema = { properties: { a: { $dynamicRef: '#nothing' } } };
    assert.deepEqual(compileSchema(schema, await loadCompiler('2020-12')), {
      kind: 'unusable',
      reason: 'The reference "#nothing" leads nowhere; other documents are never fetched.',
    });
  });
});
