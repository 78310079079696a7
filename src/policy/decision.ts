import type { JsonObject } from '../base/json.ts';
import type { ToolAnnotations } from '../protocol/model.ts';
import type { ServerOrigin } from '../servers/serverConfig.ts';
import type { CallerKind } from '../shared/caller.ts';
import type { Grant } from './grant.ts';
import type { LimitExceeded, UsageCounts } from './limits.ts';
import type { PathFacts } from './pathFacts.ts';
import type { RuleRef } from './rule.ts';

/** How a server is reached, as far as an allow-list looks at it. */
export type LaunchTarget =
  | { readonly kind: 'stdio'; readonly command: string; readonly args: readonly string[] }
  | { readonly kind: 'http'; readonly url: string };

/** All that a decision rests on. */
export interface CallFacts {
  readonly caller: CallerKind;
  readonly serverId: string;
  readonly serverOrigin: ServerOrigin;
  /** The user has marked the server as trusted, so that its claims may count in allowing rules. */
  readonly serverTrusted: boolean;
  readonly launch: LaunchTarget;
  readonly launchFingerprint: string;
  readonly toolName: string;
  readonly toolFingerprint: string;
  readonly annotations: ToolAnnotations | undefined;
  readonly args: JsonObject;
  /** Id of the open workspace, the same that grants of workspace scope carry. */
  readonly workspace: string | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** As `now`, but never set back (`LatestTime`): what permissions with an end are measured by. */
  readonly latest: number;
  readonly usage: UsageCounts;
  /** From `gatherPaths`; `noPaths` if no condition asks. */
  readonly paths: PathFacts;
}

/** A grant that would cover the call if what it was given for had not changed. */
export interface SuspendedGrant {
  readonly grant: Grant;
  readonly changed: readonly ('tool' | 'launch')[];
}

export type DenyReason =
  | { readonly kind: 'rule'; readonly rule: RuleRef; readonly text: string | undefined }
  /** The machine's policy does not list the server. */
  | { readonly kind: 'serverNotListed' }
  /** The machine's policy is there but cannot be read. */
  | { readonly kind: 'brokenMachinePolicy' };

export type AllowReason =
  | { readonly kind: 'rule'; readonly rule: RuleRef; readonly text: string | undefined }
  | { readonly kind: 'grant'; readonly grant: Grant };

export type AskReason =
  | { readonly kind: 'rule'; readonly rule: RuleRef; readonly text: string | undefined }
  /** A restricting rule that cannot be judged for this call, such as a path that cannot be resolved. */
  | { readonly kind: 'doubtfulRule'; readonly rule: RuleRef; readonly text: string | undefined }
  /** A rule with an error that may have been meant to restrict this call. */
  | { readonly kind: 'brokenRule'; readonly rule: RuleRef }
  | { readonly kind: 'suspendedGrant' }
  /** Otherwise allowed, for the reason given. */
  | { readonly kind: 'limit'; readonly exceeded: readonly LimitExceeded[]; readonly otherwise: AllowReason }
  /** No rule and no grant says anything. */
  | { readonly kind: 'default' };

/** What policy says about a call, and why. */
export type Decision =
  | { readonly kind: 'deny'; readonly reason: DenyReason }
  | {
      readonly kind: 'ask';
      readonly reason: AskReason;
      /** To be shown before anything else, whatever the reason. */
      readonly suspended: readonly SuspendedGrant[];
      /** Whether a grant could prevent the same question next time. */
      readonly rememberable: boolean;
      readonly reviewResult: boolean;
    }
  | { readonly kind: 'allow'; readonly reason: AllowReason; readonly reviewResult: boolean };
