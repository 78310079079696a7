import { digest } from '../base/canonicalJson.ts';
import type { JsonObject } from '../base/json.ts';
import type { AuditPort } from '../audit/auditLog.ts';
import type { CallSubject, Decision as RecordedDecision } from '../audit/events.ts';
import type { Decision } from '../policy/decision.ts';
import { type ApprovalAnswer, approvalPrompt } from '../prompts/approvalPrompt.ts';
import type { CancelCause } from '../prompts/prompt.ts';
import type { PromptQueue } from '../prompts/promptQueue.ts';
import type { SchemaChecker } from '../tools/schemaChecker.ts';
import type { Snapshot } from './callArguments.ts';
import type { CallRequest } from './callTypes.ts';
import type { CallableTool } from './callTarget.ts';
import type { CallServer } from './callServers.ts';
import { reasonText, recordedDecision } from './decisionRecord.ts';
import type { PolicyGate } from './policyGate.ts';

export type Approval =
  | ({
      readonly kind: 'approved';
      readonly decision: RecordedDecision;
      /** Set if a person decided. */
      readonly promptId: string | undefined;
      readonly edited: boolean;
      /** The person sees the result before the caller does. */
      readonly reviewResult: boolean;
    } & Snapshot)
  | {
      readonly kind: 'denied';
      readonly by: 'person' | 'policy' | 'nobody';
      /** For the model. */
      readonly message: string;
      readonly stopTurn: boolean;
    }
  | { readonly kind: 'cancelled' };

/** One call on its way to a decision. */
export interface PendingCall {
  readonly request: CallRequest;
  readonly subject: CallSubject;
  readonly callable: CallableTool;
  readonly server: CallServer;
  readonly snapshot: Snapshot;
}

/** The policy and prompt steps of the road: decides, asks a person where needed, and records both. */
export class CallApproval {
  readonly #gate: PolicyGate;
  readonly #queue: PromptQueue;
  readonly #audit: AuditPort;
  readonly #checker: SchemaChecker;

  constructor(ports: {
    readonly gate: PolicyGate;
    readonly queue: PromptQueue;
    readonly audit: AuditPort;
    readonly checker: SchemaChecker;
  }) {
    this.#gate = ports.gate;
    this.#queue = ports.queue;
    this.#audit = ports.audit;
    this.#checker = ports.checker;
  }

  async decide(call: PendingCall): Promise<Approval> {
    const { request, subject, callable, server, snapshot } = call;
    const decision = this.#gate.decide(request.caller, callable, server, snapshot.arguments);
    switch (decision.kind) {
      case 'deny':
        this.#record(subject, recordedDecision(decision), snapshot);
        return denied('policy', `Denied by policy. ${reasonText(decision) ?? ''}`.trim());
      case 'allow':
        // Its intent carries the decision: a record of its own would say the same twice, on the hot path.
        return {
          kind: 'approved',
          decision: recordedDecision(decision),
          promptId: undefined,
          edited: false,
          reviewResult: decision.reviewResult,
          ...snapshot,
        };
      case 'ask':
        return this.#ask(call, decision);
    }
  }

  async #ask(call: PendingCall, decision: Decision & { readonly kind: 'ask' }): Promise<Approval> {
    const { request, subject, callable, server, snapshot } = call;
    const { tool, entry } = callable;
    const reason = reasonText(decision);
    let promptId = '';
    const prompt = approvalPrompt({
      serverId: server.id,
      tool: {
        name: tool.name,
        ...(tool.title === undefined ? {} : { title: tool.title }),
        ...(tool.description === undefined ? {} : { description: tool.description }),
        ...(tool.annotations === undefined ? {} : { annotations: tool.annotations }),
      },
      toolFingerprint: entry.fingerprint,
      caller: request.caller,
      arguments: snapshot.arguments,
      ...(reason === undefined ? {} : { reason }),
      inputSchema: tool.inputSchema,
      validateArguments: (value) => this.#problems(callable, value),
    });
    const asked = this.#queue.ask(
      {
        ...prompt,
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
      ...(reason === undefined ? {} : { reason }),
    });
    request.onWaiting?.({ serverId: server.id, toolName: tool.name });
    return this.#settle(call, decision, await asked);
  }

  #settle(
    call: PendingCall,
    decision: Decision & { readonly kind: 'ask' },
    answer: ApprovalAnswer,
  ): Approval {
    const { subject, snapshot } = call;
    switch (answer.kind) {
      case 'allow': {
        const after = { arguments: answer.arguments, digest: digest(answer.arguments) };
        if (answer.edited) {
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
        const by = { kind: 'person', promptId: answer.promptId } as const;
        return {
          kind: 'approved',
          decision: { outcome: 'allow', by },
          promptId: answer.promptId,
          edited: answer.edited,
          reviewResult: decision.reviewResult,
          ...after,
        };
      }
      case 'deny': {
        const by = { kind: 'person', promptId: answer.promptId } as const;
        const { reason } = answer;
        this.#record(subject, { outcome: 'deny', by, ...(reason === undefined ? {} : { reason }) }, snapshot);
        const message =
          reason === undefined
            ? 'The user denied this call. Do not try it again unless they ask for it.'
            : `The user denied this call: ${reason}`;
        return { ...denied('person', message), stopTurn: answer.stopTurn };
      }
      case 'cancelled': {
        if (answer.cause === 'aborted') return { kind: 'cancelled' };
        this.#record(
          subject,
          { outcome: 'deny', by: { kind: 'noAnswer', cause: recordedCause[answer.cause] } },
          snapshot,
        );
        return denied('nobody', causeMessage[answer.cause]);
      }
    }
  }

  async #problems(callable: CallableTool, value: JsonObject): Promise<{ path: string; message: string }[]> {
    const verdict = await this.#checker.check(callable.tool.inputSchema, value);
    if (verdict.kind === 'valid') return [];
    if (verdict.kind === 'refused') return [{ path: '', message: verdict.reason }];
    return verdict.problems.map(({ path, message }) => ({ path, message }));
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

const recordedCause = {
  closed: 'windowReloaded',
  expired: 'promptExpired',
  tooMany: 'viewUnavailable',
  unshowable: 'viewUnavailable',
} as const satisfies Record<Exclude<CancelCause, 'aborted'>, string>;

const causeMessage = {
  closed: 'Nobody could be asked whether this call may run, because the window closed. It was not made.',
  expired: 'Nobody answered in time whether this call may run. It was not made.',
  tooMany: 'Too many calls wait for the user already. It was not made.',
  unshowable: 'The call cannot be shown to the user as it is, so it was not made. Use simpler arguments.',
} as const satisfies Record<Exclude<CancelCause, 'aborted'>, string>;

function denied(by: 'person' | 'policy' | 'nobody', message: string): Approval & { readonly kind: 'denied' } {
  return { kind: 'denied', by, message, stopTurn: false };
}
