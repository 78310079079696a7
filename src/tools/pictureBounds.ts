import { pictureSize } from '../client/iconImage.ts';

/** Types that the editor's browser draws. */
const drawn: ReadonlySet<string> = new Set([
  'image/png',
  'image/x-png',
  'image/jpeg',
  'image/jpg',
  'image/pjpeg',
  'image/gif',
  'image/webp',
  'image/bmp',
  'image/x-ms-bmp',
  'image/x-icon',
  'image/vnd.microsoft.icon',
  'image/avif',
]);

/** A small file can hold a picture that fills all memory once it is decoded. */
const mostPixels = 40_000_000;

/** Whether a picture may be drawn, decided before anything decodes it. */
export type PictureVerdict =
  | { readonly kind: 'drawable'; readonly width?: number; readonly height?: number }
  | { readonly kind: 'refused'; readonly reason: string };

/** Judges a picture whose type its first bytes have confirmed. */
export function judgePicture(mimeType: string, bytes: Uint8Array): PictureVerdict {
  if (!drawn.has(mimeType)) return { kind: 'refused', reason: 'Pictures of this type cannot be shown here.' };
  if (mimeType.includes('icon')) return { kind: 'drawable' };
  const size = pictureSize(bytes) ?? gifSize(bytes) ?? bmpSize(bytes) ?? avifSize(bytes);
  if (size === undefined) return { kind: 'refused', reason: 'Its size in pixels cannot be read.' };
  const { width, height } = size;
  if (width < 1 || height < 1) return { kind: 'refused', reason: 'It has no pixels.' };
  if (width * height > mostPixels)
    return { kind: 'refused', reason: `It has ${width} × ${height} pixels, too many to be shown.` };
  return { kind: 'drawable', width, height };
}

type Size = { readonly width: number; readonly height: number } | undefined;

function gifSize(bytes: Uint8Array): Size {
  const view = viewOf(bytes);
  if (bytes.length < 10 || view.getUint32(0) !== 0x47494638) return undefined;
  return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

function bmpSize(bytes: Uint8Array): Size {
  const view = viewOf(bytes);
  if (bytes.length < 26 || view.getUint16(0) !== 0x424d) return undefined;
  // Rows may be stored from the top, which a negative height says.
  return { width: Math.abs(view.getInt32(18, true)), height: Math.abs(view.getInt32(22, true)) };
}

/** The largest size that any picture in the file has (ISO 23008-12, `ispe`). */
function avifSize(bytes: Uint8Array): Size {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 64 * 1024));
  let largest: Size;
  for (let at = head.indexOf('ispe', 0, 'latin1'); at >= 0; at = head.indexOf('ispe', at + 4, 'latin1')) {
    if (at + 16 > head.length) break;
    const found = { width: head.readUInt32BE(at + 8), height: head.readUInt32BE(at + 12) };
    if (largest === undefined || found.width * found.height > largest.width * largest.height) largest = found;
  }
  return largest;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
