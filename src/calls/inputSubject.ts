import type { AuditPort } from '../audit/auditLog.ts';
import type { CallSubject, DecidedBy } from '../audit/events.ts';
import type { InputContext } from '../client/mcpClient.ts';
import type { InputRequest } from '../protocol/model.ts';
import type { CallContext } from '../shared/inputCards.ts';
import type { RunningCalls } from './runningCalls.ts';

/** One input request with what is known of its call. */
export interface InputSubject {
  readonly subject: CallSubject;
  /** For the card; absent where the server does not say which call it asks for. */
  readonly call: CallContext | undefined;
  readonly key: string;
  /** To be told when a person is asked, so that whoever made the call knows what it waits for. */
  readonly asking: () => void;
}

/** Ties an input request to the call in whose middle it came. */
export function inputSubject(serverId: string, context: InputContext, running: RunningCalls): InputSubject {
  const known = running.get(context.callId);
  if (known === undefined) {
    const caller = { kind: 'api', label: 'the server itself' } as const;
    return {
      subject: { callId: '', caller, serverId, tool: '' },
      call: undefined,
      key: context.key,
      asking: () => undefined,
    };
  }
  return {
    subject: known,
    call: { callId: known.callId, toolName: known.tool, caller: known.caller },
    key: context.key,
    asking: () => running.asks(known.callId),
  };
}

export function recordAsked(audit: AuditPort, { subject, key }: InputSubject, request: InputRequest): void {
  audit.record({
    ...subject,
    kind: 'inputRequested',
    key,
    request: request.kind,
    ...('message' in request ? { message: request.message } : {}),
    ...(request.kind === 'elicitationUrl' ? { url: request.url } : {}),
  });
}

export function recordAnswered(
  audit: AuditPort,
  { subject, key }: InputSubject,
  request: InputRequest['kind'],
  answer: 'accept' | 'decline' | 'cancel' | 'answered' | 'refused',
  by: DecidedBy,
): void {
  audit.record({ ...subject, kind: 'inputAnswered', key, request, answer, by });
}
