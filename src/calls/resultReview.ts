import type { AuditPort } from '../audit/auditLog.ts';
import type { CallSubject } from '../audit/events.ts';
import { reviewPrompt } from '../prompts/reviewPrompt.ts';
import type { CancelCause } from '../prompts/prompt.ts';
import type { PromptQueue } from '../prompts/promptQueue.ts';
import type { SamplingPart } from '../shared/inputCards.ts';
import { judgePicture } from '../tools/pictureBounds.ts';
import type { ModelPart } from '../tools/resultForModel.ts';
import { cardLimits, resultView } from '../tools/resultView.ts';
import type { PromptExpiry } from './promptExpiry.ts';
import type { KeptResult } from './resultShelf.ts';

export type ReviewVerdict =
  | { readonly kind: 'released' }
  | { readonly kind: 'withheld'; readonly by: 'person' | 'nobody'; readonly reason: string | undefined };

/** Shows a result to the person before its caller gets it, where a rule asks for that. */
export class ResultReview {
  readonly #queue: PromptQueue;
  readonly #audit: AuditPort;
  readonly #expiry: () => PromptExpiry;

  constructor(ports: {
    readonly queue: PromptQueue;
    readonly audit: AuditPort;
    readonly expiry: () => PromptExpiry;
  }) {
    this.#queue = ports.queue;
    this.#audit = ports.audit;
    this.#expiry = ports.expiry;
  }

  /** Anything but a person's word to let it go withholds the result. */
  async ask(
    subject: CallSubject,
    parts: readonly ModelPart[],
    kept: KeptResult,
    signal: AbortSignal | undefined,
  ): Promise<ReviewVerdict> {
    const { callId, caller, serverId, tool } = subject;
    const result = await resultView(kept, kept.checked, kept.leads, cardLimits);
    const answer = await this.#queue.ask(
      reviewPrompt({
        serverId,
        subject: 'toolResult',
        source: tool,
        isError: kept.checked.isError,
        parts: parts.map(partView),
        result,
        editable: false,
        call: { callId, toolName: tool, caller },
        ...this.#expiry(),
      }),
      signal,
    );
    if (answer.kind === 'release') return { kind: 'released' };
    const by = answer.kind === 'withhold' ? 'person' : 'nobody';
    const reason = answer.kind === 'withhold' ? answer.reason : nobodyText[answer.cause];
    this.#audit.record({
      ...subject,
      kind: 'resultWithheld',
      promptId: answer.promptId,
      ...(reason === undefined ? {} : { reason }),
    });
    return { kind: 'withheld', by, reason };
  }
}

/** Why nobody has let a result go, for the record and the model. */
const nobodyText = {
  aborted: 'The call was cancelled.',
  closed: 'The window closed.',
  expired: 'Nobody answered in time.',
  tooMany: 'Too much waits for the user already.',
  unshowable: 'It cannot be shown to the user as it is.',
} as const satisfies Record<CancelCause, string>;

function partView(part: ModelPart): SamplingPart {
  if (part.kind === 'text') return { kind: 'text', text: part.text };
  const { mimeType, data } = part;
  const label = `${mimeType}, ${data.length} bytes`;
  if (!mimeType.startsWith('image/')) return { kind: 'other', label };
  const verdict = judgePicture(mimeType, data);
  return verdict.kind === 'drawable'
    ? { kind: 'image', mimeType, data: Buffer.from(data).toString('base64') }
    : { kind: 'other', label: `${label}. ${verdict.reason}` };
}
