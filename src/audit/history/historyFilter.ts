import type { JsonValue } from '../../base/json.ts';
import type { ReadRecord } from '../record.ts';
import type { CallEntry, HistoryFilter } from './callEntry.ts';

/** Members of a record that are structure, not content. */
const structure = new Set([
  'v',
  'seq',
  'time',
  'call',
  'step',
  'kind',
  'prev',
  'hash',
  'digest',
  'callId',
  'promptId',
]);

/** Whether a call is what the filter asks for. */
export function matches(filter: HistoryFilter, entry: CallEntry, records: readonly ReadRecord[]): boolean {
  if (filter.server !== undefined && entry.serverId !== filter.server) return false;
  if (filter.tool !== undefined && entry.tool !== filter.tool) return false;
  if (filter.callerKind !== undefined && entry.callerKind !== filter.callerKind) return false;
  if (filter.ends !== undefined && !filter.ends.includes(entry.end)) return false;
  if (
    filter.decidedBy !== undefined &&
    (entry.decidedBy === undefined || !filter.decidedBy.includes(entry.decidedBy))
  ) {
    return false;
  }
  const time = Date.parse(entry.time);
  if (filter.from !== undefined && !(time >= filter.from)) return false;
  if (filter.to !== undefined && !(time <= filter.to)) return false;
  const needle = filter.text?.toLowerCase() ?? '';
  return needle === '' || records.some((record) => mentions(record, needle));
}

function mentions(record: ReadRecord, needle: string): boolean {
  return Object.entries(record.fields).some(
    ([name, value]) => !structure.has(name) && value !== undefined && holds(value, needle),
  );
}

function holds(value: JsonValue, needle: string): boolean {
  if (typeof value === 'string') return value.toLowerCase().includes(needle);
  if (typeof value === 'number') return String(value).includes(needle);
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some((item: JsonValue) => holds(item, needle));
  return Object.entries(value).some(
    ([key, item]) => key.toLowerCase().includes(needle) || (item !== undefined && holds(item, needle)),
  );
}

/** Tells by a line's bytes, without reading it, whether its call can be what the filter asks for. */
export interface RawTest {
  /** False: no call with this record matches. */
  readonly possible: (line: Buffer) => boolean;
  /** Whether the text looked for may be in this record; it must be in at least one of the call. */
  readonly hasText: (line: Buffer) => boolean;
}

/** Never says no to a call that `matches`, except for letters whose lower case is in another alphabet. */
export function rawTest(filter: HistoryFilter): RawTest {
  const wanted = [member('serverId', filter.server), member('tool', filter.tool)].filter(
    (bytes) => bytes !== undefined,
  );
  const needle = JSON.stringify(filter.text ?? '')
    .slice(1, -1)
    .toLowerCase();
  const encoding = /^[\x20-\x7e]*$/.test(needle) ? 'latin1' : 'utf8';
  return {
    possible: (line) => wanted.every((bytes) => line.includes(bytes)),
    hasText: (line) => needle === '' || line.toString(encoding).toLowerCase().includes(needle),
  };
}

function member(name: string, value: string | undefined): Buffer | undefined {
  return value === undefined ? undefined : Buffer.from(`"${name}":${JSON.stringify(value)}`);
}
