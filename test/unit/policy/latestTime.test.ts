import assert from 'node:assert/strict';
import { LatestTime } from '../../../src/policy/latestTime.ts';
import { it } from '../../helpers/nodeTest.ts';

it('the latest time goes on when the clock is set back, and follows it when it is set ahead', () => {
  const times = { wall: 1_000, monotonic: 50 };
  const clock = { now: () => times.wall, monotonic: () => times.monotonic, after: () => assert.fail() };
  const latest = new LatestTime(clock);
  assert.equal(latest.now(), 1_000);
  Object.assign(times, { wall: 1_010, monotonic: 60 });
  assert.equal(latest.now(), 1_010);
  Object.assign(times, { wall: 10, monotonic: 70 });
  assert.equal(latest.now(), 1_020);
  Object.assign(times, { wall: 5_000, monotonic: 80 });
  assert.equal(latest.now(), 5_000);
});
