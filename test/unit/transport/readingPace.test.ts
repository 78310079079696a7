import assert from 'node:assert/strict';
import { ReadingPace } from '../../../src/transport/readingPace.ts';
import { describe, it } from '../../helpers/nodeTest.ts';

/** Work that ended at a time, and how long the rest after it has to be. */
type Step = readonly [worked: number, endedAt: number, rest: number];

const rows: readonly (readonly [string, readonly Step[]])[] = [
  [
    'little work',
    [
      [10, 100, 0],
      [10, 200, 0],
      [10, 300, 0],
    ],
  ],
  [
    'half of the time',
    [
      [250, 250, 0],
      [250, 600, 400],
    ],
  ],
  [
    'all of the time',
    [
      [499, 499, 0],
      [8, 507, 493],
    ],
  ],
  ['one long piece', [[900, 900, 100]]],
  ['a piece longer than the window', [[3_000, 3_000, 0]]],
  [
    'much, but long ago',
    [
      [499, 499, 0],
      [400, 1_600, 0],
    ],
  ],
  [
    'again after the rest',
    [
      [600, 600, 400],
      [600, 1_700, 400],
    ],
  ],
];

describe('the pace of a channel', () => {
  for (const [name, steps] of rows)
    it(`after ${name}`, () => {
      const pace = new ReadingPace();
      for (const [worked, now, rest] of steps) {
        pace.worked(worked, now);
        assert.equal(pace.rest(now), rest, `at ${now}`);
      }
    });
});
