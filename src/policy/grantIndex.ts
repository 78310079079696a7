import { argsDigest } from './argsDigest.ts';
import { type ArgumentTest, compileConditions } from './conditions.ts';
import type { CallFacts, SuspendedGrant } from './decision.ts';
import type { Grant } from './grant.ts';
import { type PathQuestion, pathQuestionsOf } from './pathQuestions.ts';
import type { WorkBudget } from './workBudget.ts';

interface CompiledGrant {
  readonly grant: Grant;
  readonly test: ArgumentTest;
  readonly pathQuestions: readonly PathQuestion[];
}

/** What grants say about one call. */
export interface GrantMatch {
  readonly valid: Grant | undefined;
  readonly suspended: readonly SuspendedGrant[];
}

/** Grants by server and tool, compiled: a call looks only at its own, however many there are. */
export class GrantIndex {
  readonly #byTool = new Map<string, CompiledGrant[]>();
  readonly size: number;

  constructor(grants: readonly Grant[]) {
    this.size = grants.length;
    for (const grant of grants) {
      const key = keyOf(grant.serverId, grant.toolName);
      const list = this.#byTool.get(key) ?? [];
      list.push({
        grant,
        test: compileConditions(grant.args, 'strict'),
        pathQuestions: pathQuestionsOf(grant.args),
      });
      this.#byTool.set(key, list);
    }
  }

  /** What the grants of a tool ask about paths. */
  pathQuestions(serverId: string, toolName: string): readonly PathQuestion[] {
    if (this.size === 0) return [];
    return (this.#byTool.get(keyOf(serverId, toolName)) ?? []).flatMap((compiled) => compiled.pathQuestions);
  }

  /** The grants of the call's tool whose scope, caller and arguments fit, by whether their pins do. */
  match(facts: CallFacts, work: WorkBudget): GrantMatch {
    if (this.size === 0) return noMatch;
    const suspended: SuspendedGrant[] = [];
    let valid: Grant | undefined;
    for (const { grant, test } of this.#byTool.get(keyOf(facts.serverId, facts.toolName)) ?? []) {
      if (!covers(grant, facts)) continue;
      if (test({ args: facts.args, paths: facts.paths, work }) !== 'yes') continue;
      const changed = changedPins(grant, facts);
      if (changed.length > 0) suspended.push({ grant, changed });
      else valid ??= grant;
    }
    return { valid, suspended };
  }
}

const noMatch: GrantMatch = { valid: undefined, suspended: [] };

export const noGrants = new GrantIndex([]);

function covers(grant: Grant, facts: CallFacts): boolean {
  if (grant.scope.kind === 'workspace' && grant.scope.workspace !== facts.workspace) return false;
  if (grant.callers?.includes(facts.caller) === false) return false;
  return grant.argsDigest === undefined || grant.argsDigest === argsDigest(facts.args);
}

function changedPins(grant: Grant, facts: CallFacts): readonly ('tool' | 'launch')[] {
  const changed: ('tool' | 'launch')[] = [];
  if (grant.pins.tool !== facts.toolFingerprint) changed.push('tool');
  if (grant.pins.launch !== facts.launchFingerprint) changed.push('launch');
  return changed;
}

/** Ids and names may hold any character, so they are kept apart by length. */
function keyOf(serverId: string, toolName: string): string {
  return `${serverId.length}:${serverId}${toolName}`;
}
