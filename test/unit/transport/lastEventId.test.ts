import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LastEventId } from '../../../src/transport/lastEventId.ts';

test('an id outlives its connection, a block that was cut off does not', () => {
  const ids = new LastEventId();
  const seen: unknown[] = [ids.value];
  const take = (...texts: string[]): void => {
    for (const text of texts) ids.follow(text);
    seen.push(ids.value);
  };
  take('id: 1\n', 'data: x\n', '\n');
  take('id: 2\ndata: y\n');
  ids.begin();
  take('\n');
  take('i');
  ids.begin();
  take('d: 3\n\n');
  take('i', 'd', ':', ' ', '4', '\n', '\n');
  take('id\n\n');
  assert.deepEqual(seen, [undefined, '1', '1', '1', '1', '1', '4', undefined]);
});

test('a line of any length costs no memory', () => {
  const ids = new LastEventId();
  for (let turn = 0; turn < 2_000; turn++) ids.follow('id: 7'.repeat(10_000));
  ids.follow('\n\nid: 8\n\n');
  assert.equal(ids.value, '8');
});
