import type { DecidedBy, Decision as RecordedDecision } from '../audit/events.ts';
import type { Decision } from '../policy/decision.ts';
import { allowText, askText, denyText } from '../policy/reasonText.ts';
import { ruleLabel, type RuleRef } from '../policy/rule.ts';

/** A policy decision in the words of the record. */
export function recordedDecision(decision: Decision): RecordedDecision {
  return { outcome: decision.kind, by: decidedBy(decision.reason), reason: reasonText(decision) };
}

/** Why policy decided as it did, in a sentence or two. */
export function reasonText(decision: Decision): string {
  switch (decision.kind) {
    case 'deny':
      return denyText(decision.reason);
    case 'ask':
      return askText(decision.reason);
    case 'allow':
      return allowText(decision.reason);
  }
}

function decidedBy(reason: Decision['reason']): DecidedBy {
  switch (reason.kind) {
    case 'rule':
    case 'doubtfulRule':
    case 'brokenRule':
      return byRule(reason.rule);
    case 'grant':
      return { kind: 'grant', grantId: reason.grant.id, scope: reason.grant.scope.kind };
    case 'limit':
      return { kind: 'limit', limit: reason.exceeded.map(({ limit }) => limit).join(', ') };
    case 'serverNotListed':
    case 'brokenMachinePolicy':
      return { kind: 'rule', rule: reason.kind, source: 'managed' };
    case 'suspendedGrant':
    case 'default':
      return { kind: 'default' };
  }
}

function byRule(rule: RuleRef): DecidedBy {
  return { kind: 'rule', rule: ruleLabel(rule), source: rule.origin };
}
