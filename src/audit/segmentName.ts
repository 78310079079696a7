/** What the name of a journal file says. Names sort by time within a session. */
export interface SegmentName {
  /** UTC, to the second: `20260501T120000Z`. */
  readonly openedAt: string;
  readonly sessionId: string;
  readonly number: number;
}

const pattern = /^journal-(\d{8}T\d{6}Z)-([0-9a-f]{12})-(\d{4,})\.jsonl$/;

/** `journal-20260501T120000Z-0123456789ab-0001.jsonl`; `now` in milliseconds since 1970. */
export function segmentName(now: number, sessionId: string, number: number): string {
  const time = `${new Date(now).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`;
  return `journal-${time}-${sessionId}-${String(number).padStart(4, '0')}.jsonl`;
}

export function parseSegmentName(file: string): SegmentName | undefined {
  const match = pattern.exec(file);
  if (match === null) return undefined;
  const [, openedAt = '', sessionId = '', number = ''] = match;
  return { openedAt, sessionId, number: Number(number) };
}

/** The small file beside a journal file that says how far it went. */
export function headName(segment: string): string {
  return segment.replace(/\.jsonl$/, '.head');
}
