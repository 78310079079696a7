import assert from 'node:assert/strict';
import { RateWindow } from '../../../src/base/rateWindow.ts';
import { ManualClock } from '../../helpers/manualClock.ts';
import { it } from '../../helpers/nodeTest.ts';

it('a window of time lets so many through, says which is the last, and counts the rest', () => {
  const clock = new ManualClock();
  const missed: number[] = [];
  const window = new RateWindow({ clock, limit: 2, windowMs: 100, onMissed: (count) => missed.push(count) });
  const take = (count: number): string[] => Array.from({ length: count }, () => window.take());
  assert.deepEqual(take(4), ['passes', 'last', 'held', 'held']);
  clock.advance(99);
  assert.deepEqual([take(1), missed], [['held'], []]);
  clock.advance(1);
  assert.deepEqual([missed, take(1)], [[3], ['passes']]);
  clock.advance(100);
  assert.deepEqual([missed, take(3)], [[3], ['passes', 'last', 'held']]);
  window.dispose();
  assert.deepEqual([missed, clock.waiting], [[3, 1], 0]);
});
