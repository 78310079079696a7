import type { JsonValue } from '../../base/json.ts';
import type { CallEntry, HistoryFilter } from '../history/callEntry.ts';
import { HistoryReader } from '../history/historyReader.ts';
import { type CallDetail, readCall } from '../history/readCall.ts';
import { csvRow } from './csv.ts';
import { otlpRequest, spanOfDetail } from './otlpSpans.ts';

export const exportFormats = ['json', 'csv', 'otlp'] as const;
export type ExportFormat = (typeof exportFormats)[number];

export interface ExportOptions {
  readonly filter?: HistoryFilter;
  readonly signal?: AbortSignal;
  /** Calls so far. */
  readonly onProgress?: (calls: number) => void;
  /** Of this extension. */
  readonly version: string;
}

const pageSize = 200;

/**
 * Writes all calls that match, the newest first, as they are stored: what was hidden in the record stays hidden.
 * Goes through `write` piece by piece, so the size of the history does not matter. Returns the number of calls.
 */
export async function exportCalls(
  folder: string,
  format: ExportFormat,
  write: (text: string) => Promise<void>,
  options: ExportOptions,
): Promise<number> {
  const reader = new HistoryReader(folder, options.filter ?? {});
  const shape = shapes[format](options.version);
  await write(shape.begin);
  let calls = 0;
  for (let ended = false; !ended;) {
    const page = await reader.next(pageSize, options.signal === undefined ? {} : { signal: options.signal });
    let text = '';
    for (const entry of page.entries) {
      // The digest proves nothing without the key, and an export has none.
      text += shape.item(await readCall(folder, entry, () => false), calls++);
    }
    if (text !== '') await write(text);
    options.onProgress?.(calls);
    ({ ended } = page);
  }
  await write(shape.end);
  return calls;
}

interface Shape {
  readonly begin: string;
  readonly item: (detail: CallDetail, index: number) => string;
  readonly end: string;
}

const shapes: Readonly<Record<ExportFormat, (version: string) => Shape>> = {
  json: () => ({
    begin: '[',
    item: (detail, index) => `${index === 0 ? '\n' : ',\n'}${JSON.stringify(jsonCall(detail))}`,
    end: '\n]\n',
  }),
  csv: () => ({ begin: csvRow(columns), item: ({ entry, ...detail }) => csvCall(entry, detail), end: '' }),
  // One request per line: what a collector's file receiver reads.
  otlp: (version) => ({
    begin: '',
    item: (detail) => {
      const span = spanOfDetail(detail);
      if (span === undefined) return '';
      return `${JSON.stringify(otlpRequest([span], { version, sessionId: detail.entry.sessionId }))}\n`;
    },
    end: '',
  }),
};

function jsonCall(detail: CallDetail): object {
  const { records: _places, ...entry } = detail.entry;
  return {
    ...entry,
    arguments: detail.arguments,
    result: detail.result,
    records: detail.records.map((record) => record.fields),
  };
}

const columns = [
  'time',
  'session',
  'call',
  'caller',
  'callerLabel',
  'server',
  'tool',
  'end',
  'decidedBy',
  'reason',
  'edited',
  'withheld',
  'durationMs',
  'resultBytes',
  'arguments',
  'result',
];

function csvCall(entry: CallEntry, detail: Omit<CallDetail, 'entry'>): string {
  return csvRow([
    entry.time,
    entry.sessionId,
    entry.callId,
    entry.callerKind,
    entry.callerLabel,
    entry.serverId,
    entry.tool,
    entry.end,
    entry.decidedBy,
    entry.reason,
    entry.edited,
    entry.withheld,
    entry.durationMs,
    entry.bytes,
    json(detail.arguments),
    json(detail.result),
  ]);
}

function json(value: JsonValue | undefined): string | undefined {
  return value === undefined ? undefined : JSON.stringify(value);
}
