import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { TimeSlice } from '../../../src/base/timeSlice.ts';
import { decodeBase64, decodeLargeBase64 } from '../../../src/tools/base64.ts';
import { describe, it } from '../../helpers/nodeTest.ts';

describe('a long text in base64', () => {
  it('is decoded in pieces as it would be in one go', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 60 }),
        fc.boolean(),
        fc.array(fc.tuple(fc.nat({ max: 90 }), fc.constantFrom('\n', '\r\n', ' ', '=', '!', 'A')), {
          maxLength: 3,
        }),
        fc.constantFrom(4, 8, 12),
        async (bytes, isUrl, put, piece) => {
          let text = Buffer.from(bytes).toString(isUrl ? 'base64url' : 'base64');
          for (const [at, what] of put) text = text.slice(0, at) + what + text.slice(at);
          const whole = decodeBase64(text);
          const large = await decodeLargeBase64(text, new TimeSlice(), piece);
          // One sign of padding too many is overlooked in one go only.
          if (whole.kind === 'decoded' && text.replaceAll(/[^=]/g, '').length > 2) return;
          if (whole.kind === 'decoded' && large.kind === 'wrong') {
            assert.match(text.replaceAll(/\s/g, ''), /^(?:.{4})*.{3}==$/);
          } else if (whole.kind === 'decoded') {
            assert.deepEqual(large.kind === 'decoded' && Buffer.from(large.bytes), Buffer.from(whole.bytes));
          } else assert.equal(large.kind, 'wrong');
        },
      ),
      { numRuns: 3000 },
    );
  });
});
