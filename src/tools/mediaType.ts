/** What the first bytes of an attachment say about it. */
export type MediaVerdict =
  | { readonly kind: 'right' }
  /** Nothing can be said: the type has no signature that we know. */
  | { readonly kind: 'unchecked' }
  | { readonly kind: 'wrong'; readonly reason: string };

interface Signature {
  /** Types that the signature stands for; the first is the usual one. */
  readonly types: readonly string[];
  /** What a file of it is usually called. */
  readonly extension: string;
  readonly matches: (bytes: Uint8Array) => boolean;
  /** Two bytes or less, which raw samples may begin with by chance. */
  readonly isShort?: boolean;
}

const SIGNATURES: readonly Signature[] = [
  { types: ['image/png', 'image/x-png'], extension: 'png', matches: starts(0, '\x89PNG\r\n\x1a\n') },
  { types: ['image/jpeg', 'image/jpg', 'image/pjpeg'], extension: 'jpg', matches: starts(0, '\xff\xd8\xff') },
  { types: ['image/gif'], extension: 'gif', matches: any(starts(0, 'GIF87a'), starts(0, 'GIF89a')) },
  { types: ['image/webp'], extension: 'webp', matches: both(starts(0, 'RIFF'), starts(8, 'WEBP')) },
  { types: ['image/bmp', 'image/x-ms-bmp'], extension: 'bmp', matches: starts(0, 'BM'), isShort: true },
  { types: ['image/tiff'], extension: 'tif', matches: any(starts(0, 'II*\0'), starts(0, 'MM\0*')) },
  { types: ['image/x-icon', 'image/vnd.microsoft.icon'], extension: 'ico', matches: starts(0, '\0\0\x01\0') },
  { types: ['image/avif'], extension: 'avif', matches: brand('avif', 'avis') },
  {
    types: ['image/heic', 'image/heif'],
    extension: 'heic',
    matches: brand('heic', 'heix', 'hevc', 'mif1', 'msf1'),
  },
  { types: ['image/svg+xml'], extension: 'svg', matches: isSvg },
  {
    types: ['audio/wav', 'audio/x-wav', 'audio/wave', 'audio/vnd.wave'],
    extension: 'wav',
    matches: both(any(starts(0, 'RIFF'), starts(0, 'RF64')), starts(8, 'WAVE')),
  },
  {
    types: ['audio/mpeg', 'audio/mp3', 'audio/mpeg3', 'audio/x-mp3'],
    extension: 'mp3',
    matches: any(starts(0, 'ID3'), isMpegAudio),
    isShort: true,
  },
  {
    types: ['audio/aac', 'audio/aacp', 'audio/x-aac'],
    extension: 'aac',
    matches: any(starts(0, 'ADIF'), isAdts),
    isShort: true,
  },
  {
    types: ['audio/ogg', 'audio/opus', 'audio/vorbis', 'application/ogg', 'video/ogg'],
    extension: 'ogg',
    matches: starts(0, 'OggS'),
  },
  { types: ['audio/flac', 'audio/x-flac'], extension: 'flac', matches: starts(0, 'fLaC') },
  {
    types: ['audio/mp4', 'audio/m4a', 'audio/x-m4a', 'video/mp4'],
    extension: 'm4a',
    matches: starts(4, 'ftyp'),
  },
  {
    types: ['audio/webm', 'video/webm', 'video/x-matroska'],
    extension: 'webm',
    matches: starts(0, '\x1aE\xdf\xa3'),
  },
  {
    types: ['audio/aiff', 'audio/x-aiff'],
    extension: 'aiff',
    matches: both(starts(0, 'FORM'), starts(8, 'AIF')),
  },
  { types: ['audio/midi', 'audio/x-midi'], extension: 'mid', matches: starts(0, 'MThd') },
  { types: ['audio/amr'], extension: 'amr', matches: starts(0, '#!AMR') },
  { types: ['application/pdf'], extension: 'pdf', matches: starts(0, '%PDF-') },
  {
    types: ['application/gzip', 'application/x-gzip'],
    extension: 'gz',
    matches: starts(0, '\x1f\x8b'),
    isShort: true,
  },
  {
    types: ['application/zip'],
    extension: 'zip',
    matches: any(starts(0, 'PK\x03\x04'), starts(0, 'PK\x05\x06')),
  },
];

/** Reduces a MIME type to lower case without parameters. */
export function essence(mimeType: string): string {
  return (mimeType.split(';', 1)[0] ?? '').trim().toLowerCase();
}

/** Compares an attachment's claimed type with its first bytes. */
export function checkMediaType(claimed: string, bytes: Uint8Array): MediaVerdict {
  const type = essence(claimed);
  const expected = SIGNATURES.find((signature) => signature.types.includes(type));
  if (expected !== undefined && expected.matches(bytes)) return { kind: 'right' };
  const found = SIGNATURES.find((signature) => signature.matches(bytes));
  const actual = found?.types[0];
  if (expected === undefined) {
    // A picture that calls itself something else is as wrong as the other way round.
    return actual !== undefined && found?.isShort !== true && isMedia(type)
      ? { kind: 'wrong', reason: `It says ${type}, but its bytes are ${actual}.` }
      : { kind: 'unchecked' };
  }
  return {
    kind: 'wrong',
    reason: `It says ${type}, but its bytes are ${actual ?? 'of no type that is known'}.`,
  };
}

/** The type that the bytes themselves tell, for what came without one. */
export function typeOfBytes(bytes: Uint8Array): string | undefined {
  return SIGNATURES.find((signature) => signature.matches(bytes))?.types[0];
}

/** The ending for a file with these bytes, whatever was claimed of them; `bin` if they tell nothing. */
export function fileExtension(bytes: Uint8Array): string {
  return SIGNATURES.find((signature) => signature.matches(bytes))?.extension ?? 'bin';
}

function isMedia(type: string): boolean {
  return type.startsWith('image/') || type.startsWith('audio/');
}

function starts(offset: number, text: string): (bytes: Uint8Array) => boolean {
  const expected = Buffer.from(text, 'latin1');
  return (bytes) => expected.equals(bytes.subarray(offset, offset + expected.length));
}

function any(...tests: readonly ((bytes: Uint8Array) => boolean)[]): (bytes: Uint8Array) => boolean {
  return (bytes) => tests.some((test) => test(bytes));
}

function both(...tests: readonly ((bytes: Uint8Array) => boolean)[]): (bytes: Uint8Array) => boolean {
  return (bytes) => tests.every((test) => test(bytes));
}

/** ISO base media files name their kind in the `ftyp` box. */
function brand(...brands: readonly string[]): (bytes: Uint8Array) => boolean {
  const isBoxed = starts(4, 'ftyp');
  return (bytes) => {
    if (!isBoxed(bytes)) return false;
    const box = Buffer.from(bytes.subarray(8, 64)).toString('latin1');
    return brands.some((name) => box.includes(name));
  };
}

/** MPEG audio layers II and III: eleven set bits, then the layer. Layer I is extinct, and looks like UTF-16 text. */
function isMpegAudio(bytes: Uint8Array): boolean {
  const second = bytes[1] ?? 0;
  return bytes[0] === 0xff && (second & 0xe0) === 0xe0 && [0x02, 0x04].includes(second & 0x06);
}

function isAdts(bytes: Uint8Array): boolean {
  return bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xf6) === 0xf0;
}

function isSvg(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.subarray(0, 4096))
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart();
  return head.startsWith('<') && /<svg[\s>]/.test(head);
}
