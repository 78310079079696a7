import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonValue } from '../../base/json.ts';
import { type ReadRecord, readLine } from '../record.ts';
import type { CallEntry, RecordPlace } from './callEntry.ts';

/** Everything on record about one call. */
export interface CallDetail {
  readonly entry: CallEntry;
  /** In order of time. */
  readonly records: readonly ReadRecord[];
  readonly arguments: JsonValue | undefined;
  /** The stored arguments are the ones that were sent, to the byte: nothing hidden, nothing cut. */
  readonly argumentsExact: boolean;
  readonly result: JsonValue | undefined;
  /** Raw messages, if tracing was on. */
  readonly messages: readonly { readonly direction: string; readonly message: JsonValue }[];
}

/** Reads the records of an entry again, whole. `isExact`: whether arguments have the digest that was stored with them. */
export async function readCall(
  folder: string,
  entry: CallEntry,
  isExact: (args: JsonValue, storedDigest: string) => boolean,
): Promise<CallDetail> {
  const records: ReadRecord[] = [];
  for (const place of entry.records) {
    // Its file may have been deleted since; what is left is shown.
    const record = await readPlace(folder, place).catch(() => undefined);
    if (record !== undefined) records.push(record);
  }
  const source = records.findLast((record) => record.fields['arguments'] !== undefined);
  const args = source?.fields['arguments'];
  const digest = source?.fields['digest'];
  return {
    entry,
    records,
    arguments: args,
    argumentsExact: args !== undefined && typeof digest === 'string' && isExact(args, digest),
    result: records.findLast((record) => record.kind === 'result')?.fields['result'],
    messages: records.flatMap(({ kind, fields: { direction, message } }) =>
      kind === 'messageTraced' && typeof direction === 'string' && message !== undefined
        ? [{ direction, message }]
        : [],
    ),
  };
}

async function readPlace(folder: string, place: RecordPlace): Promise<ReadRecord | undefined> {
  const file = await open(join(folder, place.file), 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(place.length), 0, place.length, place.offset);
    return readLine(buffer.toString('utf8', 0, bytesRead));
  } finally {
    await file.close();
  }
}
