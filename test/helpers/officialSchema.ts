import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { isJsonObject, type JsonObject } from '../../src/base/json.ts';
import type { Era } from '../../src/protocol/model.ts';
import type { JsonRpcMessage } from '../../src/transport/transport.ts';

/*
 * Holds what we send against the protocol's own JSON Schemas, copied into fixtures/mcp-schema, one for each
 * revision.
 */

class OfficialSchema {
  readonly #ajv: Ajv | Ajv2020;
  readonly #definitions: JsonObject;
  readonly #place: string;

  constructor(revision: string) {
    const file = new URL(`../fixtures/mcp-schema/${revision}.json`, import.meta.url);
    const schema: unknown = JSON.parse(readFileSync(file, 'utf8'));
    // Schemas before 2025-11-25 are written in draft-07.
    this.#place = isJsonObject(schema) && '$defs' in schema ? '$defs' : 'definitions';
    const options = { strict: false, allErrors: true };
    this.#ajv = this.#place === '$defs' ? new Ajv2020(options) : new Ajv(options);
    const definitions = isJsonObject(schema) ? schema[this.#place] : undefined;
    if (!isJsonObject(schema) || !isJsonObject(definitions)) throw new Error(`No definitions: ${file.href}`);
    addFormats.default(this.#ajv);
    this.#definitions = definitions;
    this.#ajv.addSchema({ ...schema, $id: 'mcp' });
  }

  /** Problems of a value under a definition; empty when it conforms. */
  problems(definition: string, value: unknown): readonly string[] {
    const validate: ValidateFunction | undefined = this.#ajv.getSchema(`mcp#/${this.#place}/${definition}`);
    if (validate === undefined) return [`There is no definition "${definition}".`];
    validate(value);
    return (validate.errors ?? []).map(
      (error) => `${definition}${error.instancePath} ${error.message ?? ''}`,
    );
  }

  /** The first of these definitions that exists: 2025-11-25 renamed some. */
  nameOf(...names: readonly string[]): string {
    return names.find((name) => name in this.#definitions) ?? '';
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

const schemas = new Map<string, OfficialSchema>();

function schemaOf(revision: string): OfficialSchema {
  const known = schemas.get(revision) ?? new OfficialSchema(revision);
  schemas.set(revision, known);
  return known;
}

/** The newest revision of an era: what a handshake begins with. */
const newest: Readonly<Record<Era, string>> = { modern: '2026-07-28', legacy: '2025-11-25' };

/**
 * What is wrong with a message of ours by the schema of its revision (by default the newest of the era); empty
 * when nothing is.
 */
export function messageProblems(
  message: JsonRpcMessage,
  era: Era,
  revision: string = newest[era],
): readonly string[] {
  const schema = schemaOf(revision);
  // Through JSON, because that is what goes over the wire.
  const wire: unknown = JSON.parse(JSON.stringify(message));
  if ('method' in message) {
    const ending = 'id' in message ? 'Request' : 'Notification';
    const definition = schema.definitionOf(message.method, ending);
    if (definition === undefined) return [`${ending} "${message.method}" does not exist in ${revision}.`];
    const side = ending === 'Request' ? 'ClientRequest' : 'ClientNotification';
    const problems = schema.problems(definition, wire);
    return problems.length > 0 ? problems : schema.problems(side, wire);
  }
  if (era === 'modern') return ['Clients of the modern era send no responses.'];
  if ('error' in message) return schema.problems(schema.nameOf('JSONRPCErrorResponse', 'JSONRPCError'), wire);
  const { result } = message;
  const kind =
    'action' in result
      ? 'ElicitResult'
      : 'roots' in result
        ? 'ListRootsResult'
        : 'role' in result
          ? 'CreateMessageResult'
          : 'EmptyResult';
  const response = schema.nameOf('JSONRPCResultResponse', 'JSONRPCResponse');
  return [...schema.problems(response, wire), ...schema.problems(kind, result)];
}

/** The era of a message of ours, from what it says itself; `settled` decides for the rest. */
export function eraOfMessage(message: JsonRpcMessage, settled: Era | undefined): Era {
  if ('method' in message && message.method === 'server/discover') return 'modern';
  if ('method' in message && message.method === 'initialize') return 'legacy';
  return settled ?? 'legacy';
}
