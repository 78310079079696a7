import type { JsonValue } from '../base/json.ts';
import type { CallerKind } from '../shared/caller.ts';

/** Who wrote a rule. Only the user's own rules may allow. */
export type RuleOrigin = 'user' | 'workspace' | 'managed';

export type RuleDecision = 'allow' | 'ask' | 'deny';

/**
 * How strictly a rule is read. An allowing rule must hold beyond doubt (`strict`); a restricting one already
 * concerns a call that it might mean (`generous`). So every doubt ends with a person being asked.
 */
export type Reading = 'strict' | 'generous';

/** What a value must be like. All members that are there must hold. */
export interface ArgumentCondition {
  readonly equals?: JsonValue;
  readonly oneOf?: readonly JsonValue[];
  readonly glob?: readonly string[];
  /** RE2 syntax. */
  readonly matches?: string;
  /** Folders: absolute, or beginning with `~` or `${workspaceFolder}`. */
  readonly within?: readonly string[];
  /** Globs over the host of a URL. */
  readonly host?: readonly string[];
  /** Most UTF-16 units of a string, or items of an array. */
  readonly maxLength?: number;
}

/** Conditions on arguments, by argument path (see `argumentPath.ts`). All must hold. */
export type ArgumentConditions = Readonly<Record<string, ArgumentCondition>>;

/** What a tool says of itself. Counts in an allowing rule only for a server that the user trusts. */
export interface Claims {
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** Where a rule stands, so that a person can be led to it. */
export interface RuleRef {
  readonly origin: RuleOrigin;
  /**
   * Which settings of several, as `PolicySources` names it: a folder's URI, a file's path; for another setting than
   * that of the rules its name, such as `countersign.limits`.
   */
  readonly source: string;
  /** Place in its list, from 0; -1 stands for the whole setting. */
  readonly index: number;
}

/** A rule as written, once it is known to be right. */
export interface Rule {
  readonly ref: RuleRef;
  /** Globs. */
  readonly server: string;
  readonly tool: string;
  readonly callers: readonly CallerKind[] | undefined;
  readonly args: ArgumentConditions;
  readonly claims: Claims;
  readonly decision: RuleDecision;
  /** For the person and, with a denial, for the model. */
  readonly reason: string | undefined;
  /** Milliseconds since 1970 from which on the rule no longer counts. */
  readonly until: number | undefined;
  /** The person sees the result before the caller does. */
  readonly reviewResult: boolean;
}

/** A rule that could not be read, with what is known of the calls that it concerns. */
export interface BrokenRule {
  readonly ref: RuleRef;
  /** Globs; `*` where they could not be read. */
  readonly server: string;
  readonly tool: string;
  /** False only if it certainly was to allow: then leaving it out is the safe reading. */
  readonly mayRestrict: boolean;
}

/** Something wrong with a policy source, for the Problems view. */
export interface PolicyProblem {
  readonly ref: RuleRef;
  /** Keys inside the rule, such as `["args", "path", "matches"]`; empty for the rule itself. */
  readonly key: readonly string[];
  readonly severity: 'error' | 'warning';
  /** What is wrong and what to write instead. */
  readonly message: string;
}

/** The whole problem as one sentence that names the place. */
export function problemText({ ref, key, message }: PolicyProblem): string {
  const keys = key.map((part) => (/^\w+$/.test(part) ? `.${part}` : `[${JSON.stringify(part)}]`)).join('');
  const sentence = /^[A-Z]/.test(message) ? `: ${message}` : ` ${message}`;
  return `${placeLabel(ref, keys)}${sentence}`;
}

/** Names a rule for a person: `countersign.rules[2]`. */
export function ruleLabel(ref: RuleRef): string {
  return placeLabel(ref, '');
}

function placeLabel({ origin, source, index }: RuleRef, keys: string): string {
  const entry = index < 0 ? '' : `[${index}]`;
  if (origin === 'managed') {
    const inner = `${index < 0 ? '' : 'rules'}${entry}${keys}`.replace(/^\./, '');
    return inner === ''
      ? `This machine's policy (${source})`
      : `${inner} in this machine's policy (${source})`;
  }
  return `${source.startsWith('countersign.') ? source : ruleSettingNames[origin]}${entry}${keys}`;
}

/** The settings that hold rules. */
export const ruleSettingNames = {
  user: 'countersign.rules',
  workspace: 'countersign.workspaceRules',
} as const satisfies Readonly<Record<Exclude<RuleOrigin, 'managed'>, string>>;
