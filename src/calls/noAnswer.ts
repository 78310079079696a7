import type { DecidedBy } from '../audit/events.ts';
import type { CancelCause } from '../prompts/prompt.ts';

const recordedCause = {
  aborted: 'promptWithdrawn',
  closed: 'windowReloaded',
  expired: 'promptExpired',
  tooMany: 'viewUnavailable',
  unshowable: 'viewUnavailable',
} as const satisfies Record<CancelCause, string>;

/** For the record: no person answered a prompt, and why. */
export function noAnswer(cause: CancelCause): DecidedBy {
  return { kind: 'noAnswer', cause: recordedCause[cause] };
}

/** Who settled an input request: the person, or nobody if the prompt ended by itself. */
export function settledBy(answer: { readonly promptId: string; readonly cause?: CancelCause }): DecidedBy {
  return answer.cause === undefined ? { kind: 'person', promptId: answer.promptId } : noAnswer(answer.cause);
}
