import { open } from 'node:fs/promises';

/** A line as bytes, without its line break. The bytes may share memory with other lines. */
export interface RawLine {
  readonly bytes: Buffer;
  /** In bytes, from the beginning of the file. */
  readonly offset: number;
}

const blockBytes = 256 * 1024;
const lineBreak = 0x0a;

/** Reads a file from its end, block by block, so that the newest records come first and at once. */
export class ReverseLines {
  readonly path: string;
  /** Everything before this is still to come; `undefined` until the first block. */
  #end: number | undefined;
  /** The beginning of a line whose earlier part is in a block still to come. */
  #rest: Buffer[] = [];

  constructor(path: string) {
    this.path = path;
  }

  /** The lines of the next block, last one first; `undefined` at the beginning of the file. */
  async next(): Promise<readonly RawLine[] | undefined> {
    const file = await open(this.path, 'r');
    try {
      // What is appended from now on is not part of this reading.
      this.#end ??= (await file.stat()).size;
      if (this.#end === 0) return undefined;
      const start = Math.max(0, this.#end - blockBytes);
      const block = Buffer.allocUnsafe(this.#end - start);
      const { bytesRead } = await file.read(block, 0, block.length, start);
      this.#end = start;
      return this.#lines(block.subarray(0, bytesRead), start);
    } finally {
      await file.close();
    }
  }

  #lines(block: Buffer, start: number): readonly RawLine[] {
    const lines: RawLine[] = [];
    let end = block.length;
    for (
      let at = block.lastIndexOf(lineBreak);
      at !== -1;
      at = end === 0 ? -1 : block.lastIndexOf(lineBreak, end - 1)
    ) {
      this.#push(lines, block.subarray(at + 1, end), start + at + 1);
      end = at;
    }
    if (start === 0) this.#push(lines, block.subarray(0, end), 0);
    else this.#rest.unshift(block.subarray(0, end));
    return lines;
  }

  #push(lines: RawLine[], part: Buffer, offset: number): void {
    const bytes = this.#rest.length === 0 ? part : Buffer.concat([part, ...this.#rest]);
    this.#rest = [];
    if (bytes.length > 0) lines.push({ bytes, offset });
  }
}
