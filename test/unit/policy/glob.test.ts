import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { HostError } from '../../../src/base/errors.ts';
import { compileGlob, escapeGlob } from '../../../src/policy/glob.ts';
import { describe, it } from '../../helpers/nodeTest.ts';

describe('compileGlob', () => {
  const rows: readonly (readonly [pattern: string, yes: readonly string[], no: readonly string[]])[] = [
    ['', [''], ['a']],
    ['abc', ['abc'], ['abcd', 'xabc', 'ABC', '']],
    ['*', ['', 'a', 'a/b', 'a\nb'], []],
    ['a*', ['a', 'ab', 'a/b'], ['ba', '']],
    ['*a', ['a', 'ba'], ['ab']],
    ['a*b*c', ['abc', 'a-b-c', 'abbc'], ['acb', 'ab']],
    ['a?c', ['abc', 'a/c', 'a😀c'], ['ac', 'abbc']],
    ['[abc]', ['a', 'c'], ['d', 'ab', '']],
    ['[a-c]x', ['ax', 'cx'], ['dx', '-x']],
    ['[!a-c]', ['d', '-'], ['a', '']],
    ['[^a]', ['b'], ['a']],
    ['[]a]', [']', 'a'], ['[']],
    ['[a-]', ['a', '-'], ['b']],
    ['[😀-😂]', ['😁'], ['a']],
    ['{a,b}', ['a', 'b'], ['ab', '{a,b}', 'a,b']],
    ['x{a,b{c,d}}y', ['xay', 'xbcy', 'xbdy'], ['xby', 'xbcdy']],
    ['{,a}b', ['b', 'ab'], ['a']],
    ['a,b', ['a,b'], ['a']],
    ['a}b', ['a}b'], ['a']],
    ['\\*', ['*'], ['a', '\\*']],
    ['\\{a,b\\}', ['{a,b}'], ['a']],
    ['[{]', ['{'], ['a']],
    ['a.b', ['a.b'], ['axb']],
    ['(a|b)+$', ['(a|b)+$'], ['a']],
  ];
  for (const [pattern, yes, no] of rows) {
    it(`reads ${pattern}`, () => {
      const matches = compileGlob(pattern);
      assert.deepEqual([...yes, ...no].filter(matches), yes);
    });
  }

  const segments: readonly (readonly [pattern: string, yes: readonly string[], no: readonly string[]])[] = [
    ['*', ['a', ''], ['a/b', 'a\\b']],
    ['**', ['a', 'a/b', 'a\\b'], []],
    ['a/*', ['a/', 'a/b'], ['a/b/c']],
    ['a/**', ['a/b/c', 'a/'], ['a', 'b/a/x']],
    ['a/**/c', ['a/b/c', 'a/b/x/c', 'a//c'], ['a/c']],
    ['a***b', ['a/x/b'], []],
    ['a?b', ['axb'], ['a/b']],
    ['[!x]', ['a', '/'], ['x']],
  ];
  for (const [pattern, yes, no] of segments) {
    it(`reads ${pattern} by segments`, () => {
      const matches = compileGlob(pattern, { segments: true });
      assert.deepEqual([...yes, ...no].filter(matches), yes);
    });
  }

  it('leaves the case of letters aside if told so', () => {
    const matches = compileGlob('Straße_[A-C]*', { ignoreCase: true });
    assert.deepEqual(['STRASSE_b', 'strasse_Cx', 'straße_a', 'strasse_d'].filter(matches), [
      'STRASSE_b',
      'strasse_Cx',
      'straße_a',
    ]);
  });

  const wrong: readonly (readonly [pattern: string, message: RegExp])[] = [
    ['{a', /without its "}"/],
    ['{a}', /single text/],
    ['[a', /without its "\]"/],
    ['a\\', /ends with a "\\"/],
    ['[z-a]', /wrong way round/],
    ['x'.repeat(1001), /longer than 1000/],
    ['{a,b}'.repeat(7), /more than 64/],
  ];
  for (const [pattern, message] of wrong) {
    it(`refuses ${pattern.slice(0, 20)}`, () => {
      assert.throws(
        () => compileGlob(pattern),
        (error) =>
          error instanceof HostError && error.code === 'invalidConfiguration' && message.test(error.message),
      );
    });
  }

  it('escapes so that only the text itself matches', () => {
    const text = fc.string({ unit: fc.constantFrom(...Array.from('ab*?[]{},\\!-^/😀')) });
    fc.assert(
      fc.property(text, text, fc.boolean(), (one, other, segments) => {
        assert.equal(compileGlob(escapeGlob(one), { segments })(other), one === other);
      }),
    );
    fc.assert(fc.property(text, (one) => assert.ok(compileGlob(escapeGlob(one))(one))));
  });

  it('agrees with a plain reading of stars', () => {
    const reference = (pattern: string, text: string): boolean => {
      if (pattern === '') return text === '';
      if (pattern[0] === '*') {
        return reference(pattern.slice(1), text) || (text !== '' && reference(pattern, text.slice(1)));
      }
      return (
        text !== '' &&
        (pattern[0] === '?' || pattern[0] === text[0]) &&
        reference(pattern.slice(1), text.slice(1))
      );
    };
    const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?'), maxLength: 8 });
    const text = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 10 });
    fc.assert(
      fc.property(pattern, text, (p, t) => assert.equal(compileGlob(p)(t), reference(p, t))),
      { numRuns: 1000 },
    );
  });
});
