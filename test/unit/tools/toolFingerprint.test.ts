import assert from 'node:assert/strict';
import { describe, it } from '../../helpers/nodeTest.ts';
import { digest } from '../../../src/base/canonicalJson.ts';
import type { JsonObject } from '../../../src/base/json.ts';
import { toolFingerprint } from '../../../src/tools/toolFingerprint.ts';

function nested(depth: number): JsonObject {
  let value: JsonObject = {};
  for (let level = 0; level < depth; level += 1) value = { a: value };
  return value;
}

describe('toolFingerprint', () => {
  it('is the digest of the canonical definition', () => {
    const definition = { name: 'a', inputSchema: { type: 'object' } };
    assert.deepEqual(toolFingerprint(definition), {
      kind: 'taken',
      digest: digest(definition),
      wellFormed: true,
    });
  });

  it('does not depend on the order of keys', () => {
    assert.deepEqual(
      toolFingerprint({ name: 'a', description: 'b' }),
      toolFingerprint({ description: 'b', name: 'a' }),
    );
  });

  it('tells a `__proto__` member from none', () => {
    const withProto: unknown = JSON.parse('{"name":"a","inputSchema":{"__proto__":{"type":"object"}}}');
    const without = { name: 'a', inputSchema: {} };
    assert.notDeepEqual(toolFingerprint(withProto as JsonObject), toolFingerprint(without));
  });

  it('takes halves of surrogate pairs, tells them apart and says so', () => {
    const texts = ['\ud83d', '\ud83c', '\\ud83d', '\ude00', '\ufffd', '\ud83d\ude00'];
    const found = texts.map((description) => toolFingerprint({ name: 'a', description }));
    assert.deepEqual(
      found.map((item) => (item.kind === 'taken' ? item.wellFormed : item)),
      [false, false, true, false, true, true],
    );
    assert.equal(new Set(found.map((item) => (item.kind === 'taken' ? item.digest : ''))).size, texts.length);
  });

  it('orders keys with halves of surrogate pairs too', () => {
    assert.deepEqual(toolFingerprint({ '\ud800': 1, a: 2 }), toolFingerprint({ a: 2, '\ud800': 1 }));
  });

  const refused: readonly (readonly [string, JsonObject, string])[] = [
    ['too deep', nested(5000), 'The definition has more than 200 levels of nesting.'],
    [
      'too many values',
      { list: Array.from({ length: 250_000 }, () => 0) },
      'The definition has more than 60000 values.',
    ],
    ['too long', { text: 'x'.repeat(5_000_000) }, 'The definition has more than 2097152 characters.'],
  ];
  for (const [title, definition, reason] of refused) {
    it(`refuses what is ${title}`, () => {
      assert.deepEqual(toolFingerprint(definition), { kind: 'refused', reason });
    });
  }
});
