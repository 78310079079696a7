import { open } from 'node:fs/promises';

/** One line of a file as bytes, without its line break. */
export interface JournalLine {
  readonly bytes: Buffer;
  /** Where it begins in the file, in bytes. */
  readonly offset: number;
  /** From 1. */
  readonly number: number;
  /** False for what stands after the last line break. */
  readonly ended: boolean;
}

const chunkBytes = 1024 * 1024;
/** A longer line is cut into pieces, none of which can be a record. */
const maximumLine = 64 * 1024 * 1024;
const lineBreak = 0x0a;

/** Reads a file line by line, in batches, so that other work gets its turn in between. */
export async function* journalLines(
  path: string,
  signal?: AbortSignal,
): AsyncGenerator<readonly JournalLine[]> {
  const file = await open(path, 'r');
  try {
    let left = Buffer.alloc(0);
    let offset = 0;
    let number = 0;
    for (;;) {
      signal?.throwIfAborted();
      const chunk = Buffer.allocUnsafe(chunkBytes);
      const { bytesRead } = await file.read(chunk, 0, chunkBytes, offset + left.length);
      if (bytesRead === 0) break;
      const bytes =
        left.length === 0
          ? chunk.subarray(0, bytesRead)
          : Buffer.concat([left, chunk.subarray(0, bytesRead)]);
      const lines: JournalLine[] = [];
      let start = 0;
      for (let end = bytes.indexOf(lineBreak); end !== -1; end = bytes.indexOf(lineBreak, start)) {
        lines.push({
          bytes: bytes.subarray(start, end),
          offset: offset + start,
          number: ++number,
          ended: true,
        });
        start = end + 1;
      }
      if (bytes.length - start > maximumLine) {
        lines.push({ bytes: bytes.subarray(start), offset: offset + start, number: ++number, ended: true });
        start = bytes.length;
      }
      left = bytes.subarray(start);
      offset += start;
      if (lines.length > 0) yield lines;
    }
    if (left.length > 0) yield [{ bytes: left, offset, number: number + 1, ended: false }];
  } finally {
    await file.close();
  }
}
