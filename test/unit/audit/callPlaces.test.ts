import assert from 'node:assert/strict';
import { CallPlaces } from '../../../src/audit/callPlaces.ts';
import type { AuditEvent } from '../../../src/audit/events.ts';
import { describe, it } from '../../helpers/nodeTest.ts';

const subject = (
  callId: string,
): { callId: string; caller: { kind: 'chat'; label: string }; serverId: string; tool: string } => ({
  callId,
  caller: { kind: 'chat', label: 'x' },
  serverId: 's',
  tool: 't',
});
const intent = (id: string): AuditEvent => ({
  ...subject(id),
  kind: 'intent',
  arguments: {},
  digest: '',
  decision: { outcome: 'allow', by: { kind: 'default' } },
});
const ended = (id: string): AuditEvent => ({ ...subject(id), kind: 'cancelled', by: 'person' });
const decided = (id: string, outcome: 'allow' | 'deny'): AuditEvent => ({
  ...subject(id),
  kind: 'decision',
  decision: { outcome, by: { kind: 'default' } },
});
const traced = (id: string): AuditEvent => ({
  ...subject(id),
  kind: 'messageTraced',
  direction: 'received',
  message: {},
});

describe('the places of records', () => {
  const rows: readonly (readonly [
    what: string,
    events: readonly AuditEvent[],
    places: readonly string[],
    open: number,
  ])[] = [
    ['go by call and step', [intent('a'), intent('b'), ended('a')], ['1.1', '2.1', '1.2'], 1],
    ['belong to no call', [{ kind: 'sessionClosed', reason: '' }], ['-'], 0],
    ['end with a denial', [decided('a', 'deny')], ['1.1'], 0],
    ['go on after a permission', [decided('a', 'allow'), intent('a')], ['1.1', '1.2'], 1],
    [
      'go on after the end',
      [intent('a'), ended('a'), traced('a'), ended('a')],
      ['1.1', '1.2', '1.3', '1.4'],
      0,
    ],
  ];
  for (const [what, events, expected, open] of rows) {
    it(what, () => {
      const places = new CallPlaces();
      const found = events.map((event) => {
        const place = places.next(event);
        return place === undefined ? '-' : `${place.call}.${place.step}`;
      });
      assert.deepEqual([found, places.open], [expected, open]);
    });
  }

  it('are kept for a call that waits, however many others come and go', () => {
    const places = new CallPlaces();
    places.next(intent('waits'));
    for (let number = 0; number < 20_000; number += 1) {
      places.next(intent(`c${number}`));
      places.next(ended(`c${number}`));
    }
    assert.deepEqual([places.next(ended('waits')), places.open], [{ call: 1, step: 2 }, 0]);
  });

  it('are kept for the latest of many that never end', () => {
    const places = new CallPlaces();
    for (let number = 0; number < 25_000; number += 1) places.next(intent(`c${number}`));
    assert.deepEqual(places.next(ended('c24999')), { call: 25_000, step: 2 });
    assert.equal(places.next(ended('c0'))?.step, 1);
    assert.ok(places.open <= 10_000);
  });
});
