import { type Answer, all } from './answer.ts';
import { type ArgumentTest, compileConditions } from './conditions.ts';
import type { CallFacts } from './decision.ts';
import { type Matcher, compileGlob } from './glob.ts';
import { type Limits, defaultLimits, tighterLimits } from './limits.ts';
import { type ManagedPolicy, noManagedPolicy } from './managedPolicy.ts';
import type { BrokenRule, Claims, PolicyProblem, Reading, Rule } from './rule.ts';
import { type PathQuestion, pathQuestionsOf } from './pathQuestions.ts';
import { parseRules } from './ruleParser.ts';
import type { WorkBudget } from './workBudget.ts';

type NameTest = (serverId: string, toolName: string) => boolean;

/** A rule ready to judge calls. */
export interface CompiledRule {
  readonly rule: Rule;
  readonly names: NameTest;
  readonly pathQuestions: readonly PathQuestion[];
  /** Server, tool, caller, arguments, claims and time together. */
  readonly applies: (facts: CallFacts, work: WorkBudget) => Answer;
}

/** A broken rule that may have been meant to restrict. */
export interface CompiledBrokenRule {
  readonly rule: BrokenRule;
  readonly concerns: NameTest;
}

/** All rules of all sources, compiled. Immutable: a changed setting makes another policy. */
export interface Policy {
  readonly rules: readonly CompiledRule[];
  readonly broken: readonly CompiledBrokenRule[];
  readonly limits: Limits;
  readonly managed: ManagedPolicy;
  readonly problems: readonly PolicyProblem[];
}

/** Where a policy comes from: raw values of settings, and the machine's policy as read. */
export interface PolicySources {
  /** `countersign.rules` of the user's settings. */
  readonly user: unknown;
  /** `countersign.workspaceRules` of workspace and folder settings; `source` comes back in each `RuleRef`. */
  readonly workspace: readonly { readonly source: string; readonly value: unknown }[];
  readonly managed?: ManagedPolicy;
  /** Already parsed; `defaultLimits` if absent. */
  readonly limits?: Limits;
}

/** Reads and compiles all sources. Never throws: what is wrong is in `problems`, and asks where it might deny. */
export function compilePolicy(sources: PolicySources): Policy {
  const managed = sources.managed ?? noManagedPolicy;
  // In this order: what a workspace's rules cost must not be missing when the others are judged.
  const parsed = [
    managed.rules,
    parseRules(sources.user, 'user'),
    ...sources.workspace.map(({ source, value }) => parseRules(value, 'workspace', source)),
  ];
  return {
    rules: parsed.flatMap(({ rules }) => rules.map(compileRule)),
    broken: parsed.flatMap(({ broken }) => broken.filter((rule) => rule.mayRestrict).map(compileBroken)),
    limits: tighterLimits(sources.limits ?? defaultLimits, managed.limits),
    managed,
    problems: parsed.flatMap(({ problems }) => problems),
  };
}

function compileRule(rule: Rule): CompiledRule {
  const reading: Reading = rule.decision === 'allow' ? 'strict' : 'generous';
  const names = compileNames(rule, reading);
  const claims = Object.entries(rule.claims) as [keyof Claims, boolean][];
  const test = compileConditions(rule.args, reading);
  const pathQuestions = pathQuestionsOf(rule.args);
  return {
    rule,
    names,
    pathQuestions,
    applies: (facts, work) => judge({ rule, reading, names, claims, test }, facts, work),
  };
}

interface RuleTests {
  readonly rule: Rule;
  readonly reading: Reading;
  readonly names: NameTest;
  readonly claims: readonly (readonly [keyof Claims, boolean])[];
  readonly test: ArgumentTest;
}

function judge(
  { rule, reading, names, claims, test }: RuleTests,
  facts: CallFacts,
  work: WorkBudget,
): Answer {
  if (!names(facts.serverId, facts.toolName)) return 'no';
  // Of the two times each counts where it permits less: only a clock set back makes them differ.
  const time = reading === 'strict' ? facts.latest : facts.now;
  if (rule.until !== undefined && time > rule.until) return 'no';
  if (rule.callers?.includes(facts.caller) === false) return 'no';
  // A workspace chooses the ids of its servers, and so could choose one that the user's rule allows.
  if (reading === 'strict' && facts.serverOrigin !== 'user') return 'no';
  return all([claimsAnswer(claims, reading, facts), test({ args: facts.args, paths: facts.paths, work })]);
}

function compileNames(rule: { readonly server: string; readonly tool: string }, reading: Reading): NameTest {
  const options = { ignoreCase: reading === 'generous' };
  const server: Matcher = compileGlob(rule.server, options);
  const tool: Matcher = compileGlob(rule.tool, options);
  return (serverId, toolName) => server(serverId) && tool(toolName);
}

function compileBroken(rule: BrokenRule): CompiledBrokenRule {
  return { rule, concerns: compileNames(rule, 'generous') };
}

/** What the specification says holds when a tool does not claim anything (schema, ToolAnnotations). */
const defaultClaims: Required<Claims> = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
};

/**
 * Claims may raise the risk of a call but not lower it: those of a server that the user does not trust never make
 * an allowing rule apply, and never keep a restricting one from applying.
 */
function claimsAnswer(claims: RuleTests['claims'], reading: Reading, facts: CallFacts): Answer {
  if (claims.length === 0) return 'yes';
  const claimed = claims.every(
    ([name, value]) => (facts.annotations?.[name] ?? defaultClaims[name]) === value,
  );
  if (facts.serverTrusted) return claimed ? 'yes' : 'no';
  if (reading === 'strict') return 'no';
  return claimed ? 'yes' : 'unsure';
}
