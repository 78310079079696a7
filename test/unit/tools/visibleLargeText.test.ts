import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { TimeSlice } from '../../../src/base/timeSlice.ts';
import { visibleText } from '../../../src/shared/visibleText.ts';
import { visibleLargeText } from '../../../src/tools/visibleLargeText.ts';
import { describe, it } from '../../helpers/nodeTest.ts';

/** What hides, what saves it from being hidden, and what has no part in that. */
const units = [
  'a',
  'Z',
  ' ',
  '\n',
  '\r',
  '\r\n',
  '#',
  '7',
  '*',
  '-',
  'é',
  '中',
  '\u0645',
  '\u0915',
  '\ufe0f',
  '\ufe0e',
];
const more = [
  '\u200d',
  '\u200c',
  '\u202e',
  '\u00ad',
  '😀',
  '👩',
  '\u{1f3fd}',
  '\ud83d',
  '\ude00',
  '❤',
  '♀',
  '\u{e0041}',
];

describe('a long text with its hidden characters made visible', () => {
  it('is what it would be in one go, wherever it is parted', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...units, ...more), { maxLength: 40 }),
        fc.integer({ min: 1, max: 9 }),
        async (parts, piece) => {
          const text = parts.join('');
          assert.equal(await visibleLargeText(text, new TimeSlice(), piece), visibleText(text));
        },
      ),
      { numRuns: 3000 },
    );
  });
});
