/** One red pixel as a whole PNG, in base64. */
export const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';

/** The start of a PNG with this size, and one more chunk if named. */
export function png(width: number, height: number, chunk?: string): Buffer {
  const header = Buffer.alloc(33);
  header.write('\x89PNG\r\n\x1a\n', 'latin1');
  header.writeUInt32BE(13, 8);
  header.write('IHDR', 12, 'latin1');
  header.writeUInt32BE(width, 16);
  header.writeUInt32BE(height, 20);
  const more = Buffer.alloc(chunk === undefined ? 0 : 12);
  if (chunk !== undefined) more.write(chunk, 4, 'latin1');
  return Buffer.concat([header, more]);
}

/** The start of a JPEG with this size, after a segment that has none. */
export function jpeg(width: number, height: number): Buffer {
  const start = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0x00, 0x04, 0x4a, 0x46]);
  const frame = Buffer.from([0xff, 0xc0, 0x00, 0x11, 0x08, 0, 0, 0, 0, 0x03, 0x01]);
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  return Buffer.concat([start, frame]);
}

/** The start of a WebP with this size, in one of its three layouts. */
export function webp(
  chunk: 'VP8 ' | 'VP8L' | 'VP8X',
  width: number,
  height: number,
  animated: boolean = false,
): Buffer {
  const bytes = Buffer.alloc(40);
  bytes.write('RIFF', 0, 'latin1');
  bytes.write('WEBP', 8, 'latin1');
  bytes.write(chunk, 12, 'latin1');
  if (chunk === 'VP8 ') {
    bytes.writeUInt16LE(width, 26);
    bytes.writeUInt16LE(height, 28);
  } else if (chunk === 'VP8L') {
    bytes.writeUInt32LE((width - 1) | ((height - 1) << 14), 21);
  } else {
    bytes.writeUInt8(animated ? 0x02 : 0, 20);
    bytes.writeUIntLE(width - 1, 24, 3);
    bytes.writeUIntLE(height - 1, 27, 3);
  }
  return bytes;
}
