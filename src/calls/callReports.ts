import { HostError, RpcError, errorMessage } from '../base/errors.ts';
import { failureForModel } from '../tools/resultForModel.ts';
import type { Approval } from './callApproval.ts';
import type { CallReport } from './callTypes.ts';
import type { ReviewVerdict } from './resultReview.ts';

/** Never sent: no such tool, or arguments that its schema refuses. `message` is for the caller. */
export function refusedReport(callId: string, message: string): CallReport {
  return { callId, outcome: { kind: 'refused' }, parts: [{ kind: 'text', text: message }] };
}

/** Never sent: a person or a rule said no, or nobody could be asked. */
export function deniedReport(
  callId: string,
  { by, stopTurn, message }: Approval & { readonly kind: 'denied' },
): CallReport {
  return { callId, outcome: { kind: 'denied', by, stopTurn }, parts: [{ kind: 'text', text: message }] };
}

/** Sent and answered, and kept from the caller. */
export function withheldReport(
  callId: string,
  { by, reason }: ReviewVerdict & { readonly kind: 'withheld' },
): CallReport {
  const why = reason === undefined ? '.' : `: ${reason}`;
  const what = by === 'person' ? 'the user withheld its result' : 'its result was not released by the user';
  const text = `The call was made, but ${what}${why}`;
  return { callId, outcome: { kind: 'withheld' }, parts: [{ kind: 'text', text }] };
}

/** Ended by the caller or a person. */
export function cancelledReport(callId: string): CallReport {
  return {
    callId,
    outcome: { kind: 'cancelled' },
    parts: [{ kind: 'text', text: 'The call was cancelled.' }],
  };
}

/** Ended by an error of the server's or our own; any other error is told as a fault of ours. */
export function failedReport(callId: string, error: unknown): CallReport {
  const known =
    error instanceof RpcError || error instanceof HostError
      ? error
      : new HostError('protocolViolation', errorMessage(error), { cause: error });
  return { callId, outcome: { kind: 'failed', error: known }, parts: failureForModel(known).parts };
}
