import assert from 'node:assert/strict';
import type { CallDetail } from '../../../src/audit/history/readCall.ts';
import type { JsonValue } from '../../../src/base/json.ts';
import { recordedResult } from '../../../src/calls/recordedResult.ts';
import { ResultShelf, type KeptResult } from '../../../src/calls/resultShelf.ts';
import { it } from '../../helpers/nodeTest.ts';

function detail(result: JsonValue | undefined): CallDetail {
  const entry = { callId: 'c', serverId: 's', tool: 't' } as CallDetail['entry'];
  return { entry, records: [], arguments: {}, argumentsExact: true, result, messages: [] };
}

it('a result from the record is read like one from a server, and says what the record has cut', () => {
  const kept = recordedResult(
    detail({
      isError: false,
      content: [
        { type: 'text', text: 'hello' },
        { type: 'image', mimeType: 'image/png', data: '[cut:text 204800 bytes #0123456789abcdef]' },
        { type: 'image', mimeType: 'image/png', data: 'AAAA' },
        { type: 'unknown', claimedType: 'odd', raw: { type: 'odd', x: 1 } },
      ],
      structuredContent: [1],
    }),
  );
  assert.deepEqual(kept?.checked, {
    isError: false,
    blocks: [
      { kind: 'text', text: 'hello' },
      {
        kind: 'broken',
        claimedType: 'image/png',
        reason: 'Its data is not on record, because of its length.',
        size: 0,
      },
      {
        kind: 'broken',
        claimedType: 'image/png',
        reason: 'It says image/png, but its bytes are of no type that is known.',
        size: 4,
      },
      { kind: 'unknown', claimedType: 'odd', raw: { type: 'odd', x: 1 } },
    ],
    structured: { kind: 'unpromised', value: [1] },
  });
});

it('a digest, nothing, or what a stranger wrote into the record is no result', () => {
  for (const stored of [
    undefined,
    '[digest 17 bytes #0123456789abcdef]',
    { content: 'x' },
    { isError: 3 },
    null,
  ]) {
    assert.equal(recordedResult(detail(stored)), undefined, JSON.stringify(stored));
  }
});

it('the shelf keeps the newest, whatever its size, and drops the oldest', () => {
  const shelf = new ResultShelf(3, 10_000);
  const result = (id: string, length: number): KeptResult => ({
    id,
    subject: 'result',
    serverId: 's',
    launchFingerprint: undefined,
    title: 't',
    checked: {
      isError: false,
      blocks: [{ kind: 'text', text: 'x'.repeat(length) }],
      structured: { kind: 'absent' },
    },
    leads: [],
    raw: { content: [], isError: false },
  });
  const kept = (): string => ['a', 'b', 'c', 'd', 'e'].filter((id) => shelf.get(id) !== undefined).join('');
  for (const id of ['a', 'b', 'c', 'd']) shelf.keep(result(id, 1));
  assert.equal(kept(), 'bcd', 'by count');
  shelf.keep(result('c', 2));
  assert.equal(kept(), 'bcd', 'the same id again takes no more room');
  shelf.keep(result('e', 1_000_000));
  assert.equal(kept(), 'e', 'by size; the newest stays');
});
