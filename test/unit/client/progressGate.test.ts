import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { ProgressGate, readProgress } from '../../../src/client/progressGate.ts';
import type { Progress } from '../../../src/protocol/model.ts';
import { ManualClock } from '../../helpers/manualClock.ts';
import { describe, it } from '../../helpers/nodeTest.ts';

describe('ProgressGate', () => {
  it('lets only growth through, at most ten times a second, and the last one always', () => {
    const steps = fc.array(fc.record({ wait: fc.integer({ min: 0, max: 150 }), progress: fc.double() }));
    fc.assert(
      fc.property(steps, (reports) => {
        const clock = new ManualClock();
        const seen: (Progress & { readonly at: number })[] = [];
        const gate = new ProgressGate(clock, (progress) => seen.push({ ...progress, at: clock.monotonic() }));
        let highest = -Infinity;
        for (const { wait, progress } of reports) {
          clock.advance(wait);
          assert.equal(gate.accept({ progress }), progress > highest);
          if (progress > highest) highest = progress;
        }
        clock.advance(100);
        assert.equal(seen.at(-1)?.progress, highest === -Infinity ? undefined : highest);
        for (const [index, { progress, at }] of seen.entries()) {
          const before = seen[index - 1];
          if (before !== undefined) assert.ok(progress > before.progress && at - before.at >= 100);
        }
      }),
    );
  });

  it('says nothing after the end', () => {
    const clock = new ManualClock();
    const seen: Progress[] = [];
    const gate = new ProgressGate(clock, (progress) => seen.push(progress));
    gate.accept({ progress: 1 });
    gate.accept({ progress: 2 });
    gate.dispose();
    clock.advance(1_000);
    assert.deepEqual([seen, clock.waiting], [[{ progress: 1 }], 0]);
  });
});

describe('a report of progress', () => {
  const rows: readonly (readonly [string, string, Progress | undefined])[] = [
    ['is read', '{"progress":0.5,"total":1,"message":"m"}', { progress: 0.5, total: 1, message: 'm' }],
    ['keeps what can be read', '{"progress":-1,"total":"1","message":[]}', { progress: -1 }],
    ['needs a number', '{"progress":"1"}', undefined],
    ['needs one that can be grown beyond', '{"progress":1e999}', undefined],
    ['has no endless total', '{"progress":1,"total":1e999}', { progress: 1 }],
    [
      'has a short message',
      `{"progress":1,"message":"${'m'.repeat(9_000)}"}`,
      { progress: 1, message: 'm'.repeat(1_000) },
    ],
  ];
  for (const [name, json, expected] of rows)
    it(name, () => assert.deepEqual(readProgress(JSON.parse(json)), expected));
});
