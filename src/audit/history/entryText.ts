import { visibleLine } from '../../shared/visibleText.ts';
import type { CallEnd, CallEntry, DecidedByKind } from './callEntry.ts';

/** How a call ended, in a word or two. */
export const endWords: Readonly<Record<CallEnd, string>> = {
  ok: 'OK',
  toolError: 'Tool error',
  failed: 'Failed',
  denied: 'Denied',
  refused: 'Not made',
  cancelled: 'Cancelled',
  unanswered: 'No outcome',
  open: 'Not decided',
};

/** What each end means, for a list to choose from. */
export const endMeanings: Readonly<Record<CallEnd, string>> = {
  ok: 'The server answered.',
  toolError: 'The server answered that the tool failed.',
  failed: 'No answer, or one that could not be used.',
  denied: 'A person, a rule or the lack of an answer said no.',
  refused: 'There is no such tool, or the arguments do not fit it.',
  cancelled: 'Given up before the server had answered.',
  unanswered: 'Sent. It still runs, or the window crashed meanwhile.',
  open: 'Waits for a person, or the window crashed meanwhile.',
};

/** What decided, in a few words. */
export const deciderWords: Readonly<Record<DecidedByKind, string>> = {
  person: 'a person',
  rule: 'a rule',
  grant: 'a grant',
  limit: 'a limit',
  suspendedGrant: 'a suspended grant',
  default: 'the default (ask)',
  noAnswer: 'the lack of an answer',
};

/** One row of the list of calls. All texts are on one line, with hidden characters made visible. */
export interface EntryRow {
  readonly label: string;
  readonly description: string;
  /** Several lines. */
  readonly tooltip: string;
  readonly spoken: string;
}

/** `now`: milliseconds since 1970; calls of the same day show the time only. */
export function entryRow(entry: CallEntry, now: number): EntryRow {
  const tool = visibleLine(entry.tool, 120) || '(no name)';
  const server = visibleLine(entry.serverId, 120) || '(no server)';
  const duration = entry.durationMs === undefined ? '' : ` in ${durationText(entry.durationMs)}`;
  const marks = `${entry.edited ? ', edited' : ''}${entry.withheld ? ', withheld' : ''}`;
  const end = `${endWords[entry.end]}${duration}${marks}`;
  const when = timeText(entry.time, now);
  const preview = visibleLine(entry.preview, 200);
  return {
    label: tool,
    description: `${server} · ${end} · ${when}${preview === '' || preview === '{}' ? '' : ` · ${preview}`}`,
    tooltip: [
      `${server} · ${tool}`,
      `${end}. ${endMeanings[entry.end]}`,
      `${timeText(entry.time, undefined)}, asked by ${callerText(entry)}`,
      ...(entry.decidedBy === undefined ? [] : [`Decided by ${deciderWords[entry.decidedBy]}`]),
      ...(entry.reason === undefined ? [] : [visibleLine(entry.reason, 500)]),
      ...(preview === '' ? [] : [preview]),
    ].join('\n'),
    spoken: `${tool} of ${server}, ${end}, ${when}`,
  };
}

/** Who asked, as told by the record. */
export function callerText({ callerKind, callerLabel }: CallEntry): string {
  const label = visibleLine(callerLabel, 80);
  const kind = callerKind ?? 'unknown';
  return label === '' ? kind : `${kind} (${label})`;
}

/** `450 ms`, `2.1 s`, `3 min 5 s`. */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** Local time; the day is left out if it is that of `now`. What is no time is shown as it stands. */
export function timeText(iso: string, now: number | undefined): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return visibleLine(iso, 40);
  const clock = [time.getHours(), time.getMinutes(), time.getSeconds()].map(twoDigits).join(':');
  const today = now !== undefined && dayText(time) === dayText(new Date(now));
  return today ? clock : `${dayText(time)} ${clock}`;
}

function dayText(time: Date): string {
  return `${time.getFullYear()}-${twoDigits(time.getMonth() + 1)}-${twoDigits(time.getDate())}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
