/** A picture that may be shown: one of few formats, recognised by its bytes. */
export interface IconImage {
  readonly mimeType: 'image/png' | 'image/jpeg' | 'image/webp';
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
}

export type IconCheck =
  | { readonly kind: 'image'; readonly image: IconImage }
  | { readonly kind: 'refused'; readonly reason: string };

/** Pixels of either side; more are decoding work without use. */
const maxSide = 2048;
/** Types that say nothing, so that the bytes decide alone. */
const generic: ReadonlySet<string | undefined> = new Set([
  undefined,
  '',
  'application/octet-stream',
  'binary/octet-stream',
]);

/**
 * Decides whether bytes may be shown as an icon (specification: basic, "icons"): PNG, JPEG or WebP by their
 * first bytes, not animated, not huge, and not something else than what they were declared to be.
 * SVG is refused because it can run code and fetch.
 */
export function checkIcon(bytes: Uint8Array, declaredTypes: readonly (string | undefined)[]): IconCheck {
  const found = readPng(bytes) ?? readJpeg(bytes) ?? readWebp(bytes);
  if (found === undefined) return refused('not a PNG, JPEG or WebP picture');
  if (found.animated) return refused('animated');
  const { mimeType, width, height } = found;
  const wrong = declaredTypes.find((type) => !generic.has(type) && normalised(type) !== mimeType);
  if (wrong !== undefined) return refused(`declared as ${wrong}, but it is ${mimeType}`);
  if (width < 1 || height < 1 || width > maxSide || height > maxSide) {
    return refused(`${width} × ${height} pixels`);
  }
  return { kind: 'image', image: { mimeType, bytes, width, height } };
}

/** Pixels of a PNG, JPEG or WebP picture, as its first bytes tell; `undefined` for anything else. */
export function pictureSize(
  bytes: Uint8Array,
): { readonly width: number; readonly height: number } | undefined {
  const found = readPng(bytes) ?? readJpeg(bytes) ?? readWebp(bytes);
  return found === undefined ? undefined : { width: found.width, height: found.height };
}

function refused(reason: string): IconCheck {
  return { kind: 'refused', reason };
}

function normalised(type: string | undefined): string | undefined {
  const lower = type?.trim().toLowerCase();
  return lower === 'image/jpg' ? 'image/jpeg' : lower;
}

type Found = Omit<IconImage, 'bytes'> & { readonly animated: boolean };

function readPng(bytes: Uint8Array): Found | undefined {
  const view = viewOf(bytes);
  if (bytes.length < 33 || view.getUint32(0) !== 0x89504e47 || view.getUint32(4) !== 0x0d0a1a0a)
    return undefined;
  if (text(bytes, 12, 4) !== 'IHDR') return undefined;
  return {
    mimeType: 'image/png',
    width: view.getUint32(16),
    height: view.getUint32(20),
    animated: hasPngChunk(bytes, 'acTL'),
  };
}

function hasPngChunk(bytes: Uint8Array, name: string): boolean {
  const view = viewOf(bytes);
  let at = 8;
  while (at + 8 <= bytes.length) {
    if (text(bytes, at + 4, 4) === name) return true;
    // Length, name and checksum take twelve bytes besides the content.
    at += 12 + view.getUint32(at);
  }
  return false;
}

function readJpeg(bytes: Uint8Array): Found | undefined {
  if (bytes.length < 4 || bytes[0] !== 0xff || bytes[1] !== 0xd8 || bytes[2] !== 0xff) return undefined;
  const view = viewOf(bytes);
  let at = 2;
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    // SOF0 to SOF15 hold the size; C4, C8 and CC are other segments of that range.
    if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc) {
      const [height, width] = [view.getUint16(at + 5), view.getUint16(at + 7)];
      return { mimeType: 'image/jpeg', width, height, animated: false };
    }
    // Fill bytes stand alone; every other segment before the picture has a length.
    at += marker === 0xff ? 1 : 2 + view.getUint16(at + 2);
  }
  return undefined;
}

function readWebp(bytes: Uint8Array): Found | undefined {
  if (bytes.length < 30 || text(bytes, 0, 4) !== 'RIFF' || text(bytes, 8, 4) !== 'WEBP') return undefined;
  const view = viewOf(bytes);
  const size = webpSize(text(bytes, 12, 4), view);
  return size === undefined ? undefined : { mimeType: 'image/webp', ...size };
}

function webpSize(chunk: string, view: DataView): Omit<Found, 'mimeType'> | undefined {
  switch (chunk) {
    case 'VP8 ':
      return {
        width: view.getUint16(26, true) & 0x3fff,
        height: view.getUint16(28, true) & 0x3fff,
        animated: false,
      };
    case 'VP8L': {
      const bits = view.getUint32(21, true);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1, animated: false };
    }
    case 'VP8X': {
      const animated = (view.getUint8(20) & 0x02) !== 0;
      return { width: uint24(view, 24) + 1, height: uint24(view, 27) + 1, animated };
    }
    default:
      return undefined;
  }
}

function uint24(view: DataView, at: number): number {
  return view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function text(bytes: Uint8Array, at: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + length));
}
