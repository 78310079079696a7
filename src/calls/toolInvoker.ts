import { randomUUID } from 'node:crypto';
import type { CallSubject } from '../audit/events.ts';
import { isCancellation } from '../base/errors.ts';
import { isJsonObject } from '../base/json.ts';
import type { ApprovedCall } from './approvedCall.ts';
import { argumentProblems, snapshotArguments } from './callArguments.ts';
import { cancelledReport, deniedReport, failedReport, refusedReport } from './callReports.ts';
import { CallSender } from './callSender.ts';
import { type CallableTool, findTool } from './callTarget.ts';
import type { CallReport, CallRequest, ToolCalls } from './callTypes.ts';
import type { ToolInvokerPorts } from './invokerPorts.ts';
import type { PendingCall } from './pendingCall.ts';
import { showCall } from './showCall.ts';

/** How often a tool may change under a waiting prompt before the call is given up. */
const maximumQuestions = 3;

/**
 * The one road (DESIGN section 2): catalogue, schema, policy, prompt, intent, client, result check, outcome.
 * Nothing else in the program calls a tool.
 */
export class ToolInvoker implements ToolCalls {
  readonly #ports: ToolInvokerPorts;
  readonly #sender: CallSender;

  constructor(ports: ToolInvokerPorts) {
    this.#ports = ports;
    this.#sender = new CallSender(ports);
  }

  async invoke(request: CallRequest): Promise<CallReport> {
    const callId = randomUUID();
    try {
      return await this.#walk(callId, request);
    } catch (error) {
      if (isCancellation(error)) return cancelledReport(callId);
      return failedReport(callId, error);
    }
  }

  async #walk(callId: string, request: CallRequest): Promise<CallReport> {
    const { catalogue, checker, approval, audit, servers } = this.#ports;
    const place = approval.takePlace();
    for (let question = 1; ; question++) {
      const found = findTool(catalogue, request.target);
      const { serverId, toolName } = found.kind === 'found' ? found.entry : found;
      const subject: CallSubject = { callId, caller: request.caller, serverId, tool: toolName };
      if (found.kind === 'refused') return this.#refuse(request, subject, 'catalogue', found.message);
      const server = servers.get(serverId);
      if (server === undefined) {
        const message = `The server "${serverId}" is not there any more.`;
        return this.#refuse(request, subject, 'catalogue', message);
      }

      const snapshot = snapshotArguments(originalArguments(request, found));
      if (snapshot.kind === 'refused') return this.#refuse(request, subject, 'schema', snapshot.message);
      // A draft is checked when its person runs it.
      const problems =
        request.isDraft === true
          ? undefined
          : await argumentProblems(checker, found, snapshot.arguments, {
              signal: request.signal,
              byModel: request.target.kind === 'modelName',
            });
      if (problems !== undefined) return this.#refuse(request, subject, 'schema', problems);

      const call: PendingCall = { request, subject, callable: found, server, snapshot, place };
      const decided = await approval.decide(call);
      if (decided.kind === 'cancelled') {
        audit.record({ ...subject, kind: 'cancelled', by: 'caller' });
        return cancelledReport(callId);
      }
      if (decided.kind === 'denied') return deniedReport(callId, decided);
      const approved: ApprovedCall = { ...call, approved: decided };
      try {
        if (this.#sender.stands(call)) return await this.#sender.send(approved);
      } finally {
        decided.counted?.dispose();
      }
      if (findTool(catalogue, request.target).kind === 'refused') return this.#gone(approved);
      // What was decided on is not what would run now: it is a new question.
      if (question === maximumQuestions) {
        return this.#refuse(request, subject, 'catalogue', 'The tool keeps changing; the call was not made.');
      }
    }
  }

  /** The tool went while its call waited: who allowed it sees that it did not run, as the caller does. */
  #gone(call: ApprovedCall): CallReport {
    const { board } = this.#ports;
    const { request, subject } = call;
    const message = `The tool "${subject.tool}" cannot be called any more: since the call was asked for, its server has stopped or the tool has changed. The call was not made.`;
    showCall(board, call, () => undefined);
    board.finished(subject.callId, { outcome: 'failed', summary: message, hasResult: false });
    return this.#refuse(request, subject, 'catalogue', message);
  }

  #refuse(
    request: CallRequest,
    subject: CallSubject,
    stage: 'catalogue' | 'schema',
    message: string,
  ): CallReport {
    const asked = snapshotArguments(request.arguments);
    this.#ports.audit.record({
      ...subject,
      kind: 'callRefused',
      stage,
      message,
      ...(asked.kind === 'snapshot' && { arguments: asked.arguments }),
    });
    return refusedReport(subject.callId, message);
  }
}

/** A model may know some arguments under other names than the tool's own. */
function originalArguments({ target, arguments: given }: CallRequest, { entry }: CallableTool): unknown {
  return target.kind === 'modelName' && isJsonObject(given) ? entry.originalArguments(given) : given;
}
