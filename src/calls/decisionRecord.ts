import type { DecidedBy, Decision as RecordedDecision } from '../audit/events.ts';
import type { Decision } from '../policy/decision.ts';
import { ruleLabel, type RuleRef } from '../policy/rule.ts';

/** A policy decision in the words of the record. */
export function recordedDecision(decision: Decision): RecordedDecision {
  const text = reasonText(decision);
  return {
    outcome: decision.kind,
    by: decidedBy(decision.reason),
    ...(text === undefined ? {} : { reason: text }),
  };
}

/** Why a person is asked, or why a call is denied, in plain words; `undefined` where nothing is to be said. */
export function reasonText({ reason }: Decision): string | undefined {
  switch (reason.kind) {
    case 'rule':
      return reason.text === undefined
        ? `Rule ${ruleLabel(reason.rule)}`
        : `${reason.text} (${ruleLabel(reason.rule)})`;
    case 'doubtfulRule':
      return `Rule ${ruleLabel(reason.rule)} cannot be judged for these arguments`;
    case 'brokenRule':
      return `Rule ${ruleLabel(reason.rule)} has an error and might concern this call`;
    case 'limit':
      return reason.exceeded
        .map(({ limit, max, count }) => `${limitWords[limit]}: ${count}, the limit is ${max}`)
        .join('; ');
    case 'suspendedGrant':
      return 'What you allowed earlier has changed since';
    case 'serverNotListed':
      return "This machine's policy does not list the server";
    case 'brokenMachinePolicy':
      return "This machine's policy cannot be read";
    case 'grant':
    case 'default':
      return undefined;
  }
}

const limitWords = {
  identicalCallsPerTurn: 'Identical calls in this turn',
  callsPerTurn: 'Calls in this turn',
  callsPerMinutePerTool: 'Calls of this tool in a minute',
  callsPerMinutePerServer: 'Calls of this server in a minute',
  simultaneousCallsPerServer: 'Calls of this server at the same time',
} as const;

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
