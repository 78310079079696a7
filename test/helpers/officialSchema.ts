import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { isJsonObject, type JsonObject } from '../../src/base/json.ts';
import type { Era } from '../../src/protocol/model.ts';
import type { JsonRpcMessage } from '../../src/transport/transport.ts';

/*
 * Holds what we send against the protocol's own JSON Schemas, copied into fixtures/mcp-schema. Revisions
 * before 2025-11-25 have none here that differs in what a client sends.
 */

class OfficialSchema {
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });
  readonly #definitions: JsonObject;

  constructor(revision: string) {
    const file = new URL(`../fixtures/mcp-schema/${revision}.json`, import.meta.url);
    const schema: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (!isJsonObject(schema) || !isJsonObject(schema['$defs']))
      throw new Error(`No definitions: ${file.href}`);
    addFormats.default(this.#ajv);
    this.#definitions = schema['$defs'];
    this.#ajv.addSchema({ ...schema, $id: 'mcp' });
  }

  /** Problems of a value under a definition; empty when it conforms. */
  problems(definition: string, value: unknown): readonly string[] {
    const validate: ValidateFunction | undefined = this.#ajv.getSchema(`mcp#/$defs/${definition}`);
    if (validate === undefined) return [`There is no definition "${definition}".`];
    validate(value);
    return (validate.errors ?? []).map(
      (error) => `${definition}${error.instancePath} ${error.message ?? ''}`,
    );
  }

  /** Name of the definition whose `method` is this one. */
  definitionOf(method: string, ending: 'Request' | 'Notification'): string | undefined {
    return Object.keys(this.#definitions).find((name) => {
      const definition = this.#definitions[name];
      const properties = isJsonObject(definition) ? definition['properties'] : undefined;
      const constant = isJsonObject(properties) ? properties['method'] : undefined;
      return name.endsWith(ending) && isJsonObject(constant) && constant['const'] === method;
    });
  }
}

let schemas: Readonly<Record<Era, OfficialSchema>> | undefined;

/** What is wrong with a message of ours by the schema of its era; empty when nothing is. */
export function messageProblems(message: JsonRpcMessage, era: Era): readonly string[] {
  schemas ??= { modern: new OfficialSchema('2026-07-28'), legacy: new OfficialSchema('2025-11-25') };
  const schema = schemas[era];
  // Through JSON, because that is what goes over the wire.
  const wire: unknown = JSON.parse(JSON.stringify(message));
  if ('method' in message) {
    const ending = 'id' in message ? 'Request' : 'Notification';
    const definition = schema.definitionOf(message.method, ending);
    if (definition === undefined) return [`${ending} "${message.method}" does not exist in the ${era} era.`];
    const side = ending === 'Request' ? 'ClientRequest' : 'ClientNotification';
    const problems = schema.problems(definition, wire);
    return problems.length > 0 ? problems : schema.problems(side, wire);
  }
  if (era === 'modern') return ['Clients of the modern era send no responses.'];
  if ('error' in message) return schema.problems('JSONRPCErrorResponse', wire);
  const { result } = message;
  const kind =
    'action' in result
      ? 'ElicitResult'
      : 'roots' in result
        ? 'ListRootsResult'
        : 'role' in result
          ? 'CreateMessageResult'
          : 'EmptyResult';
  return [...schema.problems('JSONRPCResultResponse', wire), ...schema.problems(kind, result)];
}

/** The era of a message of ours, from what it says itself; `settled` decides for the rest. */
export function eraOfMessage(message: JsonRpcMessage, settled: Era | undefined): Era {
  if ('method' in message && message.method === 'server/discover') return 'modern';
  if ('method' in message && message.method === 'initialize') return 'legacy';
  return settled ?? 'legacy';
}
