import { isJsonObject } from '../base/json.ts';

/**
 * How far a journal file went, kept in a file of its own. A journal file alone cannot show that its end was cut off;
 * together with this it can. It never runs ahead of the journal file, except when the machine itself stops.
 */
export interface SegmentHead {
  readonly sessionId: string;
  /** Last record handed to the operating system, and its hash. */
  readonly seq: number;
  readonly hash: string;
  /** Length of the journal file in bytes. */
  readonly bytes: number;
  /** Last record known to be on the disk. */
  readonly synced: number;
  /** Nothing more will be written. */
  readonly closed: boolean;
  readonly pid: number;
}

/** Always the same size, so that writing it over itself needs no more space on a full disk. */
const headBytes = 320;

export function headText(head: SegmentHead): string {
  const text = JSON.stringify(head);
  return `${text.padEnd(headBytes - 1)}\n`;
}

/** `undefined` for anything that is not a head of ours. */
export function readHead(text: string): SegmentHead | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isJsonObject(value)) return undefined;
  const { sessionId, seq, hash, bytes, synced, closed, pid } = value;
  if (typeof sessionId !== 'string' || typeof hash !== 'string' || typeof closed !== 'boolean')
    return undefined;
  if (typeof seq !== 'number' || typeof bytes !== 'number' || typeof synced !== 'number') return undefined;
  return { sessionId, seq, hash, bytes, synced, closed, pid: typeof pid === 'number' ? pid : 0 };
}
