import { type JsonObject, type JsonValue, isJsonObject } from '../base/json.ts';
import type { SamplingCard, SamplingMessageView, SamplingPart } from '../shared/inputCards.ts';

/** What a person has changed in the text of one part of one message. */
export interface SamplingEdit {
  readonly message: number;
  readonly part: number;
  readonly text: string;
}

export type SamplingView = Pick<
  SamplingCard,
  'systemPrompt' | 'messages' | 'maxTokens' | 'tools' | 'toolText' | 'wishes'
>;

/**
 * The parameters of `sampling/createMessage` as a person reads them, or what is wrong with them
 * (specification: client/sampling, "Data Types").
 */
export function samplingView(
  params: JsonObject,
):
  | { readonly kind: 'view'; readonly view: SamplingView }
  | { readonly kind: 'malformed'; readonly reason: string } {
  const { messages, maxTokens, systemPrompt, tools } = params;
  if (!Array.isArray(messages) || messages.length === 0) return malformed('It has no messages.');
  if (typeof maxTokens !== 'number' || !(maxTokens > 0))
    return malformed('It does not say how long the answer may be.');
  const views: SamplingMessageView[] = [];
  for (const message of messages as readonly JsonValue[]) {
    const view = messageView(message);
    if (view === undefined) return malformed('One of its messages is not a message.');
    views.push(view);
  }
  const fault = toolFault(messages as readonly JsonValue[]);
  if (fault !== undefined) return malformed(fault);
  const named = listIn(tools).map((tool) => nameOf(tool));
  return {
    kind: 'view',
    view: {
      ...(typeof systemPrompt === 'string' && systemPrompt !== '' ? { systemPrompt } : {}),
      messages: views,
      maxTokens,
      tools: named,
      ...(named.length === 0 ? {} : { toolText: JSON.stringify(tools, undefined, 2) }),
      wishes: wishesOf(params),
    },
  };
}

/** What a model has to be able to do for this request. */
export function samplingNeeds(params: JsonObject): { readonly images: boolean; readonly tools: boolean } {
  const blocks = listIn(params['messages']).flatMap((message) =>
    isJsonObject(message) ? contentOf(message['content']) : [],
  );
  const inner = blocks.flatMap((block) => (isJsonObject(block) ? listIn(block['content']) : []));
  return {
    images: [...blocks, ...inner].some((block) => typeOf(block) === 'image'),
    tools: listIn(params['tools']).length > 0 && toolModeOf(params) !== 'none',
  };
}

/** How the model may use the tools that the server lends it (specification: client/sampling, "Tool Choice Modes"). */
export function toolModeOf(params: JsonObject): 'auto' | 'required' | 'none' {
  const { toolChoice } = params;
  const mode = isJsonObject(toolChoice) ? toolChoice['mode'] : undefined;
  return mode === 'required' || mode === 'none' ? mode : 'auto';
}

/** The parameters with the person's changes. Only texts that were shown can be changed. */
export function editedSampling(
  params: JsonObject,
  systemPrompt: string | undefined,
  edits: readonly SamplingEdit[],
): JsonObject {
  const messages: readonly JsonValue[] = Array.isArray(params['messages']) ? params['messages'] : [];
  const edited = messages.map((message, place) => {
    const mine = edits.filter((edit) => edit.message === place);
    if (mine.length === 0 || !isJsonObject(message)) return message;
    const { content } = message;
    const parts: readonly JsonValue[] = Array.isArray(content) ? content : [content ?? null];
    const changed = parts.map((part, index) => {
      const edit = mine.find((candidate) => candidate.part === index);
      return edit === undefined || !isTextPart(part) ? part : { ...part, text: edit.text };
    });
    return { ...message, content: Array.isArray(content) ? changed : (changed[0] ?? null) };
  });
  return { ...params, messages: edited, ...(systemPrompt === undefined ? {} : { systemPrompt }) };
}

/** What is wrong with uses of tools and their results (specification: client/sampling, "Message Content Constraints"). */
function toolFault(messages: readonly JsonValue[]): string | undefined {
  let open = new Set<JsonValue>();
  for (const message of messages) {
    const blocks = isJsonObject(message) ? contentOf(message['content']) : [];
    const results = blocks.filter((block) => typeOf(block) === 'tool_result');
    if (results.length > 0 && results.length < blocks.length)
      return 'Results of tools are mixed with other content.';
    const answered = new Set(results.map((block) => (isJsonObject(block) ? block['toolUseId'] : undefined)));
    if (answered.size !== open.size || Array.from(open).some((id) => !answered.has(id)))
      return 'A use of a tool and its result do not belong together.';
    open = new Set(
      blocks.flatMap((block) =>
        isJsonObject(block) && block['type'] === 'tool_use' ? [block['id'] ?? null] : [],
      ),
    );
  }
  return open.size > 0 ? 'Tool result missing in request.' : undefined;
}

function listIn(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function contentOf(content: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(content) ? content : [content ?? null];
}

function typeOf(block: JsonValue): JsonValue | undefined {
  return isJsonObject(block) ? block['type'] : undefined;
}

function messageView(message: JsonValue): SamplingMessageView | undefined {
  if (!isJsonObject(message)) return undefined;
  const { role, content } = message;
  if ((role !== 'user' && role !== 'assistant') || content === undefined) return undefined;
  const parts: readonly JsonValue[] = Array.isArray(content) ? content : [content];
  return { role, parts: parts.map(partView) };
}

function partView(part: JsonValue): SamplingPart {
  if (isTextPart(part)) return { kind: 'text', text: part.text };
  if (!isJsonObject(part)) return { kind: 'other', label: 'Unreadable part', text: JSON.stringify(part) };
  const { type, data, mimeType } = part;
  if (type === 'image' && typeof data === 'string' && typeof mimeType === 'string') {
    return { kind: 'image', mimeType, data };
  }
  if (type === 'audio' && typeof data === 'string') {
    return { kind: 'other', label: `Audio, ${Math.ceil((data.length * 3) / 4)} bytes` };
  }
  const label =
    type === 'tool_use'
      ? `Use of the tool ${nameOf(part)}`
      : type === 'tool_result'
        ? 'Result of a tool'
        : `Part of type ${JSON.stringify(type ?? null)}`;
  return { kind: 'other', label, text: JSON.stringify(part, undefined, 2) };
}

function isTextPart(part: JsonValue | undefined): part is JsonObject & { readonly text: string } {
  return isJsonObject(part) && part['type'] === 'text' && typeof part['text'] === 'string';
}

function wishesOf(params: JsonObject): readonly string[] {
  const { temperature, stopSequences, includeContext, modelPreferences, toolChoice } = params;
  const wishes: string[] = [];
  const preferences = isJsonObject(modelPreferences) ? modelPreferences : {};
  const hints = Array.isArray(preferences['hints'])
    ? preferences['hints'].map((hint: JsonValue) => nameOf(hint))
    : [];
  if (hints.length > 0) wishes.push(`Models: ${hints.join(', ')}`);
  for (const [key, words] of priorities) {
    const weight = preferences[key];
    if (typeof weight === 'number') wishes.push(`${words}: ${weight} of 1`);
  }
  if (typeof temperature === 'number') wishes.push(`Temperature: ${temperature} (not passed on)`);
  if (Array.isArray(stopSequences) && stopSequences.length > 0) {
    wishes.push(`Stop at: ${stopSequences.map((text: JsonValue) => JSON.stringify(text)).join(', ')}`);
  }
  if (typeof includeContext === 'string' && includeContext !== 'none') {
    wishes.push(`Context of other calls (${includeContext}): not given`);
  }
  const mode = isJsonObject(toolChoice) ? toolChoice['mode'] : undefined;
  if (typeof mode === 'string') wishes.push(`Use of tools: ${mode}`);
  return wishes;
}

const priorities = [
  ['costPriority', 'Low cost'],
  ['speedPriority', 'Speed'],
  ['intelligencePriority', 'Capability'],
] as const;

function nameOf(value: JsonValue): string {
  return isJsonObject(value) && typeof value['name'] === 'string' ? value['name'] : '(no name)';
}

function malformed(reason: string): { readonly kind: 'malformed'; readonly reason: string } {
  return { kind: 'malformed', reason };
}
