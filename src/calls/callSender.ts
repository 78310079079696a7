import { HostError } from '../base/errors.ts';
import { randomHex } from '../base/randomHex.ts';
import type { ApprovedCall } from './approvedCall.ts';
import { CallEnding } from './callEnding.ts';
import type { CallReport } from './callTypes.ts';
import type { ToolInvokerPorts } from './invokerPorts.ts';
import type { PendingCall } from './pendingCall.ts';
import { showCall } from './showCall.ts';
import { tracedMessage } from './tracedMessage.ts';

/** The last stretch before the wire: a call that was decided on is put on record and sent. */
export class CallSender {
  readonly #ports: ToolInvokerPorts;
  readonly #ending: CallEnding;

  constructor(ports: ToolInvokerPorts) {
    this.#ports = ports;
    this.#ending = new CallEnding(ports);
  }

  /** Whether the tool and the server are, this very moment, those that were decided on. */
  stands({ callable, server }: PendingCall): boolean {
    const { catalogue, servers } = this.#ports;
    const entry = catalogue.find(callable.entry.serverId, callable.entry.toolName);
    const now = servers.get(server.id);
    return (
      entry?.fingerprint === callable.entry.fingerprint &&
      entry.state.kind === 'usable' &&
      now?.launchFingerprint === server.launchFingerprint
    );
  }

  /** Never rejects. */
  async send(call: ApprovedCall): Promise<CallReport> {
    const { request, subject, callable, server, approved } = call;
    const { audit, board, clock, memory, running, timeouts, traces } = this.#ports;
    const { callId } = subject;
    const cancel = new AbortController();
    const { signal } = cancel;
    // By hand: `AbortSignal.any` costs more than all else that a call needs a signal for.
    const byCaller = (): void => cancel.abort(request.signal?.reason);
    if (request.signal?.aborted === true) byCaller();
    request.signal?.addEventListener('abort', byCaller, { once: true });
    showCall(board, call, () => cancel.abort());
    running.begin(subject, () => request.onInput?.({ serverId: server.id, toolName: subject.tool }));
    const start = clock.monotonic();
    try {
      const client = await server.ready(signal);
      const traceparent = `00-${randomHex(16)}-${randomHex(8)}-01`;
      await audit.intent(
        {
          ...subject,
          kind: 'intent',
          arguments: approved.arguments,
          digest: approved.digest,
          decision: approved.decision,
          toolFingerprint: callable.entry.fingerprint,
          launchFingerprint: server.launchFingerprint,
          era: client.era,
          protocolVersion: client.protocolVersion,
          transport: server.launch.kind,
          traceparent,
        },
        { personDecided: approved.promptId !== undefined },
      );
      // The record was written meanwhile; the last look is in the same turn as the first byte.
      if (!this.stands(call)) {
        throw new HostError('denied', 'The tool changed just before it was called; the call was not made.');
      }
      const answer = client.callTool(
        { name: subject.tool, arguments: approved.arguments },
        {
          signal,
          callId,
          traceparent,
          ...timeouts(),
          ...(traces() && {
            onMessage: (direction, message) =>
              audit.record({ ...subject, kind: 'messageTraced', direction, message: tracedMessage(message) }),
          }),
          onProgress: (progress) => {
            board.progress(callId, progress);
            request.onProgress?.(progress);
          },
        },
      );
      memory.sent(call, approved.grantId);
      return await this.#ending.complete(call, await answer, clock.monotonic() - start);
    } catch (error) {
      return this.#ending.fail(subject, error, request.signal?.aborted === true, clock.monotonic() - start);
    } finally {
      request.signal?.removeEventListener('abort', byCaller);
      running.end(callId);
    }
  }
}
