import { type JsonObject, type JsonValue, isJsonObject } from '../base/json.ts';
import type { SamplingCard, SamplingMessageView, SamplingPart } from '../shared/inputCards.ts';
import { type Picture, pictureFault, pictureIn, withoutData } from './samplingPictures.ts';
import { samplingWishes, toolModeOf } from './samplingWishes.ts';

/** What a person has changed in the text of one part of one message. */
export interface SamplingEdit {
  readonly message: number;
  readonly part: number;
  readonly text: string;
}

export type SamplingView = Pick<
  SamplingCard,
  'systemPrompt' | 'messages' | 'maxTokens' | 'tools' | 'toolText' | 'wishes' | 'notPassedOn'
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
  if (typeof maxTokens !== 'number' || !Number.isFinite(maxTokens) || maxTokens < 1)
    return malformed('It does not say how long the answer may be.');
  const views: SamplingMessageView[] = [];
  for (const message of messages as readonly JsonValue[]) {
    const view = messageView(message);
    if (view === undefined) return malformed('One of its messages is not a message.');
    views.push(view);
  }
  const fault =
    toolFault(messages as readonly JsonValue[]) ??
    lentToolFault(tools) ??
    pictureFault(blocksOf(params).flatMap((block) => pictureIn(block) ?? []));
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
      ...samplingWishes(params),
    },
  };
}

/** What a model has to be able to do for this request. */
export interface SamplingNeeds {
  readonly images: boolean;
  readonly sounds: boolean;
  readonly tools: boolean;
}

export function samplingNeeds(params: JsonObject): SamplingNeeds {
  const blocks = blocksOf(params);
  return {
    images: blocks.some((block) => typeOf(block) === 'image'),
    sounds: blocks.some((block) => typeOf(block) === 'audio'),
    tools: listIn(params['tools']).length > 0 && toolModeOf(params) !== 'none',
  };
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
    const role = isJsonObject(message) ? message['role'] : undefined;
    const isOdd = (block: JsonValue): boolean =>
      typeOf(block) === (role === 'assistant' ? 'tool_result' : 'tool_use');
    if (blocks.some(isOdd))
      return 'Only the assistant uses tools, and only the user answers with their results.';
    // What lies deeper than a person is shown would still reach the model.
    if (results.some((block) => isJsonObject(block) && listIn(block['content']).some(isToolBlock)))
      return 'The result of a tool holds another use or result.';
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

/** All content, also what tools gave. */
function blocksOf(params: JsonObject): readonly JsonValue[] {
  const blocks = listIn(params['messages']).flatMap((message) =>
    isJsonObject(message) ? contentOf(message['content']) : [],
  );
  return [...blocks, ...blocks.flatMap((block) => (isJsonObject(block) ? listIn(block['content']) : []))];
}

/** What is wrong with the tools that the server lends: what cannot be passed on must not look as if it were. */
function lentToolFault(tools: JsonValue | undefined): string | undefined {
  if (tools === undefined) return undefined;
  if (!Array.isArray(tools)) return 'Its tools are not a list.';
  const nameless = tools.some((tool: JsonValue) => !isJsonObject(tool) || typeof tool['name'] !== 'string');
  return nameless ? 'One of its tools has no name.' : undefined;
}

function listIn(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function contentOf(content: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(content) ? content : [content ?? null];
}

function isToolBlock(block: JsonValue): boolean {
  return typeOf(block) === 'tool_use' || typeOf(block) === 'tool_result';
}

function typeOf(block: JsonValue): JsonValue | undefined {
  return isJsonObject(block) ? block['type'] : undefined;
}

function messageView(message: JsonValue): SamplingMessageView | undefined {
  if (!isJsonObject(message)) return undefined;
  const { role, content } = message;
  if ((role !== 'user' && role !== 'assistant') || content === undefined) return undefined;
  const parts: readonly JsonValue[] = Array.isArray(content) ? content : [content];
  // What is no content cannot be passed on, and must not look as if it were.
  return parts.every(isJsonObject) ? { role, parts: parts.map(partView) } : undefined;
}

function partView(part: JsonObject): SamplingPart {
  if (isTextPart(part)) return { kind: 'text', text: part.text };
  const picture = pictureIn(part);
  if (picture !== undefined) return { kind: 'image', ...picture };
  const { type, data } = part;
  if (type === 'audio' && typeof data === 'string') {
    return { kind: 'other', label: `Audio, ${Math.ceil((data.length * 3) / 4)} bytes` };
  }
  if (type === 'tool_result') return toolResultView(part);
  const label =
    type === 'tool_use' ? `Use of the tool ${nameOf(part)}` : `Part of type ${JSON.stringify(type ?? null)}`;
  return { kind: 'other', label, text: JSON.stringify(part, undefined, 2) };
}

/** What a tool gave: pictures as pictures, all else as JSON. */
function toolResultView(part: JsonObject): SamplingPart {
  const content = listIn(part['content']);
  const pictures: readonly Picture[] = content.flatMap((block) => pictureIn(block) ?? []);
  const described = content.map((block) => (isJsonObject(block) ? withoutData(block) : block));
  const text = JSON.stringify(
    Array.isArray(part['content']) ? { ...part, content: described } : part,
    undefined,
    2,
  );
  return { kind: 'other', label: 'Result of a tool', text, ...(pictures.length === 0 ? {} : { pictures }) };
}

function isTextPart(part: JsonValue | undefined): part is JsonObject & { readonly text: string } {
  return isJsonObject(part) && part['type'] === 'text' && typeof part['text'] === 'string';
}

function nameOf(value: JsonValue): string {
  return isJsonObject(value) && typeof value['name'] === 'string' ? value['name'] : '(no name)';
}

function malformed(reason: string): { readonly kind: 'malformed'; readonly reason: string } {
  return { kind: 'malformed', reason };
}
