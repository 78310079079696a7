import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HostError } from '../../../src/base/errors.ts';
import { muteable } from '../../../src/transport/muteableEvents.ts';

test('after muting only the end is told, and that once', () => {
  const told: unknown[] = [];
  const events = muteable({
    message: (message) => told.push(message),
    requestFailed: (id) => told.push(id),
    dropped: () => told.push('dropped'),
    closed: (error) => told.push(error?.code),
  });
  const error = new HostError('network', 'gone');
  const all = (): void => {
    events.message({ jsonrpc: '2.0', method: 'x' }, {});
    events.requestFailed(1, error);
    events.dropped(error);
  };
  all();
  const before = [{ jsonrpc: '2.0', method: 'x' }, 1, 'dropped'];
  assert.deepEqual(told, before);
  events.mute();
  all();
  events.end(error);
  events.end(undefined);
  events.closed(undefined);
  all();
  assert.deepEqual(told, [...before, 'network']);
});
