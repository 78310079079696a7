import { type Limits, noLimits } from './limits.ts';
import type { ParsedRules } from './ruleParser.ts';
import type { LaunchTarget } from './decision.ts';

/** What the administrator of the machine lays down. It can only tighten what the user's settings say. */
export interface ManagedPolicy {
  /** Says whether a server may be used at all. */
  readonly allowsServer: (serverId: string, launch: LaunchTarget) => boolean;
  readonly rules: ParsedRules;
  readonly limits: Limits;
  /** The file is there but cannot be read or understood: then nothing is allowed. */
  readonly unreadable: boolean;
}

/** For machines without a policy file. */
export const noManagedPolicy: ManagedPolicy = {
  allowsServer: () => true,
  rules: { rules: [], broken: [], problems: [] },
  limits: noLimits,
  unreadable: false,
};
