import type { CancelCause, Denial, Settlement } from './prompt.ts';

/** The two ways to end an input request without an answer (specification: client/elicitation, "Response Actions"). */
export type NoAnswer = Settlement &
  (
    | { readonly kind: 'decline' }
    /** `cause` is set if it was not the person who gave up. */
    | { readonly kind: 'cancel'; readonly cause?: CancelCause }
  );

/** What a denial that was given to another prompt means for an input request. */
export function deniedInput({ stopTurn }: Denial, settlement: Settlement): NoAnswer {
  // A person who ends the turn has not said no to this question.
  return stopTurn ? { ...settlement, kind: 'cancel' } : { ...settlement, kind: 'decline' };
}

export function cancelledInput(cause: CancelCause, settlement: Settlement): NoAnswer {
  return { ...settlement, kind: 'cancel', cause };
}
