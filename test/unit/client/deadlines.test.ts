import assert from 'node:assert/strict';
import { DeadlineTimer } from '../../../src/client/deadlines.ts';
import { ManualClock } from '../../helpers/manualClock.ts';
import { describe, it } from '../../helpers/nodeTest.ts';

describe('DeadlineTimer', () => {
  it('fires for the earliest, then for what is next', () => {
    const clock = new ManualClock();
    const due = [500, 100, 300];
    const fired: number[] = [];
    const timer = new DeadlineTimer(clock, () => {
      fired.push(clock.monotonic());
      return Math.min(...due.filter((deadline) => deadline > clock.monotonic()), Infinity);
    });
    for (const deadline of due) timer.arm(deadline);
    assert.equal(clock.waiting, 1);
    clock.advance(10_000);
    assert.deepEqual([fired, clock.waiting], [[100, 300, 500], 0]);
  });

  it('takes deadlines that no timer can wait for, and none at all', () => {
    const clock = new ManualClock();
    const timer = new DeadlineTimer(clock, () => 10 ** 10);
    timer.arm(Infinity);
    assert.equal(clock.waiting, 0);
    timer.arm(10 ** 10);
    clock.advance(2 ** 31);
    assert.equal(clock.waiting, 1);
    timer.dispose();
    assert.equal(clock.waiting, 0);
  });
});
