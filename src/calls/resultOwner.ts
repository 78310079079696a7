import type { Caller } from '../shared/caller.ts';

/** Who may read on in a result that was cut: the kind of caller that made the call, in the same conversation. */
export function resultOwner(caller: Caller): string {
  return `${caller.kind}/${caller.turn ?? ''}`;
}
