import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';
import { isJsonObject } from '../base/json.ts';
import { headName } from './segmentName.ts';

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
  /** When the machine was started, in seconds since 1970, to about a second. */
  readonly boot: number;
  /** The state at the last sync, signed with the user's key. */
  readonly seal: HeadSeal | undefined;
}

export interface HeadSeal {
  readonly seq: number;
  readonly hash: string;
  /** `KeyedDigest.full` of `sealText`. */
  readonly mac: string;
}

/** What a seal signs. */
export function sealText(sessionId: string, seq: number, hash: string): string {
  return `countersign journal ${sessionId} ${seq} ${hash}`;
}

/** When this machine was started, in seconds since 1970. */
export function bootTime(): number {
  return Math.round(Date.now() / 1000 - uptime());
}

/** Whether the process that wrote the head is still there. */
export function isAlive(head: SegmentHead): boolean {
  if (head.closed || head.pid === 0 || wasRestarted(head)) return false;
  try {
    process.kill(head.pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Whether the machine was restarted since the head was written. */
export function wasRestarted(head: SegmentHead): boolean {
  // The wall clock may have been set meanwhile: a small difference is none.
  return Math.abs(bootTime() - head.boot) > 120;
}

/** Always the same size, so that writing it over itself needs no more space on a full disk. */
const headBytes = 512;

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
  const { sessionId, seq, hash, bytes, synced, closed, pid, boot, seal } = value;
  if (typeof sessionId !== 'string' || typeof hash !== 'string' || typeof closed !== 'boolean')
    return undefined;
  if (typeof seq !== 'number' || typeof bytes !== 'number' || typeof synced !== 'number') return undefined;
  if (typeof pid !== 'number' || typeof boot !== 'number') return undefined;
  return { sessionId, seq, hash, bytes, synced, closed, pid, boot, seal: readSeal(seal) };
}

function readSeal(value: unknown): HeadSeal | undefined {
  if (!isJsonObject(value)) return undefined;
  const { seq, hash, mac } = value;
  if (typeof seq !== 'number' || typeof hash !== 'string' || typeof mac !== 'string') return undefined;
  return { seq, hash, mac };
}

/** The head beside a journal file; `undefined` if there is none that can be read. */
export function headBeside(segmentPath: string): SegmentHead | undefined {
  try {
    return readHead(readFileSync(headName(segmentPath), 'utf8'));
  } catch {
    return undefined;
  }
}
