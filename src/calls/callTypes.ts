import type { HostError, RpcError } from '../base/errors.ts';
import type { Progress } from '../protocol/model.ts';
import type { Caller } from '../shared/caller.ts';
import type { ModelPart } from '../tools/resultForModel.ts';

/** Which tool is meant: by the name that a model was given, or by its place. */
export type CallTarget =
  | { readonly kind: 'modelName'; readonly name: string }
  | { readonly kind: 'tool'; readonly serverId: string; readonly toolName: string };

export interface CallRequest {
  readonly caller: Caller;
  readonly target: CallTarget;
  /** Foreign until the schema step has passed. */
  readonly arguments: unknown;
  /** The arguments are a person's to fill in: they are shown for that, whatever policy allows, and sent when they say so. */
  readonly isDraft?: boolean;
  readonly signal?: AbortSignal;
  /** The call waits for a person now. */
  readonly onWaiting?: (call: {
    readonly serverId: string;
    readonly toolName: string;
    readonly promptId: string;
  }) => void;
  /** The server asks a person for something that the call needs: a form, a link, a model's words. May come often. */
  readonly onInput?: (call: { readonly serverId: string; readonly toolName: string }) => void;
  readonly onProgress?: (progress: Progress) => void;
}

/** How a call ended. Each outcome has parts for the model: a caller never has to make up an answer. */
export interface CallReport {
  readonly callId: string;
  readonly outcome: CallEnd;
  readonly parts: readonly ModelPart[];
}

export type CallEnd =
  /** The server answered; `isError` is the server's own word. */
  | { readonly kind: 'completed'; readonly isError: boolean; readonly argumentsEdited: boolean }
  /** The server answered, and the person kept the answer from the caller. */
  | { readonly kind: 'withheld' }
  /** Never sent: no such tool, or arguments that its schema refuses. */
  | { readonly kind: 'refused' }
  /** Never sent: a person or a rule said no, or nobody could be asked. `stopTurn`: the whole turn is to end. */
  | { readonly kind: 'denied'; readonly by: 'person' | 'policy' | 'nobody'; readonly stopTurn: boolean }
  | { readonly kind: 'failed'; readonly error: HostError | RpcError }
  | { readonly kind: 'cancelled' };

/** The one road that every tool call takes. Never rejects. */
export interface ToolCalls {
  invoke(request: CallRequest): Promise<CallReport>;
}
