import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { CallReport } from '../calls/callTypes.ts';
import type { ModelToolbox } from '../calls/modelToolbox.ts';
import { systemClock } from '../base/clock.ts';
import { errorMessage } from '../base/errors.ts';
import { historyMessages } from './chatHistory.ts';
import { toLanguageModelParts } from './modelParts.ts';
import { RoundProgress } from './roundProgress.ts';
import { oneLine } from './treeText.ts';

export interface ChatParticipantOptions {
  readonly toolbox: ModelToolbox;
  /** Resolves once the servers that are starting have settled. */
  readonly settled: (signal: AbortSignal) => Promise<void>;
  readonly log: (text: string) => void;
}

/** A turn that asks the model more often than this is stopped and says so. */
const maximumRounds = 50;

const noModel =
  'No language model is available. Install an extension that brings one (for example GitHub Copilot), choose it in the model picker below, and ask again. Your tools work without a model too: use **Run Tool** in the *Servers & Tools* view.';

/** `@countersign`: lets the model of the chat use the servers' tools, each call by the one road. */
export function createChatHandler(options: ChatParticipantOptions): vscode.ChatRequestHandler {
  return async (request, context, stream, token) => {
    const abort = new AbortController();
    const subscription = token.onCancellationRequested(() => abort.abort());
    try {
      return await runTurn(options, request, context, stream, { token, signal: abort.signal });
    } catch (error) {
      if (token.isCancellationRequested) return {};
      const problem = describeModelProblem(error);
      if (problem === undefined) throw error;
      options.log(errorMessage(error));
      stream.markdown(problem);
      return { errorDetails: { message: problem } };
    } finally {
      subscription.dispose();
    }
  };
}

interface Cancellation {
  readonly token: vscode.CancellationToken;
  readonly signal: AbortSignal;
}

async function runTurn(
  options: ChatParticipantOptions,
  request: vscode.ChatRequest,
  context: vscode.ChatContext,
  stream: vscode.ChatResponseStream,
  cancellation: Cancellation,
): Promise<vscode.ChatResult> {
  const { model } = request;
  // The type promises a model; without any model extension the editor passes none.
  if ((model as vscode.LanguageModelChat | undefined) === undefined) {
    stream.markdown(noModel);
    return {};
  }
  const turn = randomUUID();
  const messages = [...historyMessages(context), vscode.LanguageModelChatMessage.User(request.prompt)];
  for (let round = 0; round < maximumRounds; round++) {
    // Asked anew each round: a call may have changed what a server offers.
    await options.settled(cancellation.signal);
    const tools = await options.toolbox.offered();
    const response = await model.sendRequest(
      messages,
      { tools: [...tools], justification: 'Answers you and calls the tools of your MCP servers.' },
      cancellation.token,
    );
    const { parts, calls } = await readResponse(response, stream);
    if (calls.length === 0 || cancellation.token.isCancellationRequested) return {};
    messages.push(vscode.LanguageModelChatMessage.Assistant([...parts, ...calls]));
    const progress = new RoundProgress((text) => stream.progress(plain(text)), systemClock);
    const reports = await Promise.all(
      calls.map((call) =>
        runCall(options, call, { label: model.name, turn }, { stream, round: progress }, cancellation),
      ),
    );
    messages.push(
      vscode.LanguageModelChatMessage.User(
        reports.map(
          (report, index) =>
            new vscode.LanguageModelToolResultPart(
              calls[index]?.callId ?? '',
              toLanguageModelParts(report.parts),
            ),
        ),
      ),
    );
    if (reports.some((report) => report.outcome.kind === 'denied' && report.outcome.stopTurn)) {
      stream.markdown('\n\nStopped, because you stopped the turn.');
      return {};
    }
  }
  stream.markdown(
    `\n\nStopped: the model asked for tools ${maximumRounds} times in a row without an answer.`,
  );
  return {};
}

async function readResponse(
  response: vscode.LanguageModelChatResponse,
  stream: vscode.ChatResponseStream,
): Promise<{ parts: vscode.LanguageModelTextPart[]; calls: vscode.LanguageModelToolCallPart[] }> {
  const parts: vscode.LanguageModelTextPart[] = [];
  const calls: vscode.LanguageModelToolCallPart[] = [];
  for await (const part of response.stream) {
    if (part instanceof vscode.LanguageModelTextPart) {
      parts.push(part);
      stream.markdown(part.value);
    } else if (part instanceof vscode.LanguageModelToolCallPart) {
      calls.push(part);
    }
  }
  return { parts, calls };
}

async function runCall(
  options: ChatParticipantOptions,
  call: vscode.LanguageModelToolCallPart,
  who: { readonly label: string; readonly turn: string },
  { stream, round }: { readonly stream: vscode.ChatResponseStream; readonly round: RoundProgress },
  cancellation: Cancellation,
): Promise<CallReport> {
  const told = round.begin(call.name);
  try {
    return await options.toolbox.invoke({
      caller: { kind: 'chat', label: who.label, turn: who.turn },
      name: call.name,
      arguments: call.input,
      signal: cancellation.signal,
      onWaiting: ({ serverId, toolName }) => told.waiting(`${serverId} · ${toolName}`),
      onInput: ({ serverId, toolName }) => told.asked(`${serverId} · ${toolName}`),
      onProgress: ({ message }) => {
        // The server's words, so they stand under its tool's name: nobody takes them for ours.
        if (message !== undefined) stream.progress(plain(`${call.name}: ${message}`));
      },
    });
  } finally {
    told.ended();
  }
}

/** What to tell the person when the model itself cannot be used; `undefined` for any other error. */
function describeModelProblem(error: unknown): string | undefined {
  if (!(error instanceof vscode.LanguageModelError)) return undefined;
  switch (error.code) {
    case vscode.LanguageModelError.NotFound.name:
      return noModel;
    case vscode.LanguageModelError.NoPermissions.name:
      return 'You did not allow Countersign to use this language model. Choose another one in the model picker, or allow it when you are asked.';
    case vscode.LanguageModelError.Blocked.name:
      return `The language model refused the request: ${error.message}`;
    default:
      return `The language model failed: ${error.message}`;
  }
}

/** Text of servers and models for a place that takes Markdown, in which any punctuation may be escaped. */
function plain(text: string): string {
  return oneLine(text).replaceAll(/[!-/:-@[-`{-~]/g, String.raw`\$&`);
}
