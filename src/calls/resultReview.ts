import type { AuditPort } from '../audit/auditLog.ts';
import type { CallSubject } from '../audit/events.ts';
import { reviewPrompt } from '../prompts/reviewPrompt.ts';
import type { PromptQueue } from '../prompts/promptQueue.ts';
import type { SamplingPart } from '../shared/inputCards.ts';
import type { ModelPart } from '../tools/resultForModel.ts';

export type ReviewVerdict =
  { readonly kind: 'released' } | { readonly kind: 'withheld'; readonly reason: string | undefined };

/** Shows a result to the person before its caller gets it, where a rule asks for that. */
export class ResultReview {
  readonly #queue: PromptQueue;
  readonly #audit: AuditPort;

  constructor(ports: { readonly queue: PromptQueue; readonly audit: AuditPort }) {
    this.#queue = ports.queue;
    this.#audit = ports.audit;
  }

  /** Anything but a person's word to let it go withholds the result. */
  async ask(
    subject: CallSubject,
    parts: readonly ModelPart[],
    isError: boolean,
    signal: AbortSignal | undefined,
  ): Promise<ReviewVerdict> {
    const { callId, caller, serverId, tool } = subject;
    const answer = await this.#queue.ask(
      reviewPrompt({
        serverId,
        subject: 'toolResult',
        source: tool,
        isError,
        parts: parts.map(partView),
        editable: false,
        call: { callId, toolName: tool, caller },
      }),
      signal,
    );
    if (answer.kind === 'release') return { kind: 'released' };
    const reason = answer.kind === 'withhold' ? answer.reason : undefined;
    this.#audit.record({
      ...subject,
      kind: 'resultWithheld',
      promptId: answer.promptId,
      ...(reason === undefined ? {} : { reason }),
    });
    return { kind: 'withheld', reason };
  }
}

function partView(part: ModelPart): SamplingPart {
  if (part.kind === 'text') return { kind: 'text', text: part.text };
  const { mimeType, data } = part;
  if (mimeType.startsWith('image/')) {
    return { kind: 'image', mimeType, data: Buffer.from(data).toString('base64') };
  }
  return { kind: 'other', label: `${mimeType}, ${data.length} bytes` };
}
