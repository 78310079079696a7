import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { type ReconnectFacts, reconnectDelay } from '../../../src/transport/reconnectDelay.ts';

const limits = { reconnectMs: 1_000, minReconnectMs: 100, maxReconnectMs: 60_000 };
const calm: ReconnectFacts = { retryMs: undefined, failures: 0, hasty: 0 };
const rows: readonly [facts: Partial<ReconnectFacts>, random: number, delay: number][] = [
  [{}, 0, 1_000],
  [{}, 0.5, 1_125],
  [{ failures: 1 }, 0, 2_000],
  [{ failures: 5 }, 0, 32_000],
  [{ failures: 6 }, 0, 60_000],
  [{ failures: 1e9 }, 0, 60_000],
  [{ retryMs: 500 }, 0, 500],
  [{ retryMs: 500, failures: 2 }, 0, 2_000],
  [{ retryMs: 500, hasty: 2 }, 0, 500],
  [{ retryMs: 500, hasty: 3 }, 0, 800],
  [{ retryMs: 0 }, 0, 100],
  [{ retryMs: 0, failures: 3 }, 0, 800],
  [{ retryMs: 0, failures: 50 }, 0, 60_000],
  [{ retryMs: 0, hasty: 1 }, 0, 200],
  [{ retryMs: 0, hasty: 1e9 }, 0, 1_600],
  [{ retryMs: 90_000 }, 0, 90_000],
  [{ retryMs: 90_000, failures: 9 }, 0, 90_000],
  [{ retryMs: 1e20 }, 0, 2_147_483_647],
];
for (const [facts, random, delay] of rows) {
  test(`reconnect after ${JSON.stringify(facts)}, with ${random} of the jitter`, () => {
    assert.equal(reconnectDelay({ ...calm, ...facts }, limits, random), delay);
  });
}

test('a delay is never shorter than the server asked, never nothing, and always one that a timer can keep', () => {
  fc.assert(
    fc.property(
      fc.nat({ max: 2 ** 31 - 1 }),
      fc.nat(),
      fc.nat(),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      (retryMs, failures, hasty, random) => {
        const delay = reconnectDelay({ retryMs, failures, hasty }, limits, random);
        assert.ok(delay >= retryMs && delay >= 100 && delay < 2 ** 31);
      },
    ),
  );
});
