import type { CallerKind } from '../shared/caller.ts';
import type { ArgumentConditions } from './rule.ts';

/** Where a grant counts. `session`: this window until it closes, kept in memory only. */
export type GrantScope =
  | { readonly kind: 'session' }
  /** `workspace` is the id that the composition gives the open workspace; `name` is for people. */
  | { readonly kind: 'workspace'; readonly workspace: string; readonly name: string }
  | { readonly kind: 'everywhere' };

/** What exactly was allowed: fingerprints at the time (see `base/canonicalJson.ts` `digest`). */
export interface GrantPins {
  readonly tool: string;
  readonly launch: string;
}

/** A remembered "allow" for one tool of one server. Immutable: a change makes another grant. */
export interface Grant {
  readonly id: string;
  readonly serverId: string;
  /** The server's own name of the tool. */
  readonly toolName: string;
  readonly scope: GrantScope;
  /** Who may ask; `undefined`: anyone. */
  readonly callers: readonly CallerKind[] | undefined;
  readonly args: ArgumentConditions;
  /** Set for "only with these arguments": digest of all of them. */
  readonly argsDigest: string | undefined;
  readonly pins: GrantPins;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** Where the person was when allowing, for the list: `chat (model name)`, a workspace's name … */
  readonly createdFrom: string;
}
