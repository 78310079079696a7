import type { ReviewCard, SamplingPart } from '../shared/inputCards.ts';
import type { CallContext } from '../shared/inputCards.ts';
import type { ResultView } from '../shared/resultView.ts';
import type { CancelCause, Prompt, Settlement } from './prompt.ts';
import { promptHead } from './promptHead.ts';

/** Something that a person sees before it goes on: a tool's result to the model, a model's answer to a server. */
export interface ReviewRequest {
  readonly serverId: string;
  readonly subject: ReviewCard['subject'];
  /** The tool or the model that produced it. */
  readonly source: string;
  readonly isError?: boolean;
  readonly parts: readonly SamplingPart[];
  /** The whole result, for a tool's. */
  readonly result?: ResultView;
  /** The person may send other words instead; possible only for a single text. */
  readonly editable: boolean;
  readonly call?: CallContext;
  readonly expiresInMs?: number;
}

export type ReviewAnswer =
  /** `text` is set if the person has changed the words. */
  | (Settlement & { readonly kind: 'release'; readonly text?: string })
  | (Settlement & { readonly kind: 'withhold'; readonly reason?: string })
  | (Settlement & { readonly kind: 'cancelled'; readonly cause: CancelCause });

/** A prompt that holds text back until a person lets it go. */
export function reviewPrompt(request: ReviewRequest): Prompt<ReviewAnswer> {
  const single = request.parts.length === 1 ? request.parts[0] : undefined;
  const editable = request.editable && single?.kind === 'text';
  return {
    ...promptHead({ ...request, caller: request.call?.caller }),
    content: (base) => ({
      kind: 'review',
      ...base,
      serverId: request.serverId,
      subject: request.subject,
      source: request.source,
      isError: request.isError ?? false,
      parts: request.parts,
      editable,
      ...(request.result === undefined ? {} : { result: request.result }),
      ...(request.call === undefined ? {} : { call: request.call }),
    }),
    judge(answer, _card, settlement) {
      if (answer.kind === 'withhold') {
        const reason = answer.reason?.trim();
        return Promise.resolve({
          kind: 'answer',
          answer: { ...settlement, kind: 'withhold', ...(reason ? { reason } : {}) },
        });
      }
      if (answer.kind !== 'release' || (answer.text !== undefined && !editable)) {
        return Promise.resolve({ kind: 'refused', reason: 'wrongKind' });
      }
      const text = answer.text === undefined ? {} : { text: answer.text };
      return Promise.resolve({ kind: 'answer', answer: { ...settlement, kind: 'release', ...text } });
    },
    check: () => Promise.resolve([]),
    denied: ({ reason }, settlement) => ({
      ...settlement,
      kind: 'withhold',
      ...(reason === undefined ? {} : { reason }),
    }),
    cancelled: (cause, settlement) => ({ ...settlement, kind: 'cancelled', cause }),
  };
}
