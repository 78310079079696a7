import { isJsonObject, type JsonObject } from '../../../src/base/json.ts';
import type { Tool } from '../../../src/protocol/model.ts';
import type { EnabledStore } from '../../../src/tools/catalogue.ts';

/** A tool as the codec makes it from a definition. */
export function toolFrom(definition: JsonObject): Tool {
  const { name, title, description, inputSchema, outputSchema } = definition;
  return {
    name: typeof name === 'string' ? name : '',
    ...(typeof title === 'string' ? { title } : {}),
    ...(typeof description === 'string' ? { description } : {}),
    inputSchema: isJsonObject(inputSchema) ? inputSchema : { type: 'object' },
    ...(isJsonObject(outputSchema) ? { outputSchema } : {}),
    definition,
  };
}

/** A tool with nothing but a name, and whatever else is given. */
export function makeTool(name: string, rest: JsonObject = {}): Tool {
  return toolFrom({ name, inputSchema: { type: 'object' }, ...rest });
}

/** Choices that last as long as the test. */
export function memoryStore(): EnabledStore {
  const choices = new Map<string, boolean>();
  const key = (serverId: string, toolName: string): string => JSON.stringify([serverId, toolName]);
  return {
    get: (serverId, toolName) => choices.get(key(serverId, toolName)),
    set: (serverId, toolName, enabled) => void choices.set(key(serverId, toolName), enabled),
  };
}
