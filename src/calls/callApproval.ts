import type { Disposable } from '../base/disposable.ts';
import { digest } from '../base/canonicalJson.ts';
import type { AuditPort } from '../audit/auditLog.ts';
import type { CallSubject, Decision as RecordedDecision } from '../audit/events.ts';
import type { Decision } from '../policy/decision.ts';
import { type ApprovalAnswer, approvalPrompt } from '../prompts/approvalPrompt.ts';
import type { CancelCause } from '../prompts/prompt.ts';
import type { PromptQueue } from '../prompts/promptQueue.ts';
import type { GrantProposal } from '../prompts/grantProposals.ts';
import type { ApprovalCards } from './approvalCard.ts';
import type { Snapshot } from './callArguments.ts';
import type { CallMemory } from './callMemory.ts';
import { reasonText, recordedDecision } from './decisionRecord.ts';
import { noAnswer } from './noAnswer.ts';
import type { PendingCall } from './pendingCall.ts';
import type { PolicyGate } from './policyGate.ts';

export type Approval =
  | ({
      readonly kind: 'approved';
      readonly decision: RecordedDecision;
      /** Set if a person decided. */
      readonly promptId: string | undefined;
      readonly edited: boolean;
      /** Set if a grant allowed it. */
      readonly grantId: string | undefined;
      /** The person sees the result before the caller does. */
      readonly reviewResult: boolean;
      /** The call counts for the limits until this is disposed. */
      readonly counted: Disposable | undefined;
    } & Snapshot)
  | {
      readonly kind: 'denied';
      readonly by: 'person' | 'policy' | 'nobody';
      /** For the model. */
      readonly message: string;
      readonly stopTurn: boolean;
    }
  | { readonly kind: 'cancelled' };

/** The policy and prompt steps of the road: decides, asks a person where needed, and records both. */
export class CallApproval {
  readonly #gate: PolicyGate;
  readonly #queue: PromptQueue;
  readonly #audit: AuditPort;
  readonly #cards: ApprovalCards;
  readonly #memory: CallMemory;
  /** Turns that a person has ended: what still comes of them is not asked again. */
  readonly #stopped = new Set<string>();

  constructor(ports: {
    readonly gate: PolicyGate;
    readonly queue: PromptQueue;
    readonly audit: AuditPort;
    readonly cards: ApprovalCards;
    readonly memory: CallMemory;
  }) {
    this.#gate = ports.gate;
    this.#queue = ports.queue;
    this.#audit = ports.audit;
    this.#cards = ports.cards;
    this.#memory = ports.memory;
  }

  /** The place of a call that comes in now. What it takes to decide may let later calls overtake it. */
  takePlace(): number {
    return this.#queue.takePlace();
  }

  async decide(call: PendingCall): Promise<Approval> {
    const { subject, snapshot } = call;
    if (this.#stopped.has(turnOf(call))) return this.#turnStopped(call);
    const { decision, counted } = await this.#gate.decide(call);
    if (call.request.isDraft === true && decision.kind === 'allow') {
      // It counts when it is run, with what it then has.
      counted?.dispose();
      return this.#ask(call, asDraft(decision));
    }
    switch (decision.kind) {
      case 'deny':
        this.#record(subject, recordedDecision(decision), snapshot);
        return denied('policy', `Denied by policy. ${reasonText(decision)}`);
      case 'allow':
        // Its intent carries the decision: a record of its own would say the same twice, on the hot path.
        return {
          kind: 'approved',
          decision: recordedDecision(decision),
          promptId: undefined,
          grantId: decision.reason.kind === 'grant' ? decision.reason.grant.id : undefined,
          edited: false,
          reviewResult: decision.reviewResult,
          counted,
          ...snapshot,
        };
      case 'ask':
        return this.#ask(call, decision);
    }
  }

  async #ask(call: PendingCall, decision: Decision & { readonly kind: 'ask' }): Promise<Approval> {
    const { request, subject, server, snapshot } = call;
    const content = await this.#cards.content(call, decision);
    const prompt = approvalPrompt(content.request);
    let promptId = '';
    // Its card took a moment to gather; the turn may have been ended meanwhile.
    if (this.#stopped.has(turnOf(call))) return this.#turnStopped(call);
    const asked = this.#queue.ask(
      {
        ...prompt,
        place: call.place,
        content: (base) => {
          promptId = base.id;
          return prompt.content(base);
        },
      },
      request.signal,
    );
    this.#audit.record({
      ...subject,
      kind: 'promptShown',
      promptId,
      purpose: 'approval',
      digest: snapshot.digest,
      ...(content.request.change === undefined ? {} : { definitionChanged: true }),
      ...(content.request.reason === undefined ? {} : { reason: content.request.reason }),
    });
    request.onWaiting?.({ serverId: server.id, toolName: subject.tool, promptId });
    return this.#settle(call, decision, await asked, content.proposals);
  }

  async #settle(
    call: PendingCall,
    decision: Decision & { readonly kind: 'ask' },
    answer: ApprovalAnswer,
    proposals: ReadonlyMap<string, GrantProposal>,
  ): Promise<Approval> {
    const { subject, snapshot } = call;
    switch (answer.kind) {
      case 'allow': {
        const after = { arguments: answer.arguments, digest: digest(answer.arguments) };
        // What was shown of a draft was nobody's wish.
        const edited = answer.edited && call.request.isDraft !== true;
        if (edited) {
          this.#audit.record({
            ...subject,
            kind: 'argumentsEdited',
            promptId: answer.promptId,
            before: snapshot.arguments,
            after: after.arguments,
            beforeDigest: snapshot.digest,
            afterDigest: after.digest,
          });
        }
        const now = await this.#gate.decideAgain({ ...call, snapshot: after });
        if (now.kind === 'deny') {
          this.#record(subject, recordedDecision(now), after);
          return denied('policy', `Denied by policy. ${reasonText(now)}`);
        }
        await this.#remember(call, answer, proposals);
        const by = { kind: 'person', promptId: answer.promptId } as const;
        return {
          kind: 'approved',
          decision: { outcome: 'allow', by },
          promptId: answer.promptId,
          grantId: undefined,
          edited,
          reviewResult: decision.reviewResult || now.reviewResult,
          counted: this.#gate.begin(call, after.digest, true),
          ...after,
        };
      }
      case 'deny': {
        const by = { kind: 'person', promptId: answer.promptId } as const;
        const { reason } = answer;
        if (answer.stopTurn) this.#stop(turnOf(call));
        this.#record(subject, { outcome: 'deny', by, ...(reason === undefined ? {} : { reason }) }, snapshot);
        const message =
          reason === undefined
            ? 'The user denied this call. Do not try it again unless they ask for it.'
            : `The user denied this call: ${reason}`;
        return { ...denied('person', message), stopTurn: answer.stopTurn };
      }
      case 'cancelled': {
        if (answer.cause === 'aborted') return { kind: 'cancelled' };
        this.#record(subject, { outcome: 'deny', by: noAnswer(answer.cause) }, snapshot);
        return denied('nobody', causeMessage[answer.cause]);
      }
    }
  }

  #stop(turn: string): void {
    if (turn === '') return;
    this.#stopped.add(turn);
    const [oldest] = this.#stopped;
    if (this.#stopped.size > keptTurns && oldest !== undefined) this.#stopped.delete(oldest);
  }

  #turnStopped({ subject, snapshot }: PendingCall): Approval {
    const by = { kind: 'person', promptId: '' } as const;
    this.#record(subject, { outcome: 'deny', by, reason: 'The turn was stopped.' }, snapshot);
    return { ...denied('person', 'The user has stopped this turn. Make no more calls.'), stopTurn: true };
  }

  /** What the person's "allow" means beyond this call. A grant that cannot be kept does not undo the answer. */
  async #remember(
    call: PendingCall,
    answer: ApprovalAnswer & { readonly kind: 'allow' },
    proposals: ReadonlyMap<string, GrantProposal>,
  ): Promise<void> {
    await this.#memory.allowed(call);
    const proposal = answer.grant === undefined ? undefined : proposals.get(answer.grant.proposalId);
    if (answer.grant !== undefined && proposal !== undefined) {
      await this.#memory.grant(call, answer.grant.scope, proposal);
    }
  }

  #record(subject: CallSubject, decision: RecordedDecision, snapshot: Snapshot): void {
    this.#audit.record({
      ...subject,
      kind: 'decision',
      decision,
      arguments: snapshot.arguments,
      digest: snapshot.digest,
    });
  }
}

/** Allowed already, and still to be filled in. */
function asDraft({
  reviewResult,
}: Decision & { readonly kind: 'allow' }): Decision & { readonly kind: 'ask' } {
  return { kind: 'ask', reason: { kind: 'default' }, suspended: [], rememberable: false, reviewResult };
}

const keptTurns = 500;

/** Empty for calls that belong to no turn. */
function turnOf({ request }: PendingCall): string {
  const { kind, turn } = request.caller;
  return turn === undefined ? '' : `${kind}/${turn}`;
}

const causeMessage = {
  closed: 'Nobody could be asked whether this call may run, because the window closed. It was not made.',
  expired: 'Nobody answered in time whether this call may run. It was not made.',
  tooMany: 'Too many calls wait for the user already. It was not made.',
  unshowable: 'The call cannot be shown to the user as it is, so it was not made. Use simpler arguments.',
} as const satisfies Record<Exclude<CancelCause, 'aborted'>, string>;

function denied(by: 'person' | 'policy' | 'nobody', message: string): Approval & { readonly kind: 'denied' } {
  return { kind: 'denied', by, message, stopTurn: false };
}
