import type { AllowReason, AskReason, DenyReason } from './decision.ts';
import type { LimitExceeded, LimitName } from './limits.ts';
import { type RuleRef, ruleLabel } from './rule.ts';

/** Why a person is asked, in one or two sentences for the card. */
export function askText(reason: AskReason): string {
  switch (reason.kind) {
    case 'rule':
      return `${ruleLabel(reason.rule)} says that this call is asked.${given(reason.text)}`;
    case 'doubtfulRule':
      return `${ruleLabel(reason.rule)} may concern this call, but that cannot be told for certain.${given(reason.text)}`;
    case 'brokenRule':
      return `${ruleLabel(reason.rule)} has an error and may have been meant to keep this call from running.`;
    case 'suspendedGrant':
      return 'You allowed this tool before, but it or its server has changed since.';
    case 'limit':
      return `${reason.exceeded.map(limitText).join(' ')} Otherwise it would be allowed: ${allowText(reason.otherwise)}`;
    case 'default':
      return 'No rule and no grant allows this call.';
  }
}

/** What allowed a call, in one sentence for the record. */
export function allowText(reason: AllowReason): string {
  if (reason.kind === 'rule') return `${ruleLabel(reason.rule)} allows it.${given(reason.text)}`;
  const scope = {
    session: 'for this session',
    workspace: 'in this workspace',
    everywhere: 'everywhere',
  }[reason.grant.scope.kind];
  return `You allowed it ${scope} on ${new Date(reason.grant.createdAt).toISOString().slice(0, 10)}.`;
}

/** Why a call was denied, for the person and the model. A workspace's own words are marked as such. */
export function denyText(reason: DenyReason): string {
  switch (reason.kind) {
    case 'rule':
      return `${denier(reason.rule)} does not allow this call.${given(reason.text)}`;
    case 'serverNotListed':
      return "This machine's policy does not list the server, so it may not be used.";
    case 'brokenMachinePolicy':
      return "This machine's policy file cannot be read. Until it can, no call is allowed.";
  }
}

function denier(rule: RuleRef): string {
  switch (rule.origin) {
    case 'user':
      return `The user's rule ${ruleLabel(rule)}`;
    case 'workspace':
      return `The workspace's rule ${ruleLabel(rule)}`;
    case 'managed':
      return `A rule of this machine's policy`;
  }
}

function given(text: string | undefined): string {
  return text === undefined || text.trim() === '' ? '' : ` Reason given: ${text.trim()}`;
}

const limitWords: Readonly<Record<LimitName, (count: number, max: number) => string>> = {
  identicalCallsPerTurn: (count, max) =>
    `This would be call ${count} with the same arguments in this turn; ${max} go without asking.`,
  callsPerTurn: (count, max) => `This would be call ${count} of this turn; ${max} go without asking.`,
  callsPerMinutePerTool: (count, max) =>
    `This would be call ${count} of this tool within a minute; ${max} go without asking.`,
  callsPerMinutePerServer: (count, max) =>
    `This would be call ${count} of this server within a minute; ${max} go without asking.`,
  simultaneousCallsPerServer: (count, max) =>
    `This would be call ${count} of this server at the same time; ${max} go without asking.`,
};

function limitText({ limit, max, count }: LimitExceeded): string {
  return limitWords[limit](count, max);
}
