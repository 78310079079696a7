import * as vscode from 'vscode';
import { delay } from '../base/abort.ts';
import { systemClock } from '../base/clock.ts';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { HostError } from '../base/errors.ts';
import { Emitter, type Event } from '../base/event.ts';
import type { JsonObject } from '../base/json.ts';
import type { SamplingModel, SamplingModels } from '../calls/samplingModels.ts';
import { samplingMessages, samplingTools } from './samplingMessages.ts';

/** How long to wait for extensions to name their models. Milliseconds. */
const settleMs = 3000;

/** The editor's language models for servers that sample. */
export class LanguageModels implements SamplingModels, Disposable {
  readonly #held = new DisposableStore();
  readonly #changed = this.#held.add(new Emitter<void>());
  /** What is known of the models changed; the first look at them counts. */
  readonly onDidChange: Event<void> = this.#changed.event;
  readonly #settled: Promise<void>;
  #known: readonly vscode.LanguageModelChat[] = [];

  constructor() {
    this.#held.add(vscode.lm.onDidChangeChatModels(() => void this.#refresh()));
    const first = this.#refresh();
    this.#settled = Promise.race([first, delay(systemClock, settleMs)]);
  }

  settled(): Promise<void> {
    return this.#settled;
  }

  get available(): boolean {
    return this.#known.length > 0;
  }

  async list(): Promise<readonly SamplingModel[]> {
    await this.#refresh();
    return this.#known.map((model) => ({
      id: `${model.vendor}/${model.id}`,
      label: model.name,
      names: [model.id, model.name, model.family, model.vendor],
      maxInputTokens: model.maxInputTokens,
    }));
  }

  async ask(modelId: string, params: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    const model = this.#known.find(({ vendor, id }) => `${vendor}/${id}` === modelId);
    if (model === undefined) throw new HostError('closed', 'The model is no longer there.');
    const cancel = new vscode.CancellationTokenSource();
    const onAbort = (): void => cancel.cancel();
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      const tools = samplingTools(params);
      const response = await model.sendRequest(
        samplingMessages(params),
        {
          justification: 'Answers a question of an MCP server that you have allowed.',
          ...(tools.length === 0 ? {} : { tools }),
        },
        cancel.token,
      );
      return await readAnswer(response, model.id);
    } finally {
      signal.removeEventListener('abort', onAbort);
      cancel.dispose();
    }
  }

  dispose(): void {
    this.#held.dispose();
  }

  async #refresh(): Promise<void> {
    try {
      this.#known = await vscode.lm.selectChatModels({});
    } catch {
      // A provider that fails has no models.
      this.#known = [];
    }
    this.#changed.fire();
  }
}

/** A CreateMessageResult (specification: client/sampling). */
async function readAnswer(response: vscode.LanguageModelChatResponse, model: string): Promise<JsonObject> {
  let text = '';
  const calls: JsonObject[] = [];
  for await (const part of response.stream) {
    if (part instanceof vscode.LanguageModelTextPart) text += part.value;
    else if (part instanceof vscode.LanguageModelToolCallPart) {
      calls.push({ type: 'tool_use', id: part.callId, name: part.name, input: part.input as JsonObject });
    }
  }
  const words = { type: 'text', text };
  if (calls.length === 0) return { role: 'assistant', content: words, model, stopReason: 'endTurn' };
  const content = text === '' ? calls : [words, ...calls];
  return { role: 'assistant', content, model, stopReason: 'toolUse' };
}
