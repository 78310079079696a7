import assert from 'node:assert/strict';
import { HostError } from '../../../src/base/errors.ts';
import type { Reading } from '../../../src/policy/rule.ts';
import { compilePattern } from '../../../src/policy/safePattern.ts';
import { WorkBudget } from '../../../src/policy/workBudget.ts';
import { describe, it } from '../../helpers/nodeTest.ts';

describe('compilePattern', () => {
  it('matches the whole text strictly and a part of it generously', () => {
    const judge = (reading: Reading) => (text: string) =>
      compilePattern('a+', reading)(text, new WorkBudget());
    const [strict, generous] = [judge('strict'), judge('generous')];
    assert.deepEqual(['aa', 'baa', 'aa\n', 'b'].map(strict), ['yes', 'no', 'no', 'no']);
    assert.deepEqual(['aa', 'baa', 'aa\n', 'b'].map(generous), ['yes', 'yes', 'yes', 'no']);
  });

  // Each of these takes an engine that goes back and forth longer than anyone waits.
  const runaways: readonly (readonly [pattern: string, text: string])[] = [
    ['(a+)+$', `${'a'.repeat(5000)}b`],
    ['(a|aa)+$', `${'a'.repeat(5000)}b`],
    ['(.*a){15}$', `${'a'.repeat(5000)}b`],
    ['^(([a-z])+.)+[A-Z]([a-z])+$', 'a'.repeat(5000)],
    ['(x+x+)+y', 'x'.repeat(5000)],
  ];
  for (const [pattern, text] of runaways) {
    it(`ends for ${pattern}`, () =>
      assert.equal(compilePattern(pattern, 'generous')(text, new WorkBudget()), 'no'));
  }

  it('does not judge what would cost more than is left', () => {
    const judge = compilePattern('(a|b)*a(a|b){400}c', 'generous');
    const work = new WorkBudget();
    assert.deepEqual(
      ['ab', 'ab'.repeat(100_000), 'ab'].map((text) => judge(text, work)),
      ['no', 'unsure', 'no'],
    );
    const little = new WorkBudget(3000);
    assert.deepEqual(
      ['ab', 'ab', 'ab'].map((text) => judge(text, little)),
      ['no', 'unsure', 'unsure'],
    );
  });

  const wrong: readonly (readonly [pattern: string, message: RegExp])[] = [
    ['(?=a)b', /Look-around/],
    ['(a)\\1', /back-references/],
    ['(', /RE2/],
    ['a{5000}', /RE2/],
    ['x'.repeat(1001), /longer than 1000/],
    ['((a{100}){10}){9}', /RE2|too large/],
    ['(?:abcdefgh){900}', /too large/],
  ];
  for (const [pattern, message] of wrong) {
    it(`refuses ${pattern.slice(0, 20)}`, () => {
      assert.throws(
        () => compilePattern(pattern, 'strict'),
        (error) =>
          error instanceof HostError && error.code === 'invalidConfiguration' && message.test(error.message),
      );
    });
  }
});
