import * as vscode from 'vscode';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import { canRequireTool, temperatureOf, toolModeOf } from '../prompts/samplingWishes.ts';
import { toLanguageModelParts } from './modelParts.ts';

/** The messages of `sampling/createMessage` for the editor's models, which know no system role. */
export function samplingMessages(params: JsonObject): vscode.LanguageModelChatMessage[] {
  const { messages, systemPrompt } = params;
  const list: readonly JsonValue[] = Array.isArray(messages) ? messages : [];
  const lead =
    typeof systemPrompt === 'string' && systemPrompt !== ''
      ? [vscode.LanguageModelChatMessage.User(systemPrompt)]
      : [];
  return [...lead, ...list.flatMap((message) => toMessage(message))];
}

/** The tools that the server lends to the model, and how it may use them. */
export function samplingTools(
  params: JsonObject,
): Pick<vscode.LanguageModelChatRequestOptions, 'tools' | 'toolMode'> {
  const tools = toolModeOf(params) === 'none' ? [] : toolsIn(params);
  if (tools.length === 0) return {};
  return canRequireTool(params) ? { tools, toolMode: vscode.LanguageModelChatToolMode.Required } : { tools };
}

/**
 * What models know by the same name nearly everywhere; one that does not know it leaves it out. Where an answer ends
 * is held by the reader of it, who then also knows why it ended.
 */
export function samplingOptions(
  params: JsonObject,
): Pick<vscode.LanguageModelChatRequestOptions, 'modelOptions'> {
  const temperature = temperatureOf(params);
  return temperature === undefined ? {} : { modelOptions: { temperature } };
}

function toolsIn(params: JsonObject): vscode.LanguageModelChatTool[] {
  const tools: readonly JsonValue[] = Array.isArray(params['tools']) ? params['tools'] : [];
  return tools.flatMap((tool) => {
    if (!isJsonObject(tool) || typeof tool['name'] !== 'string') return [];
    const { name, description, inputSchema } = tool;
    return [
      {
        name,
        description: typeof description === 'string' ? description : name,
        ...(isJsonObject(inputSchema) ? { inputSchema } : {}),
      },
    ];
  });
}

function toMessage(message: JsonValue): vscode.LanguageModelChatMessage[] {
  if (!isJsonObject(message)) return [];
  const { role, content } = message;
  const blocks: readonly JsonValue[] = Array.isArray(content) ? content : [content ?? null];
  const parts = blocks.flatMap((block) => toPart(block));
  if (role === 'assistant') {
    // Pictures are parts that the oldest editor's types do not name.
    return [vscode.LanguageModelChatMessage.Assistant(parts as vscode.LanguageModelTextPart[])];
  }
  return [
    vscode.LanguageModelChatMessage.User(
      parts as (vscode.LanguageModelTextPart | vscode.LanguageModelToolResultPart)[],
    ),
  ];
}

function toPart(block: JsonValue): object[] {
  if (!isJsonObject(block)) return [];
  const { type, text, data, mimeType, id, name, input, toolUseId, content } = block;
  if (type === 'text' && typeof text === 'string') return [new vscode.LanguageModelTextPart(text)];
  if (type === 'image' && typeof data === 'string' && typeof mimeType === 'string') {
    return toLanguageModelParts([{ kind: 'data', mimeType, data: Buffer.from(data, 'base64') }]);
  }
  if (type === 'tool_use' && typeof id === 'string' && typeof name === 'string' && isJsonObject(input)) {
    return [new vscode.LanguageModelToolCallPart(id, name, input)];
  }
  if (type === 'tool_result' && typeof toolUseId === 'string') {
    const blocks: readonly JsonValue[] = Array.isArray(content) ? content : [];
    return [
      new vscode.LanguageModelToolResultPart(
        toolUseId,
        blocks.flatMap((inner) => toPart(inner)),
      ),
    ];
  }
  return [new vscode.LanguageModelTextPart(JSON.stringify(block))];
}
