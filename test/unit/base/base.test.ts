import assert from 'node:assert/strict';
import { test } from 'node:test';
import canonicalize from 'canonicalize';
import * as fc from 'fast-check';
import { delay, raceAbort } from '../../../src/base/abort.ts';
import { canonicalJson, digest } from '../../../src/base/canonicalJson.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { DisposableStore, toDisposable } from '../../../src/base/disposable.ts';
import { HostError } from '../../../src/base/errors.ts';
import { Emitter } from '../../../src/base/event.ts';

// RFC 8785, section 3.2.2 and 3.2.3: the examples of number and string spelling and of key order.
const canonical: readonly [unknown, string][] = [
  [
    {
      numbers: [Number('333333333.33333329'), 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
      literals: [null, true, false],
    },
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27]}',
  ],
  [
    { '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\u{1f600}': 5, '\u0080': 6, ö: 7 },
    '{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"😀":5,"\ufb33":3}',
  ],
  ['\u000f\n"\\/', '"\\u000f\\n\\"\\\\/"'],
  [-0, '0'],
  [JSON.parse('{"__proto__":1,"a":{"constructor":2}}'), '{"__proto__":1,"a":{"constructor":2}}'],
];
for (const [value, text] of canonical) {
  test(`canonical JSON: ${text}`, () => assert.equal(canonicalJson(value), text));
}

test('canonical JSON is what an independent implementation makes of a value', () => {
  fc.assert(
    fc.property(fc.jsonValue({ depthSize: 'medium', stringUnit: 'binary' }), (value) => {
      const own = textOrRefusal(() => canonicalJson(value));
      assert.equal(
        own,
        textOrRefusal(() => canonicalize(value) ?? ''),
      );
    }),
    { numRuns: 500 },
  );
});

function textOrRefusal(make: () => string): string {
  try {
    return make();
  } catch {
    return 'refused';
  }
}

const cycle: Record<string, unknown> = {};
cycle['self'] = cycle;
let deep: unknown = 0;
for (let level = 0; level < 100_000; level++) deep = [deep];
for (const [name, value] of [
  ['NaN', Number.NaN],
  ['undefined', undefined],
  ['a function', () => 1],
  ['a cycle', cycle],
  ['a lone surrogate', '\ud800'],
  ['100,000 levels', deep],
] as const) {
  test(`canonical JSON refuses ${name} with a typed error`, () => {
    assert.throws(
      () => digest(value),
      (error) => error instanceof HostError && error.code === 'malformedMessage',
    );
  });
}

test('raceAbort rejects with the reason of the signal and leaves no listener behind', async () => {
  const abort = new AbortController();
  const never = new Promise<never>(() => {});
  const race = raceAbort(never, abort.signal);
  abort.abort(new HostError('timeout', 'late'));
  await assert.rejects(race, { code: 'timeout' });
  await assert.rejects(raceAbort(never, abort.signal), { code: 'timeout' });
  assert.equal(await raceAbort(Promise.resolve(1), new AbortController().signal), 1);
});

test('delay ends early with the signal', async () => {
  const abort = new AbortController();
  const waiting = delay(systemClock, 1_000_000, abort.signal);
  abort.abort();
  await assert.rejects(waiting, { code: 'cancelled' });
});

test('a store lets go in reverse order, once, and at once of what comes too late', () => {
  const gone: string[] = [];
  const store = new DisposableStore();
  store.add(toDisposable(() => gone.push('first')));
  store.add(toDisposable(() => gone.push('second')));
  store.dispose();
  store.dispose();
  store.add(toDisposable(() => gone.push('late')));
  assert.deepEqual(gone, ['second', 'first', 'late']);
});

test('a listener that throws does not stop the others', () => {
  const errors: unknown[] = [];
  const emitter = new Emitter<number>((error) => errors.push(error));
  const seen: number[] = [];
  emitter.event(() => {
    throw new Error('bad listener');
  });
  const second = emitter.event((value) => seen.push(value));
  emitter.fire(1);
  second.dispose();
  emitter.fire(2);
  assert.deepEqual(seen, [1]);
  assert.equal(errors.length, 2);
});
