import type { CallSubject } from '../audit/events.ts';
import { HostError, RpcError, errorMessage, isCancellation } from '../base/errors.ts';
import type { JsonValue } from '../base/json.ts';
import { TimeSlice } from '../base/timeSlice.ts';
import type { CallToolResult } from '../protocol/model.ts';
import { checkResult } from '../tools/checkResult.ts';
import { measureJson } from '../tools/jsonMeasure.ts';
import { DEFAULT_RESULT_LIMITS, type ModelPart, resultForModel } from '../tools/resultForModel.ts';
import { cutLead } from '../tools/resultView.ts';
import type { ApprovedCall } from './approvedCall.ts';
import { cancelledReport, failedReport, withheldReport } from './callReports.ts';
import { errorSummary, summaryOf } from './callSummary.ts';
import type { CallEnd, CallReport } from './callTypes.ts';
import type { ToolInvokerPorts } from './invokerPorts.ts';
import { resultOwner } from './resultOwner.ts';
import { resultProblems } from './resultProblems.ts';
import type { KeptResult } from './resultShelf.ts';

/** The end of the road: what came of a call that was sent is checked, put on record, shown and told to the caller. */
export class CallEnding {
  readonly #ports: ToolInvokerPorts;

  constructor(ports: ToolInvokerPorts) {
    this.#ports = ports;
  }

  /** The server answered. */
  async complete(
    { request, subject, callable, server, approved }: ApprovedCall,
    result: CallToolResult,
    durationMs: number,
  ): Promise<CallReport> {
    const { audit, board, checker, results, shelf, review } = this.#ports;
    const { callId } = subject;
    // A very large result is worked on in steps, between which others get their turn.
    const slice = new TimeSlice();
    const checked = await checkResult(callable.tool, result, checker, { slice });
    await slice.pause();
    const problems = resultProblems(checked);
    const limits = { ...DEFAULT_RESULT_LIMITS, textBytes: this.#ports.resultBytes() };
    const forModel = await resultForModel(checked, results, resultOwner(subject.caller), limits, slice);
    await slice.pause();
    await audit.recordResult({
      ...subject,
      kind: 'result',
      isError: result.isError,
      durationMs,
      result: withoutNotes(result),
      ...(problems.length === 0 ? {} : { problems }),
      ...(forModel.cut === undefined ? {} : { cutTo: forModel.cut.shown }),
    });
    const kept: KeptResult = {
      id: callId,
      subject: 'result',
      serverId: server.id,
      launchFingerprint: server.launchFingerprint,
      title: subject.tool,
      checked,
      leads: forModel.cut === undefined ? [] : [cutLead(forModel.cut)],
      raw: result,
    };
    shelf.keep(kept);
    board.finished(callId, {
      outcome: result.isError ? 'toolError' : problems.length > 0 ? 'doubtful' : 'ok',
      summary: summaryOf(forModel.parts),
      hasResult: true,
    });
    if (approved.reviewResult) {
      const verdict = await review.ask(subject, forModel.parts, kept, request.signal);
      if (verdict.kind === 'withheld') return withheldReport(callId, verdict);
    }
    const parts: ModelPart[] = [...forModel.parts];
    if (approved.edited) {
      const text = `The user changed the arguments before allowing the call. It was made with: ${JSON.stringify(approved.arguments)}`;
      parts.unshift({ kind: 'text', text });
    }
    const outcome: CallEnd = {
      kind: 'completed',
      isError: forModel.isError,
      argumentsEdited: approved.edited,
    };
    return { callId, outcome, parts };
  }

  /** No answer came, or one that says that the call failed. `byCaller`: the caller has cancelled. */
  fail(subject: CallSubject, error: unknown, byCaller: boolean, durationMs: number): CallReport {
    const { audit, board } = this.#ports;
    const { callId } = subject;
    if (isCancellation(error)) {
      audit.record({ ...subject, kind: 'cancelled', by: byCaller ? 'caller' : 'person', durationMs });
      board.finished(callId, { outcome: 'cancelled', summary: '', hasResult: false });
      return cancelledReport(callId);
    }
    const source = error instanceof RpcError ? 'server' : 'host';
    const code = error instanceof RpcError || error instanceof HostError ? String(error.code) : 'unexpected';
    const data = error instanceof RpcError ? error.data : undefined;
    const message = errorMessage(error);
    audit.record({
      ...subject,
      kind: 'error',
      source,
      code,
      message,
      durationMs,
      ...(data === undefined ? {} : { data: recordableData(data) }),
    });
    board.finished(callId, { outcome: 'failed', summary: errorSummary(error), hasResult: false });
    return failedReport(callId, error);
  }
}

/** The record holds what came; what was noticed about it stands among the problems. */
function withoutNotes(result: CallToolResult): CallToolResult {
  if (result.lostNumbers === undefined) return result;
  const { lostNumbers: _noticed, ...came } = result;
  return came;
}

/** What an error carries along may be as large as a message. */
function recordableData(data: JsonValue): JsonValue {
  const bounds = { depth: 256, values: 20_000, characters: 1_000_000 };
  return measureJson(data, bounds).kind === 'within' ? data : '[cut: too large to be kept]';
}
