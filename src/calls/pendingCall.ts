import type { CallSubject } from '../audit/events.ts';
import type { Snapshot } from './callArguments.ts';
import type { CallServer } from './callServers.ts';
import type { CallableTool } from './callTarget.ts';
import type { CallRequest } from './callTypes.ts';

/** One call on its way to a decision: who asks for what, with which arguments, of which tool as it is now. */
export interface PendingCall {
  readonly request: CallRequest;
  readonly subject: CallSubject;
  readonly callable: CallableTool;
  readonly server: CallServer;
  readonly snapshot: Snapshot;
  /** Its place among the prompts: calls are shown in the order in which they were made. */
  readonly place: number;
}
