import type { Caller } from '../shared/caller.ts';
import type { Prompt } from './prompt.ts';

/** What the queue needs of a prompt beside its card: the same for all kinds. */
export function promptHead({
  serverId,
  caller,
  expiresInMs,
}: {
  readonly serverId: string;
  /** Who asked for the call that the prompt belongs to. */
  readonly caller?: Caller | undefined;
  readonly expiresInMs?: number | undefined;
}): Pick<Prompt<unknown>, 'serverId' | 'turn' | 'expiresInMs'> {
  return {
    serverId,
    ...(caller?.turn === undefined ? {} : { turn: `${caller.kind}/${caller.turn}` }),
    ...(expiresInMs === undefined ? {} : { expiresInMs }),
  };
}
