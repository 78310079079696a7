import type { ChangeNotice } from '../shared/definitionDiff.ts';
import type { LaunchCard } from '../shared/inputCards.ts';
import type { CancelCause, Prompt, Settlement } from './prompt.ts';

/** A server from a workspace that wants to start for the first time, or differently from before. */
export interface LaunchRequest {
  readonly serverId: string;
  /** Where it is configured: a folder's or a workspace's name. */
  readonly origin: string;
  readonly launch: LaunchCard['launch'];
  readonly change?: ChangeNotice;
  readonly warnings?: readonly string[];
}

export type LaunchAnswer =
  | (Settlement & { readonly kind: 'allow' })
  | (Settlement & { readonly kind: 'deny' })
  | (Settlement & { readonly kind: 'cancelled'; readonly cause: CancelCause });

/** A prompt that asks whether a server may be started, with exactly what would run. */
export function launchPrompt(request: LaunchRequest): Prompt<LaunchAnswer> {
  return {
    serverId: request.serverId,
    content: (base) => ({
      kind: 'launch',
      ...base,
      serverId: request.serverId,
      origin: request.origin,
      launch: request.launch,
      ...(request.change === undefined ? {} : { change: request.change }),
      warnings: request.warnings ?? [],
    }),
    judge(answer, _card, settlement) {
      if (answer.kind === 'deny')
        return Promise.resolve({ kind: 'answer', answer: { ...settlement, kind: 'deny' } });
      const plain = answer.kind === 'allow' && answer.edited === undefined && answer.grant === undefined;
      return Promise.resolve(
        plain
          ? { kind: 'answer', answer: { ...settlement, kind: 'allow' } }
          : { kind: 'refused', reason: 'wrongKind' },
      );
    },
    check: () => Promise.resolve([]),
    denied: (_denial, settlement) => ({ ...settlement, kind: 'deny' }),
    cancelled: (cause, settlement) => ({ ...settlement, kind: 'cancelled', cause }),
  };
}
