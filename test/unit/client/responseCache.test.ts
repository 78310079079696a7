import assert from 'node:assert/strict';
import { ResponseCache } from '../../../src/client/responseCache.ts';
import { ManualClock } from '../../helpers/manualClock.ts';
import { describe, it } from '../../helpers/nodeTest.ts';

const minute = { ttlMs: 60_000, scope: 'private' } as const;

describe('ResponseCache', () => {
  it('keeps keys apart that only look alike', () => {
    let principal = 'a';
    const cache = new ResponseCache<string>(new ManualClock(), () => principal);
    cache.set('b" c', 'one', minute, 1, cache.generation);
    principal = 'a" "b';
    assert.equal(cache.get('c'), undefined);
    assert.equal(cache.get('b" c'), undefined);
  });

  it('does not keep what was asked for before everything became invalid', () => {
    const cache = new ResponseCache<string>(new ManualClock(), () => '');
    const { generation } = cache;
    cache.clear();
    cache.set('a', 'old', minute, 1, generation);
    assert.equal(cache.get('a'), undefined);
  });

  it('lets the oldest go when it is full, and never keeps what is too large', () => {
    const cache = new ResponseCache<string>(new ManualClock(), () => '');
    const size = 10 * 1024 * 1024;
    for (const key of ['a', 'b', 'c', 'd']) cache.set(key, key, minute, size, cache.generation);
    cache.set('huge', 'huge', minute, 4 * size, cache.generation);
    cache.set('d', 'd2', minute, size, cache.generation);
    assert.deepEqual(
      ['a', 'b', 'c', 'd', 'huge'].map((key) => cache.get(key)),
      [undefined, 'b', 'c', 'd2', undefined],
    );
  });
});
