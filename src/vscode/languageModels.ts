import * as vscode from 'vscode';
import { delay } from '../base/abort.ts';
import { systemClock } from '../base/clock.ts';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { HostError } from '../base/errors.ts';
import { Emitter, type Event } from '../base/event.ts';
import { type JsonObject, isJsonObject } from '../base/json.ts';
import { readSampledAnswer, type SampledPart, sampledLimits } from '../calls/sampledAnswer.ts';
import type { SamplingModel, SamplingModels } from '../calls/samplingModels.ts';
import { canPassData } from './modelParts.ts';
import { samplingMessages, samplingOptions, samplingTools } from './samplingMessages.ts';

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
      ...abilities(model),
    }));
  }

  async ask(modelId: string, params: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    const model = this.#known.find(({ vendor, id }) => `${vendor}/${id}` === modelId);
    if (model === undefined) throw new HostError('closed', 'The model is no longer there.');
    const cancel = new vscode.CancellationTokenSource();
    const onAbort = (): void => cancel.cancel();
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      const response = await model.sendRequest(
        samplingMessages(params),
        {
          justification: 'Answers a question of an MCP server that you have allowed.',
          ...samplingTools(params),
          ...samplingOptions(params),
        },
        cancel.token,
      );
      const limits = {
        ...sampledLimits(params),
        // A count that fails limits nothing: the answer is there, and a person looks at it.
        countTokens: async (text: string) => model.countTokens(text, cancel.token).then(undefined, () => 0),
      };
      return await readSampledAnswer(sampledParts(response.stream, signal), limits, model.id);
    } finally {
      // An answer that was cut has to end at its source too.
      cancel.cancel();
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

/** What the editor knows of a model beyond its types: those of the proposed API, absent in older editors. */
function abilities(model: vscode.LanguageModelChat): Pick<SamplingModel, 'takesImages' | 'takesTools'> {
  const found: unknown = Reflect.get(model, 'capabilities');
  const able = typeof found === 'object' && found !== null ? found : {};
  const { supportsImageToText: images, supportsToolCalling: tools } = able as Record<string, unknown>;
  return {
    ...(typeof images === 'boolean' ? { takesImages: images } : {}),
    ...(canPassData() ? {} : { takesImages: false }),
    ...(typeof tools === 'boolean' ? { takesTools: tools } : {}),
  };
}

async function* sampledParts(
  stream: AsyncIterable<unknown>,
  signal: AbortSignal,
): AsyncGenerator<SampledPart> {
  for await (const part of stream) {
    // A model need not heed that nobody listens any more.
    if (signal.aborted) return;
    if (part instanceof vscode.LanguageModelTextPart) yield { kind: 'text', text: part.value };
    else if (part instanceof vscode.LanguageModelToolCallPart) {
      const input: unknown = part.input;
      yield { kind: 'toolUse', id: part.callId, name: part.name, input: isJsonObject(input) ? input : {} };
    }
  }
}
