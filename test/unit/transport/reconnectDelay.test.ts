import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { reconnectDelay } from '../../../src/transport/reconnectDelay.ts';

const limits = { reconnectMs: 1_000, maxReconnectMs: 60_000 };
const rows: readonly [retryMs: number | undefined, failures: number, delay: number][] = [
  [undefined, 0, 1_000],
  [undefined, 1, 2_000],
  [undefined, 5, 32_000],
  [undefined, 6, 60_000],
  [undefined, 1e9, 60_000],
  [500, 0, 500],
  [500, 2, 2_000],
  [0, 0, 20],
  [0, 50, 20],
  [90_000, 0, 90_000],
  [90_000, 9, 90_000],
  [1e20, 0, 2_147_483_647],
];
for (const [retryMs, failures, delay] of rows) {
  test(`reconnect after ${String(retryMs)} ms asked and ${failures} failures`, () => {
    assert.equal(reconnectDelay({ retryMs, failures }, limits), delay);
  });
}

test('a delay is never shorter than the server asked, and always one that a timer can keep', () => {
  fc.assert(
    fc.property(fc.nat({ max: 2 ** 31 - 1 }), fc.nat(), (retryMs, failures) => {
      const delay = reconnectDelay({ retryMs, failures }, limits);
      assert.ok(delay >= retryMs && delay < 2 ** 31);
    }),
  );
});
