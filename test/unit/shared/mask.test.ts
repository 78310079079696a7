import assert from 'node:assert/strict';
import { maskRanges, maskText, maskedArguments } from '../../../src/shared/mask.ts';
import type { RiskNote, TextRange } from '../../../src/shared/riskNote.ts';
import { it } from '../../helpers/nodeTest.ts';

const m = maskText;
for (const { ranges, expected } of [
  { ranges: [], expected: '0123456789' },
  { ranges: [{ start: 0, end: 10 }], expected: m },
  { ranges: [{ start: 2, end: 4 }], expected: `01${m}456789` },
  {
    ranges: [
      { start: 6, end: 8 },
      { start: 2, end: 4 },
    ],
    expected: `01${m}45${m}89`,
  },
  {
    ranges: [
      { start: 2, end: 6 },
      { start: 4, end: 8 },
    ],
    expected: `01${m}${m}89`,
  },
  {
    ranges: [
      { start: 2, end: 8 },
      { start: 3, end: 4 },
    ],
    expected: `01${m}89`,
  },
  { ranges: [{ start: 8, end: 99 }], expected: `01234567${m}` },
]) {
  it(`${JSON.stringify(ranges)} masks ${expected}`, () =>
    assert.equal(maskRanges('0123456789', ranges), expected));
}

const note = (path: string, ranges: readonly TextRange[], change: Partial<RiskNote> = {}): RiskNote => ({
  kind: 'secret',
  severity: 'caution',
  subject: { kind: 'argument', path, part: 'value' },
  message: '',
  ranges,
  ...change,
});

it('arguments are masked where the notes say, and nowhere else', () => {
  const all = [{ start: 0, end: 3 }];
  const value = { a: 'abc', list: ['abc', { 'x/y~z': 'abc' }], plain: 'abc', n: 1 };
  const notes = [
    note('/a', all),
    note('/list/1/x~1y~0z', all),
    note('/plain', all, { kind: 'urlHost' }),
    note('/n', all),
    note('/list/0', all, { subject: { kind: 'argument', path: '/list/0', part: 'key' } }),
  ];
  assert.deepEqual(maskedArguments(value, notes), {
    a: m,
    list: ['abc', { 'x/y~z': m }],
    plain: 'abc',
    n: 1,
  });
  assert.equal(maskedArguments(value, []), value);
});
