import type { JsonObject } from '../base/json.ts';
import type { CallContext, SamplingCard } from '../shared/inputCards.ts';
import { type NoAnswer, cancelledInput, deniedInput } from './inputAnswer.ts';
import type { Prompt, Settlement } from './prompt.ts';
import { promptHead } from './promptHead.ts';
import { type SamplingView, editedSampling } from './samplingView.ts';

/** A server's wish to have a model answer something. */
export interface SamplingRequest {
  readonly serverId: string;
  /** As they came. */
  readonly params: JsonObject;
  /** From `samplingView(params)`. */
  readonly view: SamplingView;
  readonly models: SamplingCard['models'];
  /** Place in `models`. */
  readonly suggested: number;
  /** How much of the server's allowance is used, in words. */
  readonly usage?: string;
  readonly call?: CallContext;
  readonly expiresInMs?: number;
}

export type SamplingAnswer =
  | NoAnswer
  | (Settlement & {
      readonly kind: 'sample';
      readonly modelId: string;
      /** With the person's changes. */
      readonly params: JsonObject;
      readonly edited: boolean;
    });

/** A prompt that asks whether a model may be asked, which one, and with which words. */
export function samplingPrompt(request: SamplingRequest): Prompt<SamplingAnswer> {
  return {
    ...promptHead({ ...request, caller: request.call?.caller }),
    content: (base) => ({
      kind: 'sampling',
      ...base,
      serverId: request.serverId,
      ...request.view,
      models: request.models,
      suggested: request.suggested,
      ...(request.usage === undefined ? {} : { usage: request.usage }),
      ...(request.call === undefined ? {} : { call: request.call }),
    }),
    judge(answer, _card, settlement) {
      if (answer.kind === 'decline' || answer.kind === 'cancel') {
        return Promise.resolve({ kind: 'answer', answer: { ...settlement, kind: answer.kind } });
      }
      if (answer.kind !== 'sample') return Promise.resolve({ kind: 'refused', reason: 'wrongKind' });
      const { modelId, systemPrompt, edits } = answer;
      if (!request.models.some(({ id, lacks }) => id === modelId && lacks === undefined))
        return Promise.resolve({ kind: 'refused', reason: 'invalid' });
      return Promise.resolve({
        kind: 'answer',
        answer: {
          ...settlement,
          kind: 'sample',
          modelId,
          params: editedSampling(request.params, systemPrompt, edits),
          edited: systemPrompt !== undefined || edits.length > 0,
        },
      });
    },
    check: () => Promise.resolve([]),
    denied: deniedInput,
    cancelled: cancelledInput,
  };
}
