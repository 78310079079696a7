import { visibleLine } from '../../shared/visibleText.ts';
import type { HistoryFilter } from './callEntry.ts';
import { deciderWords, endWords, timeText } from './entryText.ts';

/** What is looked for, in one line; `undefined`: everything. */
export function filterText(filter: HistoryFilter): string | undefined {
  const { server, tool, callerKind, ends, decidedBy, text, from, to } = filter;
  const parts = [
    server === undefined ? undefined : `server ${visibleLine(server, 60)}`,
    tool === undefined ? undefined : `tool ${visibleLine(tool, 60)}`,
    callerKind === undefined ? undefined : `asked by ${callerKind}`,
    ends === undefined ? undefined : ends.map((end) => endWords[end]).join(' or '),
    decidedBy === undefined
      ? undefined
      : `decided by ${decidedBy.map((kind) => deciderWords[kind]).join(' or ')}`,
    text === undefined ? undefined : `"${visibleLine(text, 60)}"`,
    from === undefined ? undefined : `since ${whenText(from)}`,
    to === undefined ? undefined : `until ${whenText(to)}`,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join(' · ');
}

function whenText(time: number): string {
  return timeText(new Date(time).toISOString(), undefined).replace(/:00$/, '');
}

/** Whether all calls are looked for. */
export function isEmptyFilter(filter: HistoryFilter): boolean {
  return filterText(filter) === undefined;
}

const pattern = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ]+(\d{1,2}):(\d{2})(?::(\d{2}))?)?$/;

/**
 * A day or a time as a person types it, local: `2026-12-01`, `2026-12-01 14:30`. Milliseconds since 1970;
 * `undefined` if it is none. A day alone is its beginning, or with `atEnd` its last millisecond.
 */
export function parseWhen(text: string, atEnd: boolean): number | undefined {
  const match = pattern.exec(text.trim());
  if (match === null) return undefined;
  const [y = 0, mo = 0, d = 0, h = 0, mi = 0, s = 0] = match.slice(1).map((part) => Number(part ?? 0));
  const time = new Date(y, mo - 1, d, h, mi, s);
  // `Date` turns the 31st of a short month into the first of the next one.
  if (time.getFullYear() !== y || time.getMonth() !== mo - 1 || time.getDate() !== d) return undefined;
  if (h > 23 || mi > 59 || s > 59) return undefined;
  if (!atEnd) return time.getTime();
  const length = match[4] === undefined ? 86_400_000 : match[6] === undefined ? 60_000 : 1_000;
  return time.getTime() + length - 1;
}
