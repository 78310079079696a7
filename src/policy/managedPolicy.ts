import { errorMessage } from '../base/errors.ts';
import { type JsonObject, isJsonObject } from '../base/json.ts';
import type { LaunchTarget } from './decision.ts';
import { type Limits, noLimits, parseLimits, tighterLimits } from './limits.ts';
import { type Report, describe, reportUnknownKeys } from './report.ts';
import type { BrokenRule, PolicyProblem, RuleRef } from './rule.ts';
import { type ParsedRules, parseRules } from './ruleParser.ts';
import { type ServerList, readServerList } from './serverList.ts';

/** What the administrator of the machine lays down. It can only tighten what the user's settings say. */
export interface ManagedPolicy {
  /** Says whether a server may be used at all: started, listed or called. */
  readonly allowsServer: (serverId: string, launch: LaunchTarget) => boolean;
  readonly rules: ParsedRules;
  readonly limits: Limits;
  /** The file is there but its list of servers cannot be read: then nothing may be used. */
  readonly unreadable: boolean;
}

/** For machines without a policy file. */
export const noManagedPolicy: ManagedPolicy = {
  allowsServer: () => true,
  rules: { rules: [], broken: [], problems: [] },
  limits: noLimits,
  unreadable: false,
};

/**
 * Where the policy file of a machine is: `/etc/countersign/policy.json`,
 * `/Library/Application Support/Countersign/policy.json`, or `C:\ProgramData\Countersign\policy.json`.
 * All of them count if there are several.
 * @param programData the value of `ProgramData`; it adds a place and never replaces one, because whoever starts the
 * editor can set it
 */
export function managedPolicyPaths(
  platform: NodeJS.Platform,
  programData: string | undefined,
): readonly string[] {
  if (platform === 'darwin') return ['/Library/Application Support/Countersign/policy.json'];
  if (platform !== 'win32') return ['/etc/countersign/policy.json'];
  const folders = [
    'C:\\ProgramData',
    ...(programData === undefined || programData === '' ? [] : [programData]),
  ];
  return Array.from(new Set(folders), (folder) => `${folder.replace(/\\+$/, '')}\\Countersign\\policy.json`);
}

/**
 * Reads the policy files that exist.
 * @param readText gives `undefined` for a file that is not there and rejects for all other failures
 */
export async function loadManagedPolicy(
  paths: readonly string[],
  readText: (path: string) => Promise<string | undefined>,
): Promise<ManagedPolicy> {
  let policy = noManagedPolicy;
  for (const path of paths) {
    try {
      const text = await readText(path);
      if (text !== undefined) policy = combine(policy, parseManagedPolicy(text, path));
    } catch (error) {
      policy = combine(policy, unreadablePolicy(path, `cannot be read: ${errorMessage(error)}`));
    }
  }
  return policy;
}

/** Reads the text of a policy file: `{"servers": {"allow": […]}, "rules": […], "limits": {…}}`. Never throws. */
export function parseManagedPolicy(text: string, source: string): ManagedPolicy {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return unreadablePolicy(source, `is not JSON: ${errorMessage(error)}`);
  }
  if (!isJsonObject(value)) {
    return unreadablePolicy(source, `must be an object such as {"rules": []}, but is ${describe(value)}.`);
  }
  return readPolicy(value, source);
}

function readPolicy(value: JsonObject, source: string): ManagedPolicy {
  const whole: RuleRef = { origin: 'managed', source, index: -1 };
  const problems: PolicyProblem[] = [];
  const reporter =
    (key: string): Report =>
    (inner, message, severity = 'error') =>
      problems.push({ ref: whole, key: key === '' ? inner : [key, ...inner], severity, message });
  reportUnknownKeys(value, ['servers', 'rules', 'limits'], [], reporter(''));
  const limits = parseLimits(value['limits'], noLimits, reporter('limits'));
  // A limit or a key that is not understood may have been meant to restrict: until it is, calls are asked.
  const broken: BrokenRule[] =
    problems.length > 0 ? [{ ref: whole, server: '*', tool: '*', mayRestrict: true }] : [];
  const servers = readServerList(value['servers'], reporter('servers'));
  const parsed = parseRules(value['rules'], 'managed', source);
  return {
    allowsServer: servers ?? nothing,
    rules: {
      rules: parsed.rules,
      broken: [...broken, ...parsed.broken],
      problems: [...problems, ...parsed.problems],
    },
    limits,
    unreadable: servers === undefined,
  };
}

const nothing: ServerList = () => false;

function unreadablePolicy(source: string, message: string): ManagedPolicy {
  const ref: RuleRef = { origin: 'managed', source, index: -1 };
  return {
    allowsServer: nothing,
    rules: { rules: [], broken: [], problems: [{ ref, key: [], severity: 'error', message }] },
    limits: noLimits,
    unreadable: true,
  };
}

function combine(left: ManagedPolicy, right: ManagedPolicy): ManagedPolicy {
  return {
    allowsServer: (serverId, launch) =>
      left.allowsServer(serverId, launch) && right.allowsServer(serverId, launch),
    rules: {
      rules: [...left.rules.rules, ...right.rules.rules],
      broken: [...left.rules.broken, ...right.rules.broken],
      problems: [...left.rules.problems, ...right.rules.problems],
    },
    limits: tighterLimits(left.limits, right.limits),
    unreadable: left.unreadable || right.unreadable,
  };
}
