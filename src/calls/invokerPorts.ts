import type { AuditPort } from '../audit/auditLog.ts';
import type { Clock } from '../base/clock.ts';
import type { CallBoard } from '../prompts/callBoard.ts';
import type { Catalogue } from '../tools/catalogue.ts';
import type { ResultStore } from '../tools/resultStore.ts';
import type { SchemaChecker } from '../tools/schemaChecker.ts';
import type { CallApproval } from './callApproval.ts';
import type { CallMemory } from './callMemory.ts';
import type { CallServers } from './callServers.ts';
import type { ResultReview } from './resultReview.ts';
import type { ResultShelf } from './resultShelf.ts';
import type { RunningCalls } from './runningCalls.ts';

export interface CallTimeouts {
  /** Milliseconds without a reply or progress. */
  readonly timeoutMs: number;
  /** Milliseconds in all. */
  readonly maxTimeoutMs: number;
}

/** All that the one road passes by. */
export interface ToolInvokerPorts {
  readonly catalogue: Catalogue;
  readonly checker: SchemaChecker;
  readonly approval: CallApproval;
  readonly memory: CallMemory;
  readonly running: RunningCalls;
  readonly review: ResultReview;
  readonly board: CallBoard;
  readonly audit: AuditPort;
  readonly servers: CallServers;
  readonly results: ResultStore;
  readonly timeouts: () => CallTimeouts;
  /** Whether messages go on record too. */
  readonly traces: () => boolean;
  /** Most text of a result that a model gets at once, in bytes of UTF-8. */
  readonly resultBytes: () => number;
  readonly clock: Clock;
  readonly shelf: ResultShelf;
}
