import type { AllowReason, AskReason, CallFacts, Decision, SuspendedGrant } from './decision.ts';
import type { GrantIndex } from './grantIndex.ts';
import { exceededLimits } from './limits.ts';
import type { CompiledRule, Policy } from './policy.ts';
import { WorkBudget } from './workBudget.ts';

/**
 * Decides about a call. Pure: the same facts, rules and grants always give the same decision.
 * Deny beats ask beats allow; what nothing speaks about is asked.
 */
export function decide(facts: CallFacts, policy: Policy, grants: GrantIndex): Decision {
  const { managed } = policy;
  if (managed.unreadable) return { kind: 'deny', reason: { kind: 'brokenMachinePolicy' } };
  if (!managed.allowsServer(facts.serverId, facts.launch)) {
    return { kind: 'deny', reason: { kind: 'serverNotListed' } };
  }
  const work = new WorkBudget();
  const found = applyRules(facts, policy, work);
  if (found.deny !== undefined) return { kind: 'deny', reason: ruleReason(found.deny) };

  const match = grants.match(facts, work);
  // A grant made since the change says that the person has seen it.
  const suspended = match.valid === undefined ? match.suspended : [];
  const { reviewResult } = found;
  const ask = (reason: AskReason): Decision => ({
    kind: 'ask',
    reason,
    suspended,
    rememberable: reason.kind === 'default' || reason.kind === 'suspendedGrant',
    reviewResult,
  });
  const restriction = askReason(facts, policy, found, suspended);
  if (restriction !== undefined) return ask(restriction);
  const reason: AllowReason | undefined =
    found.allow !== undefined
      ? ruleReason(found.allow)
      : match.valid !== undefined
        ? { kind: 'grant', grant: match.valid }
        : undefined;
  if (reason === undefined) return ask({ kind: 'default' });
  const exceeded = exceededLimits(policy.limits, facts.usage);
  if (exceeded.length > 0) return ask({ kind: 'limit', exceeded, otherwise: reason });
  return { kind: 'allow', reason, reviewResult };
}

interface FoundRules {
  readonly deny: CompiledRule | undefined;
  readonly ask: CompiledRule | undefined;
  readonly doubtful: CompiledRule | undefined;
  readonly allow: CompiledRule | undefined;
  readonly reviewResult: boolean;
}

function applyRules(facts: CallFacts, policy: Policy, work: WorkBudget): FoundRules {
  let deny: CompiledRule | undefined;
  let ask: CompiledRule | undefined;
  let doubtful: CompiledRule | undefined;
  let allow: CompiledRule | undefined;
  let reviewResult = false;
  for (const compiled of policy.rules) {
    const answer = compiled.applies(facts, work);
    if (answer === 'no') continue;
    const { decision } = compiled.rule;
    if (decision === 'allow') {
      if (answer !== 'yes') continue;
      allow ??= compiled;
    } else if (answer === 'unsure') doubtful ??= compiled;
    else if (decision === 'deny') deny ??= compiled;
    else ask ??= compiled;
    // A review only tightens, so any rule that may concern the call can ask for it.
    reviewResult ||= compiled.rule.reviewResult;
  }
  return { deny, ask, doubtful, allow, reviewResult };
}

function askReason(
  facts: CallFacts,
  policy: Policy,
  found: FoundRules,
  suspended: readonly SuspendedGrant[],
): AskReason | undefined {
  if (found.ask !== undefined) return ruleReason(found.ask);
  if (found.doubtful !== undefined) return { ...ruleReason(found.doubtful), kind: 'doubtfulRule' };
  const broken = policy.broken.find(({ concerns }) => concerns(facts.serverId, facts.toolName));
  if (broken !== undefined) return { kind: 'brokenRule', rule: broken.rule.ref };
  return suspended.length > 0 ? { kind: 'suspendedGrant' } : undefined;
}

function ruleReason({ rule }: CompiledRule): {
  readonly kind: 'rule';
  readonly rule: CompiledRule['rule']['ref'];
  readonly text: string | undefined;
} {
  return { kind: 'rule', rule: rule.ref, text: rule.reason };
}
