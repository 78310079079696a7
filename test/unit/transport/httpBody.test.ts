import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { BodyCollector } from '../../../src/transport/httpBody.ts';
import { describe, it } from '../../helpers/nodeTest.ts';

describe('BodyCollector', () => {
  it('keeps the bytes of any pieces as they came, and changes none of them', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 60 }), (pieces) => {
        const body = new BodyCollector(10_000);
        const copies = pieces.map((piece) => Uint8Array.from(piece));
        for (const piece of pieces) assert.equal(body.push(piece), true);
        assert.deepEqual([Buffer.from(body.bytes()), pieces], [Buffer.concat(copies), copies]);
      }),
    );
  });

  it('takes as much as it may and no more', () => {
    const body = new BodyCollector(3_000);
    const taken = Array.from({ length: 5 }, () => body.push(new Uint8Array(1_000)));
    assert.deepEqual([taken, body.bytes().length], [[true, true, true, false, false], 3_000]);
  });

  it('needs little for a body that drips', () => {
    const body = new BodyCollector(16 * 1024 * 1024);
    const drop = new Uint8Array(1);
    for (let count = 0; count < 2_000_000; count++) body.push(drop);
    // One buffer, at most twice the body, instead of millions of pieces.
    assert.ok(body.bytes().buffer.byteLength <= 4_200_000);
  });
});
