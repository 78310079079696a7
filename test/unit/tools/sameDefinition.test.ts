import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { canonicalJson } from '../../../src/base/canonicalJson.ts';
import type { JsonValue } from '../../../src/base/json.ts';
import { isSameAtAGlance } from '../../../src/tools/sameDefinition.ts';
import { describe, it } from '../../helpers/nodeTest.ts';

const base = '{"name":"a","inputSchema":{"type":"object","required":["q"]},"n":1}';

describe('a definition at a glance', () => {
  const others: readonly (readonly [what: string, json: string, same: boolean])[] = [
    ['is itself', base, true],
    ['is another with another text deep inside', base.replace('"q"', '"r"'), false],
    ['is another with one entry more', base.replace('"q"', '"q","r"'), false],
    ['is another with a list for an object', base.replace('["q"]', '{"0":"q"}'), false],
    ['is another with one member more', base.replace('"n":1', '"n":1,"m":1'), false],
    ['is another with one member less', base.replace(',"n":1', ''), false],
    ['is another with a member of another name', base.replace('"n"', '"m"'), false],
    ['is another with a text for a number', base.replace('"n":1', '"n":"1"'), false],
    ['is another with nothing for a number', base.replace('"n":1', '"n":null'), false],
    ['needs a second look with its members in another order', '{"n":1,' + base.slice(1, -7) + '}', false],
  ];
  for (const [what, json, same] of others) {
    it(what, () => {
      const [one, other] = [JSON.parse(base), JSON.parse(json)] as [JsonValue, JsonValue];
      assert.deepEqual([isSameAtAGlance(one, other), isSameAtAGlance(other, one)], [same, same]);
    });
  }

  it('is the same only where the fingerprint is', () => {
    const values = fc.jsonValue({ maxDepth: 3 }).map((value) => value as JsonValue);
    fc.assert(
      fc.property(values, values, (one, other) => {
        assert.equal(isSameAtAGlance(one, structuredClone(one)), true);
        if (isSameAtAGlance(one, other)) assert.equal(canonicalJson(one), canonicalJson(other));
      }),
    );
  });
});
