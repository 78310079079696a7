import type { Approval } from './callApproval.ts';
import type { PendingCall } from './pendingCall.ts';

/** A call that may be made, with the arguments that were decided on. */
export interface ApprovedCall extends PendingCall {
  readonly approved: Approval & { readonly kind: 'approved' };
}
