import assert from 'node:assert/strict';
import { describe, it } from '../../helpers/nodeTest.ts';
import { patternCost } from '../../../src/tools/patternCost.ts';

/** Pattern, and the degree of its bound; undefined where none is proven. */
const rows: readonly (readonly [pattern: string, degree: number | undefined])[] = [
  ['^abc$', 0],
  ['abc', 1],
  ['^[a-z]+$', 1],
  ['[a-z]+', 2],
  ['^[a-zA-Z0-9_-]{1,64}$', 0],
  ['^\\d{4}-\\d{2}-\\d{2}$', 0],
  ['^a*a*$', 2],
  ['^a*a*a*a*$', 4],
  ['^a*a*a*a*a*$', undefined],
  ['^(a|b)$', 0],
  ['^(a|b)|c$', 1],
  ['^(?:a|b){2}$', 0],
  ['^(?:a+){3}$', 3],
  ['^(a+)+$', undefined],
  ['^(a|a)*$', undefined],
  ['^(a?)*$', undefined],
  ['^(ab)*$', 1],
  ['^(?!x)(?=.*y)[a-z]+$', 2],
  ['^(a)\\1*$', undefined],
  ['^(?<x>a)\\k<x>$', undefined],
  ['^\\p{L}+\\u{1F600}$', 1],
  ['^[\\]a]*$', 1],
  ['^a{$', 0],
  ['^a{100000}$', undefined],
  ['^(?:a{1000}){1000}$', undefined],
  ['(', undefined],
  ['[', undefined],
  ['a)', undefined],
  ['(?i)a', undefined],
  ['', 1],
  ['x'.repeat(2000), undefined],
  ['('.repeat(100) + ')'.repeat(100), undefined],
];

describe('patternCost', () => {
  for (const [pattern, degree] of rows) {
    it(JSON.stringify(pattern.slice(0, 40)), () => assert.equal(patternCost(pattern)?.degree, degree));
  }

  it('does not count alternatives that begin differently twice', () => {
    const date = '^(0[1-9]|[12][0-9]|3[01])-(0[1-9]|1[012])$';
    const same = '^(01|02|03)-(01|02)$';
    assert.deepEqual(
      [patternCost(date), patternCost(same)],
      [
        { degree: 0, factor: 13 },
        { degree: 0, factor: 28 },
      ],
    );
  });
});
