import type { JsonObject } from '../base/json.ts';
import type { GrantPins } from '../policy/grant.ts';
import type { ChangeNotice, DefinitionDiff } from '../shared/definitionDiff.ts';
import { definitionDiff } from './definitionDiff.ts';

/** A tool and its server as they are now, and as they were when a person allowed something. */
export interface ChangeFacts {
  readonly before: GrantPins;
  /** When `before` was allowed: milliseconds since 1970. */
  readonly allowedAt: number;
  readonly now: GrantPins;
  readonly definition: JsonObject;
  /** As `launchSnapshot` gives it. */
  readonly launch: JsonObject;
  /** What a fingerprint stood for, if that is still known. */
  readonly snapshot: (fingerprint: string) => JsonObject | undefined;
}

/** What a prompt shows before anything else; `undefined` if nothing has changed. */
export function changeNotice(facts: ChangeFacts): ChangeNotice | undefined {
  const { before, now } = facts;
  const unknown: ('tool' | 'launch')[] = [];
  const compare = (subject: 'tool' | 'launch', after: JsonObject): DefinitionDiff | undefined => {
    if (before[subject] === now[subject]) return undefined;
    const old = facts.snapshot(before[subject]);
    const diff = old === undefined ? undefined : definitionDiff(subject, old, after);
    // Nothing to see, though the fingerprints differ: what changed is a value that is covered when it is kept.
    if (diff !== undefined && diff.changes.length > 0) return diff;
    unknown.push(subject);
    return undefined;
  };
  const tool = compare('tool', facts.definition);
  const launch = compare('launch', facts.launch);
  if (tool === undefined && launch === undefined && unknown.length === 0) return undefined;
  return {
    allowedAt: new Date(facts.allowedAt).toISOString(),
    ...(tool === undefined ? {} : { tool }),
    ...(launch === undefined ? {} : { launch }),
    ...(unknown.length === 0 ? {} : { unknownBefore: unknown }),
  };
}
