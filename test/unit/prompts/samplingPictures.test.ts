import assert from 'node:assert/strict';
import { pictureFault, pictureIn } from '../../../src/prompts/samplingPictures.ts';
import { it } from '../../helpers/nodeTest.ts';
import { jpeg, pixel, png } from '../../helpers/pictures.ts';

const picture = (bytes: Buffer, mimeType = 'image/png') => ({ mimeType, data: bytes.toString('base64') });
const dot = { mimeType: 'image/png', data: pixel };

for (const [name, pictures, expected] of [
  ['none', [], undefined],
  ['a small one', [dot], undefined],
  [
    'large ones within the bounds',
    [picture(png(6_000, 6_000)), picture(jpeg(6_000, 6_000), 'image/jpeg')],
    undefined,
  ],
  ['a small file that would fill all memory', [picture(png(30_000, 30_000))], /30000 × 30000 pixels/],
  ['many that would together', [1, 2, 3].map(() => picture(png(6_000, 6_000))), /too many pixels together/],
  ['very many', Array.from({ length: 101 }, () => dot), /101 pictures/],
  ['too many bytes', [dot, { mimeType: 'image/png', data: 'A'.repeat(20_000_000) }], /too large/],
  ['no base64', [{ mimeType: 'image/png', data: '%%%' }], /cannot be read/],
  ['no data', [{ mimeType: 'image/png', data: '' }], /cannot be read/],
  ['another type than it says', [picture(jpeg(1, 1))], /It says image\/png, but its bytes are image\/jpeg/],
  ['a text that says to be a picture', [picture(Buffer.from('hello'))], /no type that is known/],
  ['an SVG, which may hold programs', [picture(Buffer.from('<svg/>'), 'image/svg+xml')], /take no pictures/],
  ['a type that nobody draws', [picture(Buffer.from('II*\0'), 'image/tiff')], /take no pictures/],
  ['no type', [{ mimeType: '', data: pixel }], /take no pictures/],
] as const) {
  it(`pictures: ${name}`, () => {
    const fault = pictureFault(pictures);
    if (expected === undefined) assert.equal(fault, undefined);
    else assert.match(fault ?? '', expected);
  });
}

it('a block holds a picture if it says so, whatever else is missing', () => {
  assert.equal(pictureIn({ type: 'text', text: 'x' }), undefined);
  assert.equal(pictureIn('image'), undefined);
  assert.deepEqual(pictureIn({ type: 'image' }), { mimeType: '', data: '' });
  assert.deepEqual(pictureIn({ type: 'image', data: 'AA', mimeType: 'IMAGE/PNG; a=b' }), {
    mimeType: 'image/png',
    data: 'AA',
  });
});
