import { type JsonObject, type JsonValue, isJsonObject } from '../../base/json.ts';
import { type CallerKind, callerKinds } from '../../shared/caller.ts';
import type { ReadRecord } from '../record.ts';
import type { CallEnd, CallEntry, DecidedByKind, RecordPlace } from './callEntry.ts';

const decidedByKinds: readonly DecidedByKind[] = [
  'rule',
  'grant',
  'person',
  'limit',
  'suspendedGrant',
  'default',
  'noAnswer',
];

/** Makes one entry of the records of a call, in their order. They come from a file, so nothing is taken for granted. */
export function summarizeCall(
  sessionId: string,
  records: readonly ReadRecord[],
  places: readonly RecordPlace[],
): CallEntry | undefined {
  const first = records[0];
  if (first === undefined) return undefined;
  const decision = lastOf(records, (record) => jsonObject(record.fields['decision']));
  const by = jsonObject(decision?.['by'])?.['kind'];
  const caller = lastOf(records, (record) => jsonObject(record.fields['caller']));
  const kinds = new Set(records.map((record) => record.kind));
  return {
    sessionId,
    callId: text(first.fields['callId']),
    time: first.time,
    callerKind: callerKinds.find((kind): kind is CallerKind => kind === caller?.['kind']),
    callerLabel: text(caller?.['label']),
    serverId: text(first.fields['serverId']),
    tool: text(first.fields['tool']),
    end: endOf(records, decision),
    decidedBy: decidedByKinds.find((kind) => kind === by),
    reason: reasonOf(records, decision),
    edited: kinds.has('argumentsEdited'),
    withheld: kinds.has('resultWithheld'),
    durationMs: lastOf(records, (record) => number(record.fields['durationMs'])),
    bytes: lastOf(records, (record) => number(record.fields['bytes'])),
    preview: preview(callArguments(records)),
    records: places,
  };
}

/** What was sent, or would have been. */
export function callArguments(records: readonly ReadRecord[]): JsonValue | undefined {
  return lastOf(records, (record) => record.fields['arguments']);
}

function endOf(records: readonly ReadRecord[], decision: JsonObject | undefined): CallEnd {
  for (const record of records.toReversed()) {
    switch (record.kind) {
      case 'result':
        return record.fields['isError'] === true ? 'toolError' : 'ok';
      case 'error':
        return 'failed';
      case 'cancelled':
        return 'cancelled';
      case 'callRefused':
        return 'refused';
      case 'intent':
        return 'unanswered';
      default:
    }
  }
  return decision?.['outcome'] === 'deny' ? 'denied' : 'open';
}

function reasonOf(records: readonly ReadRecord[], decision: JsonObject | undefined): string | undefined {
  return (
    lastOf(records, (record) => optionalText(record.fields['message'] ?? record.fields['reason'])) ??
    optionalText(decision?.['reason'])
  );
}

function lastOf<T>(
  records: readonly ReadRecord[],
  read: (record: ReadRecord) => T | undefined,
): T | undefined {
  for (const record of records.toReversed()) {
    const value = read(record);
    if (value !== undefined) return value;
  }
  return undefined;
}

function preview(value: JsonValue | undefined): string {
  const json = value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
  return json.length > 200 ? `${json.slice(0, 200)}…` : json;
}

function jsonObject(value: unknown): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined;
}
function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
function optionalText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
function number(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
