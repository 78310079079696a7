import assert from 'node:assert/strict';
import { CallCounters, type CountedCall } from '../../../src/policy/callCounters.ts';
import {
  type Limits,
  defaultLimits,
  exceededLimits,
  noLimits,
  noUsage,
  parseLimits,
  tighterLimits,
} from '../../../src/policy/limits.ts';
import { ManualClock } from '../../helpers/manualClock.ts';
import { describe, it } from '../../helpers/nodeTest.ts';

const call: CountedCall = { serverId: 'github', toolName: 'search', argsDigest: 'sha256:a', turn: 'turn-1' };

describe('limits', () => {
  it('count the call to come', () => {
    const limits: Limits = { ...noLimits, callsPerTurn: 2 };
    assert.deepEqual(exceededLimits(limits, { ...noUsage, callsPerTurn: 1 }), []);
    assert.deepEqual(exceededLimits(limits, { ...noUsage, callsPerTurn: 2 }), [
      { limit: 'callsPerTurn', max: 2, count: 3 },
    ]);
    assert.deepEqual(exceededLimits(noLimits, { ...noUsage, callsPerTurn: 1e6 }), []);
  });

  it('leave room for twenty calls of one tool in a row (case 1)', () => {
    const usage = { ...noUsage, callsPerTurn: 19, callsPerMinutePerTool: 19, callsPerMinutePerServer: 19 };
    assert.deepEqual(exceededLimits(defaultLimits, usage), []);
  });

  const settings: readonly (readonly [value: unknown, expected: Limits, problems: readonly string[]])[] = [
    [undefined, defaultLimits, []],
    [{}, defaultLimits, []],
    [{ callsPerTurn: 5 }, { ...defaultLimits, callsPerTurn: 5 }, []],
    [{ callsPerTurn: 0 }, { ...defaultLimits, callsPerTurn: undefined }, []],
    [{ callsPerTurn: -1 }, defaultLimits, ['callsPerTurn must be a whole number (0: no limit), but is -1.']],
    [
      { callsPerTurn: '5' },
      defaultLimits,
      ['callsPerTurn must be a whole number (0: no limit), but is "5".'],
    ],
    [7, defaultLimits, [' must be an object such as {"callsPerTurn": 100}, but is 7.']],
    [
      { calls: 1 },
      defaultLimits,
      [
        'calls is not known here; there is "identicalCallsPerTurn", "callsPerTurn", "callsPerMinutePerTool", "callsPerMinutePerServer" or "simultaneousCallsPerServer".',
      ],
    ],
  ];
  for (const [value, expected, problems] of settings) {
    it(`are read from ${JSON.stringify(value)}`, () => {
      const found: string[] = [];
      const limits = parseLimits(value, defaultLimits, (key, message) =>
        found.push(`${key.join('.')} ${message}`),
      );
      assert.deepEqual([limits, found], [expected, problems]);
    });
  }

  it('combine to the tighter', () => {
    assert.deepEqual(
      tighterLimits(
        { ...noLimits, callsPerTurn: 5, identicalCallsPerTurn: 9 },
        { ...noLimits, callsPerTurn: 7, callsPerMinutePerTool: 1 },
      ),
      { ...noLimits, callsPerTurn: 5, identicalCallsPerTurn: 9, callsPerMinutePerTool: 1 },
    );
  });
});

describe('CallCounters', () => {
  it('begin with nothing', () => {
    assert.deepEqual(new CallCounters(new ManualClock()).counts(call), noUsage);
  });

  it('count by tool, server, arguments and turn', () => {
    const counters = new CallCounters(new ManualClock());
    const ends = [
      counters.begin(call, false),
      counters.begin({ ...call, argsDigest: 'sha256:b' }, false),
      counters.begin({ ...call, toolName: 'get' }, false),
      counters.begin({ ...call, serverId: 'files' }, false),
      counters.begin({ ...call, turn: 'turn-2' }, false),
      counters.begin({ ...call, turn: undefined }, false),
    ];
    assert.deepEqual(counters.counts(call), {
      callsPerMinutePerTool: 4,
      callsPerMinutePerServer: 5,
      identicalCallsPerTurn: 1,
      simultaneousCallsPerServer: 5,
      callsPerTurn: 4,
    });
    for (const end of ends) end.dispose();
    for (const end of ends) end.dispose();
    assert.equal(counters.counts(call).simultaneousCallsPerServer, 0);
  });

  it('forget after a minute, each call for itself', () => {
    const clock = new ManualClock();
    const counters = new CallCounters(clock);
    counters.begin(call, false);
    clock.advance(30_000);
    counters.begin(call, false);
    clock.advance(29_999);
    assert.equal(counters.counts(call).callsPerMinutePerTool, 2);
    clock.advance(1);
    assert.equal(counters.counts(call).callsPerMinutePerTool, 1);
    clock.advance(30_000);
    assert.deepEqual(counters.counts(call), {
      ...noUsage,
      identicalCallsPerTurn: 2,
      callsPerTurn: 2,
      simultaneousCallsPerServer: 2,
    });
  });

  it('begin anew with a call that a person allowed', () => {
    const counters = new CallCounters(new ManualClock());
    for (let count = 0; count < 5; count += 1) counters.begin(call, false).dispose();
    counters.begin(call, true).dispose();
    assert.deepEqual(counters.counts(call), {
      callsPerMinutePerTool: 1,
      callsPerMinutePerServer: 1,
      identicalCallsPerTurn: 1,
      simultaneousCallsPerServer: 0,
      callsPerTurn: 1,
    });
  });

  it('take calls without a digest for the same', () => {
    const counters = new CallCounters(new ManualClock());
    counters.begin({ ...call, argsDigest: undefined }, false);
    assert.equal(counters.counts({ ...call, argsDigest: undefined }).identicalCallsPerTurn, 1);
  });

  it('remember only the latest turns', () => {
    const counters = new CallCounters(new ManualClock());
    for (let turn = 0; turn < 300; turn += 1) counters.begin({ ...call, turn: `t${turn}` }, false);
    assert.equal(counters.counts({ ...call, turn: 't0' }).callsPerTurn, 0);
    assert.equal(counters.counts({ ...call, turn: 't299' }).callsPerTurn, 1);
  });
});
