import { HostError } from '../base/errors.ts';
import { type JsonObject, isJsonObject } from '../base/json.ts';
import { type CallerKind, callerKinds } from '../shared/caller.ts';
import { readConditions } from './conditionParser.ts';
import { compileGlob } from './glob.ts';
import { type Report, describe, list, reportUnknownKeys } from './report.ts';
import type { BrokenRule, Claims, PolicyProblem, Rule, RuleDecision, RuleOrigin, RuleRef } from './rule.ts';

/** A list of rules as read: what is right, what is broken, and what to tell the person. */
export interface ParsedRules {
  readonly rules: readonly Rule[];
  readonly broken: readonly BrokenRule[];
  readonly problems: readonly PolicyProblem[];
}

const decisions = ['allow', 'ask', 'deny'] as const;
const ruleKeys = [
  'server',
  'tool',
  'caller',
  'args',
  'claims',
  'decision',
  'reason',
  'until',
  'reviewResult',
];
const claimKeys = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;
/** A workspace is not trusted to be sparing with the time of every decision. */
const maxRules: Readonly<Record<RuleOrigin, number>> = { user: 5000, workspace: 500, managed: 5000 };
const maxReasonLength = 1000;

/** Reads the value of a rules setting. Never throws; `undefined` and `null` are no rules. */
export function parseRules(value: unknown, origin: RuleOrigin, source = ''): ParsedRules {
  const whole: RuleRef = { origin, source, index: -1 };
  if (value === undefined || value === null) return { rules: [], broken: [], problems: [] };
  if (!Array.isArray(value) || value.length > maxRules[origin]) {
    const message = Array.isArray(value)
      ? `holds more than ${maxRules[origin]} rules; until it is shorter, every call is asked.`
      : `must be a list of rules, but is ${describe(value)}. Until it is, every call is asked.`;
    return {
      rules: [],
      broken: [{ ref: whole, server: '*', tool: '*', mayRestrict: true }],
      problems: [{ ref: whole, key: [], severity: 'error', message }],
    };
  }
  const rules: Rule[] = [];
  const broken: BrokenRule[] = [];
  const problems: PolicyProblem[] = [];
  for (const [index, entry] of value.entries()) {
    const read = parseRule(entry, { origin, source, index });
    problems.push(...read.problems);
    if (read.rule !== undefined) rules.push(read.rule);
    if (read.broken !== undefined) broken.push(read.broken);
  }
  return { rules, broken, problems };
}

interface ParsedRule {
  readonly rule?: Rule;
  readonly broken?: BrokenRule;
  readonly problems: readonly PolicyProblem[];
}

function parseRule(value: unknown, ref: RuleRef): ParsedRule {
  const problems: PolicyProblem[] = [];
  const report: Report = (key, message, severity = 'error') => problems.push({ ref, key, severity, message });
  if (!isJsonObject(value)) {
    report([], `must be an object such as {"server": "github", "tool": "*", "decision": "ask"}.`);
    return { broken: { ref, server: '*', tool: '*', mayRestrict: true }, problems };
  }
  reportUnknownKeys(value, ruleKeys, [], report);
  const server = readGlob(value, 'server', report);
  const tool = readGlob(value, 'tool', report);
  const decision = readDecision(value['decision'], report);
  const rule = {
    ref,
    callers: readCallers(value['caller'], report),
    args: readConditions(value['args'], report),
    claims: readClaims(value['claims'], report),
    reason: readReason(value['reason'], report),
    until: readUntil(value['until'], report),
    reviewResult: readFlag(value['reviewResult'], 'reviewResult', report),
  };
  if (decision === 'allow' && ref.origin !== 'user') {
    const place = ref.origin === 'workspace' ? 'A workspace' : "This machine's policy";
    report(['decision'], `${place} can only say "ask" or "deny". This rule is ignored.`, 'warning');
    return { problems };
  }
  const failed = problems.some((problem) => problem.severity === 'error');
  if (!failed && server !== undefined && tool !== undefined && decision !== undefined) {
    return { rule: { ...rule, server, tool, decision }, problems };
  }
  const broken = { ref, server: server ?? '*', tool: tool ?? '*', mayRestrict: decision !== 'allow' };
  return { broken, problems };
}

function readGlob(rule: JsonObject, key: 'server' | 'tool', report: Report): string | undefined {
  const value = rule[key];
  if (typeof value !== 'string' || value === '') {
    const example = key === 'server' ? 'a server id' : 'a tool name';
    report([key], `must be ${example} or a glob ("*" for all), but is ${describe(value)}.`);
    return undefined;
  }
  try {
    compileGlob(value);
    return value;
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    report([key], `The glob ${describe(value)} ${error.message}`);
    return undefined;
  }
}

function readDecision(value: unknown, report: Report): RuleDecision | undefined {
  const decision = decisions.find((known) => known === value);
  if (decision === undefined) {
    report(['decision'], `must be "allow", "ask" or "deny", but is ${describe(value)}.`);
  }
  return decision;
}

function readCallers(value: unknown, report: Report): readonly CallerKind[] | undefined {
  if (value === undefined) return undefined;
  const given: readonly unknown[] = Array.isArray(value) ? value : [value];
  const callers = given.flatMap((one) => callerKinds.filter((known) => known === one));
  if (given.length > 0 && callers.length === given.length) return callers;
  report(['caller'], `must be one or several of ${list(callerKinds)}, but is ${describe(value)}.`);
  return undefined;
}

function readClaims(value: unknown, report: Report): Claims {
  if (value === undefined) return {};
  if (!isJsonObject(value)) {
    report(['claims'], `must be an object such as {"readOnlyHint": true}, but is ${describe(value)}.`);
    return {};
  }
  reportUnknownKeys(value, claimKeys, ['claims'], report);
  const claims: Record<string, boolean> = {};
  for (const key of claimKeys) {
    const claim = value[key];
    if (typeof claim === 'boolean') claims[key] = claim;
    else if (claim !== undefined) {
      report(['claims', key], `must be true or false, but is ${describe(claim)}.`);
    }
  }
  return claims;
}

function readReason(value: unknown, report: Report): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'string' && value.length <= maxReasonLength) return value;
  report(['reason'], `must be a text of at most ${maxReasonLength} characters, but is ${describe(value)}.`);
  return undefined;
}

function readFlag(value: unknown, key: string, report: Report): boolean {
  if (value === undefined || typeof value === 'boolean') return value === true;
  report([key], `must be true or false, but is ${describe(value)}.`);
  return false;
}

function readUntil(value: unknown, report: Report): number | undefined {
  if (value === undefined) return undefined;
  const shape = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/;
  if (typeof value === 'string' && shape.test(value)) {
    // A day alone means the whole day, by the clock of the person who wrote it.
    const time = Date.parse(value.length === 10 ? `${value}T23:59:59.999` : value);
    // The parser takes February 31 for a day in March.
    const day = new Date(`${value.slice(0, 10)}T00:00:00Z`);
    const exists = !Number.isNaN(day.getTime()) && day.toISOString().startsWith(value.slice(0, 10));
    if (exists && !Number.isNaN(time)) return time;
  }
  report(
    ['until'],
    `must be a day or a time such as "2027-01-31" or "2027-01-31T18:00:00Z", but is ${describe(value)}.`,
  );
  return undefined;
}
