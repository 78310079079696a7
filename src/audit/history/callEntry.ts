import type { CallerKind } from '../../shared/caller.ts';

/** Where a record lies. */
export interface RecordPlace {
  /** Name of the journal file. */
  readonly file: string;
  /** In bytes. */
  readonly offset: number;
  readonly length: number;
}

/**
 * How a call ended. `refused`: no such tool or wrong arguments. `unanswered`: sent, and no outcome is on record:
 * it runs, or its window crashed. `open`: not sent, not decided.
 */
export const callEnds = [
  'ok',
  'toolError',
  'failed',
  'denied',
  'refused',
  'cancelled',
  'unanswered',
  'open',
] as const;
export type CallEnd = (typeof callEnds)[number];

/** What decided, in the words of `DecidedBy`. */
export type DecidedByKind = 'rule' | 'grant' | 'person' | 'limit' | 'suspendedGrant' | 'default' | 'noAnswer';

/** One call of the history. Everything in it was read from a file, so it is shown as data. */
export interface CallEntry {
  readonly sessionId: string;
  readonly callId: string;
  /** ISO 8601; of the call's first record. */
  readonly time: string;
  readonly callerKind: CallerKind | undefined;
  readonly callerLabel: string;
  readonly serverId: string;
  readonly tool: string;
  readonly end: CallEnd;
  /** The last decision. */
  readonly decidedBy: DecidedByKind | undefined;
  readonly reason: string | undefined;
  readonly edited: boolean;
  readonly withheld: boolean;
  readonly durationMs: number | undefined;
  /** Of the result. */
  readonly bytes: number | undefined;
  /** The arguments in one line, cut. */
  readonly preview: string;
  /** In order of time. */
  readonly records: readonly RecordPlace[];
}

/** What to look for. Absent members do not matter. */
export interface HistoryFilter {
  readonly server?: string;
  readonly tool?: string;
  readonly callerKind?: CallerKind;
  readonly ends?: readonly CallEnd[];
  readonly decidedBy?: readonly DecidedByKind[];
  /** In names, reasons, arguments and results; upper and lower case are the same. */
  readonly text?: string;
  /** Milliseconds since 1970; of the call's first record. */
  readonly from?: number;
  readonly to?: number;
}
