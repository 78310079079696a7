import { type JsonObject, isJsonObject } from '../base/json.ts';
import type { Caller } from '../shared/caller.ts';
import type { ChangeNotice } from '../shared/definitionDiff.ts';
import type { InputProblem } from '../shared/hostMessage.ts';
import {
  type GrantProposalView,
  type GrantScope,
  type ToolView,
  grantScopes,
} from '../shared/approvalCard.ts';
import type { RiskNote } from '../shared/riskNote.ts';
import { editModelOf } from './formModel.ts';
import type { CancelCause, Prompt, Settlement } from './prompt.ts';
import { promptHead } from './promptHead.ts';

/** A tool call to be shown to a person. */
export interface ApprovalRequest {
  readonly serverId: string;
  readonly tool: ToolView;
  readonly toolFingerprint: string;
  readonly caller: Caller;
  readonly arguments: JsonObject;
  readonly notes?: readonly RiskNote[];
  readonly change?: ChangeNotice;
  /** Why the person is asked, in plain words. */
  readonly reason?: string;
  /** Ways to remember the answer; none: it cannot be remembered. */
  readonly proposals?: readonly GrantProposalView[];
  /** Without a workspace there is nothing to remember for it. Default: all. */
  readonly scopes?: readonly GrantScope[];
  /** The tool's own schema; without it the arguments are edited as plain JSON. */
  readonly inputSchema?: JsonObject;
  /** Judges arguments that a person has typed. Without it they cannot be edited. */
  readonly validateArguments?: (value: JsonObject) => Promise<readonly InputProblem[]>;
  readonly expiresInMs?: number;
  /** The person fills the arguments in and runs the call themselves. */
  readonly isDraft?: boolean;
}

export type ApprovalAnswer =
  | (Settlement & {
      readonly kind: 'allow';
      /** Exactly what was shown or typed; frozen. */
      readonly arguments: JsonObject;
      readonly edited: boolean;
      readonly grant?: { readonly scope: GrantScope; readonly proposalId: string };
    })
  /** `stopTurn`: the person wants the whole turn to end. */
  | (Settlement & { readonly kind: 'deny'; readonly reason?: string; readonly stopTurn: boolean })
  | (Settlement & { readonly kind: 'cancelled'; readonly cause: CancelCause });

/** A prompt that asks whether a call may run. */
export function approvalPrompt(request: ApprovalRequest): Prompt<ApprovalAnswer> {
  const { validateArguments, proposals = [] } = request;
  return {
    ...promptHead(request),
    content: (base) => ({
      kind: 'approval',
      ...base,
      serverId: request.serverId,
      tool: request.tool,
      toolFingerprint: request.toolFingerprint,
      ...(request.isDraft === true ? { isDraft: true } : {}),
      caller: request.caller,
      arguments: request.arguments,
      notes: request.notes ?? [],
      ...(request.change === undefined ? {} : { change: request.change }),
      ...(request.reason === undefined ? {} : { reason: request.reason }),
      proposals,
      scopes: request.scopes ?? grantScopes,
      ...(validateArguments === undefined
        ? {}
        : { form: editModelOf(request.inputSchema ?? {}, request.arguments) }),
    }),
    async judge(answer, card, settlement) {
      if (card.kind !== 'approval') return { kind: 'refused', reason: 'wrongKind' };
      if (answer.kind === 'deny') {
        const reason = answer.reason?.trim();
        const stopTurn = answer.also === 'turn';
        return { kind: 'answer', answer: denial({ ...(reason ? { reason } : {}), stopTurn }, settlement) };
      }
      if (answer.kind !== 'allow') return { kind: 'refused', reason: 'wrongKind' };
      const { edited, grant } = answer;
      if (grant !== undefined) {
        // Proposals speak of the arguments as they were asked for; typed ones would slip under them.
        const proposed =
          card.proposals.some(({ id }) => id === grant.proposalId) && card.scopes.includes(grant.scope);
        if (edited !== undefined || !proposed) return { kind: 'refused', reason: 'invalid' };
      }
      if (edited === undefined) {
        // Nobody has looked at what a draft begins with, and nothing has checked it.
        if (request.isDraft === true) return { kind: 'refused', reason: 'invalid' };
        const allowed = { kind: 'allow', arguments: card.arguments, edited: false } as const;
        return { kind: 'answer', answer: { ...settlement, ...allowed, ...(grant ? { grant } : {}) } };
      }
      if (validateArguments === undefined) return { kind: 'refused', reason: 'wrongKind' };
      const problems = await validateArguments(edited);
      if (problems.length > 0) return { kind: 'refused', reason: 'invalid', problems };
      return { kind: 'answer', answer: { ...settlement, kind: 'allow', arguments: edited, edited: true } };
    },
    async check(value) {
      if (!isJsonObject(value)) return [{ path: '', message: 'The arguments must be a JSON object.' }];
      return validateArguments === undefined ? [] : validateArguments(value);
    },
    denied: denial,
    cancelled: (cause, settlement) => ({ ...settlement, kind: 'cancelled', cause }),
  };
}

function denial(
  denied: { readonly reason?: string; readonly stopTurn: boolean },
  settlement: Settlement,
): ApprovalAnswer {
  return { ...settlement, kind: 'deny', ...denied };
}
