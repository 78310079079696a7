import type { Grant } from './grant.ts';

/** Why a grant does not allow anything right now. */
export type GrantStanding =
  | { readonly kind: 'counts' }
  /** What was allowed is not what is there now. */
  | { readonly kind: 'suspended'; readonly changed: readonly ('tool' | 'launch')[] }
  /** It belongs to another workspace. */
  | { readonly kind: 'elsewhere'; readonly workspace: string }
  /** There is nothing to compare it with: `server`: not configured here; `tool`: not in its list, or not listed yet. */
  | { readonly kind: 'unknown'; readonly missing: 'server' | 'tool' };

/** What is there now, as far as it is known. */
export interface GrantSurroundings {
  readonly toolFingerprint: string | undefined;
  readonly launchFingerprint: string | undefined;
  readonly workspace: string | undefined;
}

/** Whether a grant counts as things are now, for a list. What a call meets is decided by `decide` alone. */
export function grantStanding({ scope, pins }: Grant, now: GrantSurroundings): GrantStanding {
  if (scope.kind === 'workspace' && scope.workspace !== now.workspace) {
    return { kind: 'elsewhere', workspace: scope.name };
  }
  if (now.launchFingerprint === undefined) return { kind: 'unknown', missing: 'server' };
  const changed: ('tool' | 'launch')[] = [];
  if (now.toolFingerprint !== undefined && pins.tool !== now.toolFingerprint) changed.push('tool');
  if (pins.launch !== now.launchFingerprint) changed.push('launch');
  if (changed.length > 0) return { kind: 'suspended', changed };
  return now.toolFingerprint === undefined ? { kind: 'unknown', missing: 'tool' } : { kind: 'counts' };
}
