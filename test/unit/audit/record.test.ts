import assert from 'node:assert/strict';
import { hashHolds, noPrevious, ownHash, readLine, sealLine } from '../../../src/audit/record.ts';
import { describe, it } from '../../helpers/nodeTest.ts';

const head = { seq: 7, time: '2026-05-01T12:00:00.000Z', place: { call: 5, step: 2 } };
const sealed = sealLine(head, '{"kind":"result","text":"häß\\n\uFFFD"}', noPrevious);

describe('a line of the journal', () => {
  it('reads as it was written', () => {
    const { fields: _fields, ...record } = readLine(sealed.line) ?? assert.fail('unreadable');
    assert.deepEqual(record, {
      ...head,
      kind: 'result',
      prev: 'none',
      hash: sealed.hash,
    });
  });

  it('states the hash of its own text', () => {
    const bytes = Buffer.from(sealed.line);
    const record = readLine(sealed.line) ?? assert.fail('unreadable');
    assert.equal(hashHolds(bytes, record), true);
    assert.equal(ownHash(bytes), sealed.hash);
  });

  it('shows a change of any single bit', () => {
    const bytes = Buffer.from(sealed.line);
    for (let at = 0; at < bytes.length; at++) {
      for (const bit of [1, 32, 128]) {
        const changed = Buffer.from(bytes);
        changed[at] = (changed[at] ?? 0) ^ bit;
        const record = readLine(changed.toString('utf8'));
        assert.equal(record !== undefined && hashHolds(changed, record), false, `byte ${at}, bit ${bit}`);
      }
    }
  });

  const foreign = [
    '',
    '{',
    'null',
    '[]',
    '{"v":1}',
    sealed.line.replace('"v":1', '"v":2'),
    sealed.line.replace('"seq":7', '"seq":0'),
    sealed.line.replace('"seq":7', '"seq":"7"'),
    sealed.line.replace('"seq":7', '"seq":7.5'),
    sealed.line.replace('"step":2,', ''),
    sealed.line.replace('"call":5', '"call":"5"'),
    sealed.line.replace('"kind":"result"', '"kind":1'),
    sealed.line.replace('"prev":"none"', '"prev":null'),
  ];
  it('is refused in any other shape', () => {
    for (const line of foreign) assert.equal(readLine(line), undefined, line);
  });
});
