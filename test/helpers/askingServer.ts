import path from 'node:path';
import type { JsonObject } from '../../src/base/json.ts';

const program = path.resolve(import.meta.dirname, '../fixtures/askingServer.mjs');

/** The entry for `countersign.servers` of a server process that asks for whatever its tool `ask` is told to ask for. */
export function askingServer(era: 'legacy' | 'modern'): JsonObject {
  return { type: 'stdio', command: process.execPath, args: [program, era] };
}

/** One form, as `ask` takes it. */
export function formQuestion(message: string, requestedSchema?: JsonObject): JsonObject {
  const schema = requestedSchema ?? { type: 'object', properties: { name: { type: 'string' } } };
  return { method: 'elicitation/create', params: { mode: 'form', message, requestedSchema: schema } };
}

/** One link, as `ask` takes it. */
export function linkQuestion(url: string): JsonObject {
  return {
    method: 'elicitation/create',
    params: { mode: 'url', message: 'Go there.', url, elicitationId: 'e' },
  };
}

/** One question for a model, as `ask` takes it. */
export function modelQuestion(text: string, more: JsonObject = {}): JsonObject {
  const messages = [{ role: 'user', content: { type: 'text', text } }];
  return { method: 'sampling/createMessage', params: { messages, maxTokens: 50, ...more } };
}
