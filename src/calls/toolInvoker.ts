import { randomUUID } from 'node:crypto';
import { isCancellation, HostError, RpcError, errorMessage } from '../base/errors.ts';
import type { Clock } from '../base/clock.ts';
import { isJsonObject, type JsonValue } from '../base/json.ts';
import { randomHex } from '../base/randomHex.ts';
import type { AuditPort } from '../audit/auditLog.ts';
import type { CallSubject } from '../audit/events.ts';
import type { CallToolResult } from '../protocol/model.ts';
import type { CallBoard } from '../prompts/callBoard.ts';
import type { Catalogue } from '../tools/catalogue.ts';
import { resultProblems } from './resultProblems.ts';
import { resultOwner } from './resultOwner.ts';
import { checkResult } from '../tools/checkResult.ts';
import { measureJson } from '../tools/jsonMeasure.ts';
import {
  DEFAULT_RESULT_LIMITS,
  failureForModel,
  type ModelPart,
  resultForModel,
} from '../tools/resultForModel.ts';
import type { ResultStore } from '../tools/resultStore.ts';
import { cutLead } from '../tools/resultView.ts';
import type { SchemaChecker } from '../tools/schemaChecker.ts';
import { TimeSlice } from '../base/timeSlice.ts';
import type { Approval, CallApproval } from './callApproval.ts';
import type { CallMemory } from './callMemory.ts';
import { argumentProblems, snapshotArguments } from './callArguments.ts';
import type { CallServer, CallServers } from './callServers.ts';
import { type CallableTool, findTool } from './callTarget.ts';
import type { PendingCall } from './pendingCall.ts';
import type { ResultReview, ReviewVerdict } from './resultReview.ts';
import type { KeptResult, ResultShelf } from './resultShelf.ts';
import type { RunningCalls } from './runningCalls.ts';
import type { CallEnd, CallReport, CallRequest, ToolCalls } from './callTypes.ts';
import { tracedMessage } from './tracedMessage.ts';
import { errorSummary, summaryOf } from './callSummary.ts';

export interface CallTimeouts {
  /** Milliseconds without a reply or progress. */
  readonly timeoutMs: number;
  /** Milliseconds in all. */
  readonly maxTimeoutMs: number;
}

export interface ToolInvokerPorts {
  readonly catalogue: Catalogue;
  readonly checker: SchemaChecker;
  readonly approval: CallApproval;
  readonly memory: CallMemory;
  readonly running: RunningCalls;
  readonly review: ResultReview;
  readonly board: CallBoard;
  readonly audit: AuditPort;
  readonly servers: CallServers;
  readonly results: ResultStore;
  readonly timeouts: () => CallTimeouts;
  /** Whether messages go on record too. */
  readonly traces: () => boolean;
  /** Most text of a result that a model gets at once, in bytes of UTF-8. */
  readonly resultBytes: () => number;
  readonly clock: Clock;
  readonly shelf: ResultShelf;
}

type Approved = Approval & { readonly kind: 'approved' };

/** How often a tool may change under a waiting prompt before the call is given up. */
const maximumQuestions = 3;

/**
 * The one road (DESIGN section 2): catalogue, schema, policy, prompt, intent, client, result check, outcome.
 * Nothing else in the program calls a tool.
 */
export class ToolInvoker implements ToolCalls {
  readonly #ports: ToolInvokerPorts;

  constructor(ports: ToolInvokerPorts) {
    this.#ports = ports;
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
      if (decided.kind === 'denied') {
        const { by, stopTurn, message } = decided;
        return {
          callId,
          outcome: { kind: 'denied', by, stopTurn },
          parts: [{ kind: 'text', text: message }],
        };
      }
      try {
        if (this.#stillStands(found, server)) return await this.#send(call, decided);
      } finally {
        decided.counted?.dispose();
      }
      if (findTool(catalogue, request.target).kind === 'refused') return this.#gone(call, decided);
      // What was decided on is not what would run now: it is a new question.
      if (question === maximumQuestions) {
        return this.#refuse(request, subject, 'catalogue', 'The tool keeps changing; the call was not made.');
      }
    }
  }

  /** The tool went while its call waited: who allowed it sees that it did not run, as the caller does. */
  #gone(call: PendingCall, approved: Approved): CallReport {
    const { request, subject } = call;
    const message = `The tool "${subject.tool}" cannot be called any more: since the call was asked for, its server has stopped or the tool has changed. The call was not made.`;
    this.#show(call, approved, () => undefined);
    this.#ports.board.finished(subject.callId, { outcome: 'failed', summary: message, hasResult: false });
    return this.#refuse(request, subject, 'catalogue', message);
  }

  #show({ request, subject, server }: PendingCall, approved: Approved, cancel: () => void): void {
    this.#ports.board.started({
      callId: subject.callId,
      ...(approved.promptId === undefined ? {} : { promptId: approved.promptId }),
      serverId: server.id,
      toolName: subject.tool,
      caller: request.caller,
      arguments: approved.arguments,
      edited: approved.edited,
      cancel,
    });
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
    return {
      callId: subject.callId,
      outcome: { kind: 'refused' },
      parts: [{ kind: 'text', text: message }],
    };
  }

  /** Whether the tool and the server are, this very moment, those that were decided on. */
  #stillStands(callable: CallableTool, server: CallServer): boolean {
    const entry = this.#ports.catalogue.find(callable.entry.serverId, callable.entry.toolName);
    const now = this.#ports.servers.get(server.id);
    return (
      entry?.fingerprint === callable.entry.fingerprint &&
      entry.state.kind === 'usable' &&
      now?.launchFingerprint === server.launchFingerprint
    );
  }

  async #send(call: PendingCall, approved: Approved): Promise<CallReport> {
    const { request, subject, callable, server } = call;
    const { audit, board, clock, memory, running, timeouts, traces } = this.#ports;
    const { callId } = subject;
    const cancel = new AbortController();
    const { signal } = cancel;
    // By hand: `AbortSignal.any` costs more than all else that a call needs a signal for.
    const byCaller = (): void => cancel.abort(request.signal?.reason);
    if (request.signal?.aborted === true) byCaller();
    request.signal?.addEventListener('abort', byCaller, { once: true });
    this.#show(call, approved, () => cancel.abort());
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
      if (!this.#stillStands(callable, server)) {
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
      return await this.#complete(call, approved, await answer, clock.monotonic() - start);
    } catch (error) {
      return this.#fail(subject, error, request.signal?.aborted === true, clock.monotonic() - start);
    } finally {
      request.signal?.removeEventListener('abort', byCaller);
      running.end(callId);
    }
  }

  async #complete(
    { request, subject, callable, server }: PendingCall,
    approved: Approved,
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

  #fail(subject: CallSubject, error: unknown, byCaller: boolean, durationMs: number): CallReport {
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

/** A model may know some arguments under other names than the tool's own. */
function originalArguments({ target, arguments: given }: CallRequest, { entry }: CallableTool): unknown {
  return target.kind === 'modelName' && isJsonObject(given) ? entry.originalArguments(given) : given;
}

function withheldReport(
  callId: string,
  { by, reason }: ReviewVerdict & { readonly kind: 'withheld' },
): CallReport {
  const why = reason === undefined ? '.' : `: ${reason}`;
  const what = by === 'person' ? 'the user withheld its result' : 'its result was not released by the user';
  const text = `The call was made, but ${what}${why}`;
  return { callId, outcome: { kind: 'withheld' }, parts: [{ kind: 'text', text }] };
}

function cancelledReport(callId: string): CallReport {
  return {
    callId,
    outcome: { kind: 'cancelled' },
    parts: [{ kind: 'text', text: 'The call was cancelled.' }],
  };
}

function failedReport(callId: string, error: unknown): CallReport {
  const known =
    error instanceof RpcError || error instanceof HostError
      ? error
      : new HostError('protocolViolation', errorMessage(error), { cause: error });
  return { callId, outcome: { kind: 'failed', error: known }, parts: failureForModel(known).parts };
}
