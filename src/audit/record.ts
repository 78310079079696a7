import { hash } from 'node:crypto';
import { type JsonObject, isJsonObject } from '../base/json.ts';

/*
 * One line of the journal:
 *   {"v":1,"seq":7,"time":"…","call":5,"step":2,"kind":"…", …event…, "prev":"…","hash":"…"}
 * `prev` is the hash of the line before; `hash` is SHA-256, base64url, over this line's text up to and without
 * `,"hash"`. It covers `prev`, so it covers everything before it too. Its own hash in each line means that a
 * change in the very last line shows without any other file.
 */

export const recordVersion = 1;
/** What `prev` says in the first record of a session. */
export const noPrevious = 'none';

const hashMark = ',"hash":"';
const hashLength = 43;
const tailLength = hashMark.length + hashLength + '"}'.length;

export interface RecordHead {
  readonly seq: number;
  readonly time: string;
  readonly place: CallPlace | undefined;
}

/** Where a record stands within its call: `call` numbers the calls of a session, `step` the call's records. */
export interface CallPlace {
  readonly call: number;
  readonly step: number;
}

export interface SealedLine {
  /** Without the line break. */
  readonly line: string;
  readonly hash: string;
}

/** Puts number, time and chain around an event's own JSON text (an object, in braces). */
export function sealLine(head: RecordHead, eventJson: string, previousHash: string): SealedLine {
  const call = head.place === undefined ? '' : `,"call":${head.place.call},"step":${head.place.step}`;
  const members = eventJson.slice(1, -1);
  const body = `{"v":${recordVersion},"seq":${head.seq},"time":"${head.time}"${call},${members},"prev":"${previousHash}"`;
  const own = hash('sha256', body, 'base64url');
  return { line: `${body}${hashMark}${own}"}`, hash: own };
}

/** A record as read from a file: shape checked, chain not. The event's members are foreign until looked at. */
export interface ReadRecord {
  readonly seq: number;
  readonly time: string;
  readonly place: CallPlace | undefined;
  readonly kind: string;
  readonly fields: JsonObject;
  readonly prev: string;
  readonly hash: string;
}

/** Reads one line without its line break; `undefined` if it is no record of ours. */
export function readLine(line: string): ReadRecord | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (!isJsonObject(value)) return undefined;
  const { v, seq, time, call, step, kind, prev, hash } = value;
  if (v !== recordVersion || !isCount(seq)) return undefined;
  if (typeof time !== 'string' || typeof kind !== 'string') return undefined;
  if (typeof prev !== 'string' || typeof hash !== 'string') return undefined;
  const place = isCount(call) && isCount(step) ? { call, step } : undefined;
  if (place === undefined && (call !== undefined || step !== undefined)) return undefined;
  return { seq, time, place, kind, fields: value, prev, hash };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 1;
}

/**
 * The hash of a line's text as it stands, whatever hash it states. Takes bytes, because decoded text has lost the
 * difference between a broken character and a replacement character. `undefined` if no hash stands at the end.
 */
export function ownHash(line: Buffer): string | undefined {
  const cut = line.length - tailLength;
  if (cut <= 0 || line.toString('latin1', cut, cut + hashMark.length) !== hashMark) return undefined;
  return hash('sha256', line.subarray(0, cut), 'base64url');
}

/** Whether a line states the hash of its own text. Says nothing of the chain. */
export function hashHolds(line: Buffer, record: ReadRecord): boolean {
  const own = ownHash(line);
  return own === record.hash && line.toString('latin1', line.length - 2 - hashLength) === `${own}"}`;
}
