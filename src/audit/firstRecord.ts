import { open } from 'node:fs/promises';
import { type ReadRecord, readLine } from './record.ts';

const maximumBytes = 256 * 1024;

/** The record that opens a file; `undefined` if there is none, or none that can be read. */
export async function firstRecord(path: string): Promise<ReadRecord | undefined> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(maximumBytes), 0, maximumBytes, 0);
    const end = buffer.subarray(0, bytesRead).indexOf(0x0a);
    return end === -1 ? undefined : readLine(buffer.toString('utf8', 0, end));
  } finally {
    await file.close();
  }
}
