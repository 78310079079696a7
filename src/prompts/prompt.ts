import type { Disposable } from '../base/disposable.ts';
import type { InputProblem, RefusalReason } from '../shared/hostMessage.ts';
import type { PageAnswer } from '../shared/pageMessage.ts';
import type { PromptCard } from '../shared/promptCard.ts';

type WithoutDigest<T> = T extends unknown ? Omit<T, 'digest'> : never;

/** All that a card shows: what its digest is taken of. */
export type CardContent = WithoutDigest<PromptCard>;

/**
 * Why a prompt ended without a person's decision. `aborted`: the caller or the server took it back.
 * `unshowable`: it could not be shown as it is, so nobody may decide on it.
 */
export type CancelCause = 'aborted' | 'closed' | 'expired' | 'tooMany' | 'unshowable';

/** When and on what a prompt was settled; for the record. */
export interface Settlement {
  readonly promptId: string;
  /** Digest of the card as shown; empty if it never could be shown. */
  readonly digest: string;
  /** Milliseconds from the question to the answer. */
  readonly waitedMs: number;
}

/** A person denied this prompt, or denied it along with another one. */
export interface Denial {
  readonly reason?: string;
  readonly stopTurn: boolean;
}

export type Judgement<A> =
  | { readonly kind: 'answer'; readonly answer: A }
  /** Something was done, and the prompt still waits: its link was opened. */
  | { readonly kind: 'kept' }
  | { readonly kind: 'refused'; readonly reason: RefusalReason; readonly problems?: readonly InputProblem[] };

/** One question to a person: what is shown, and what each answer means. The queue knows nothing else of it. */
export interface Prompt<A> {
  readonly serverId: string;
  /** The turn that it belongs to, together with the kind of caller. */
  readonly turn?: string;
  /** Where it stands among the others (`PromptQueue.takePlace`); without it behind all that were there before. */
  readonly place?: number;
  /** Milliseconds; without it the prompt waits for ever. */
  readonly expiresInMs?: number;
  content(base: { readonly id: string; readonly askedAt: number; readonly expiresAt?: number }): CardContent;
  /** `card` is the snapshot that was shown: what is allowed is what it holds. */
  judge(answer: PageAnswer, card: PromptCard, settlement: Settlement): Promise<Judgement<A>>;
  /** Live verdict on what a person is typing. */
  check(value: unknown): Promise<readonly InputProblem[]>;
  denied(denial: Denial, settlement: Settlement): A;
  cancelled(cause: CancelCause, settlement: Settlement): A;
  /** For prompts that something else can end: called once when the prompt is in the queue. */
  attach?(finish: (answer: (settlement: Settlement) => A) => void): Disposable;
}
