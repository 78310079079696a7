import type { Caller } from './caller.ts';
import { type Decoder, boolean, literal, number, object, oneOf, optional, text, union } from './decode.ts';
import { caller } from './approvalCard.ts';

/** How a call ended, for the person's eye. `doubtful`: the server calls it done, but what came failed a check. */
export const callOutcomes = [
  'ok',
  'doubtful',
  'toolError',
  'failed',
  'denied',
  'cancelled',
  'withdrawn',
] as const;
export type CallOutcome = (typeof callOutcomes)[number];

export interface CallProgressView {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

export type CallState =
  /** `startedAt`: wall clock, milliseconds since 1970. */
  | { readonly kind: 'running'; readonly startedAt: number; readonly progress?: CallProgressView }
  | {
      readonly kind: 'finished';
      readonly outcome: CallOutcome;
      readonly endedAt: number;
      /** Milliseconds; absent when nothing was sent. */
      readonly durationMs?: number;
      /** The result or the error in a few lines. Cut; the whole is behind "Open result". */
      readonly summary: string;
    };

/** A call that runs or has ended. */
export interface CallView {
  readonly id: string;
  /** The prompt that it came from, if a person was asked. */
  readonly promptId?: string;
  readonly serverId: string;
  /** The tool, or what the server asked a person for. */
  readonly toolName: string;
  readonly caller?: Caller;
  readonly preview: string;
  /** The person has changed the arguments before they allowed it. */
  readonly edited?: boolean;
  readonly state: CallState;
  /** Whether the whole result can be opened. */
  readonly hasResult: boolean;
}

const identifier = text(1_000);
const prose = text(100_000);

const state: Decoder<CallState> = union<CallState>({
  running: object({
    kind: literal('running'),
    startedAt: number(),
    progress: optional(object({ progress: number(), total: optional(number()), message: optional(prose) })),
  }),
  finished: object({
    kind: literal('finished'),
    outcome: oneOf(callOutcomes),
    endedAt: number(),
    durationMs: optional(number()),
    summary: prose,
  }),
});

export const callView: Decoder<CallView> = object({
  id: identifier,
  promptId: optional(identifier),
  serverId: prose,
  toolName: prose,
  caller: optional(caller),
  preview: text(1_000),
  edited: optional(boolean),
  state,
  hasResult: boolean,
});
