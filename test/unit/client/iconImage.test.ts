import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { checkIcon } from '../../../src/client/iconImage.ts';
import { jpeg, png, webp } from '../../helpers/pictures.ts';

const images: readonly [name: string, bytes: Buffer, declared: (string | undefined)[], expected: object][] = [
  ['PNG', png(48, 32), ['image/png'], { mimeType: 'image/png', width: 48, height: 32 }],
  ['JPEG', jpeg(48, 32), ['image/jpeg'], { mimeType: 'image/jpeg', width: 48, height: 32 }],
  ['JPEG under its other name', jpeg(1, 1), ['image/jpg'], { mimeType: 'image/jpeg', width: 1, height: 1 }],
  ['WebP, lossy', webp('VP8 ', 48, 32), [], { mimeType: 'image/webp', width: 48, height: 32 }],
  ['WebP, lossless', webp('VP8L', 48, 32), [], { mimeType: 'image/webp', width: 48, height: 32 }],
  ['WebP, extended', webp('VP8X', 48, 32), [], { mimeType: 'image/webp', width: 48, height: 32 }],
  [
    'a type that says nothing',
    png(1, 1),
    ['application/octet-stream', '', undefined],
    { mimeType: 'image/png', width: 1, height: 1 },
  ],
  ['a type in capitals', png(1, 1), [' IMAGE/PNG'], { mimeType: 'image/png', width: 1, height: 1 }],
];
for (const [name, bytes, declared, expected] of images) {
  test(`icon: ${name}`, () => {
    assert.deepEqual(checkIcon(bytes, declared), { kind: 'image', image: { ...expected, bytes } });
  });
}

const refusals: readonly [name: string, bytes: Buffer, declared: (string | undefined)[], reason: RegExp][] = [
  ['empty', Buffer.alloc(0), ['image/png'], /not a PNG/],
  [
    'SVG',
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'),
    ['image/svg+xml'],
    /not a PNG/,
  ],
  ['HTML declared as PNG', Buffer.from(`<html>${' '.repeat(99)}`), ['image/png'], /not a PNG/],
  ['GIF', Buffer.from(`GIF89a${' '.repeat(99)}`, 'latin1'), ['image/gif'], /not a PNG/],
  ['PNG cut off', png(1, 1).subarray(0, 20), ['image/png'], /not a PNG/],
  ['JPEG without a size', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 2, 0xff, 0xd9, 0, 0]), [], /not a PNG/],
  ['PNG declared as JPEG', png(1, 1), ['image/jpeg'], /declared as image\/jpeg/],
  ['PNG declared as SVG by one of two', png(1, 1), ['image/png', 'image/svg+xml'], /declared as/],
  ['animated PNG', png(1, 1, 'acTL'), ['image/png'], /animated/],
  ['animated WebP', webp('VP8X', 1, 1, true), [], /animated/],
  ['too wide', png(2049, 1), [], /2049 × 1/],
  ['too high', jpeg(1, 65535), [], /1 × 65535/],
  ['no pixels', png(0, 0), [], /0 × 0/],
  ['absurd size', png(0xffffffff, 0xffffffff), [], /pixels/],
];
for (const [name, bytes, declared, reason] of refusals) {
  test(`icon refused: ${name}`, () => {
    const check = checkIcon(bytes, declared);
    assert.equal(check.kind, 'refused');
    if (check.kind === 'refused') assert.match(check.reason, reason);
  });
}

test('any bytes get a verdict', () => {
  const starts = [png(9, 9), jpeg(9, 9), webp('VP8X', 9, 9), Buffer.alloc(0)];
  fc.assert(
    fc.property(fc.constantFrom(...starts), fc.nat({ max: 60 }), fc.uint8Array(), (start, cut, rest) => {
      const { kind } = checkIcon(Buffer.concat([start.subarray(0, cut), rest]), []);
      assert.ok(kind === 'image' || kind === 'refused');
    }),
    { numRuns: 500 },
  );
});
