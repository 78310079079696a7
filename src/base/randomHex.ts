import { randomFillSync } from 'node:crypto';

/** Asking the system for each few bytes costs more than the rest of an id. */
const pool = Buffer.alloc(4_096);
let used = pool.length;

/** Random bytes as hexadecimal digits, for ids that need not stay secret. At most 4,096 bytes. */
export function randomHex(bytes: number): string {
  if (used + bytes > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += bytes;
  return pool.toString('hex', used - bytes, used);
}
