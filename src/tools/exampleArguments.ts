import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';

const maximumDepth = 4;

/** Arguments to begin with when a person runs a tool by hand: the required ones, with defaults or empty values. */
export function exampleArguments(inputSchema: JsonObject): JsonObject {
  const value = exampleOf(inputSchema, 0);
  return isJsonObject(value) ? value : {};
}

function exampleOf(schema: JsonValue | undefined, depth: number): JsonValue {
  if (!isJsonObject(schema)) return null;
  if (schema['default'] !== undefined) return schema['default'];
  if (schema['const'] !== undefined) return schema['const'];
  const examples = schema['examples'];
  if (Array.isArray(examples) && examples[0] !== undefined) return examples[0] as JsonValue;
  const choices = schema['enum'];
  if (Array.isArray(choices)) {
    const first: JsonValue | undefined = choices[0];
    return first ?? null;
  }
  const type: unknown = Array.isArray(schema['type']) ? schema['type'][0] : schema['type'];
  switch (type) {
    case 'string':
      return '';
    case 'number':
    case 'integer':
      return typeof schema['minimum'] === 'number' ? schema['minimum'] : 0;
    case 'boolean':
      return false;
    case 'array':
      return [];
    case 'null':
      return null;
    default:
      return depth >= maximumDepth ? {} : exampleObject(schema, depth);
  }
}

function exampleObject(schema: JsonObject, depth: number): JsonObject {
  const { properties, required } = schema;
  if (!isJsonObject(properties) || !Array.isArray(required)) return {};
  const names = required.filter(
    (name): name is string => typeof name === 'string' && Object.hasOwn(properties, name),
  );
  return Object.fromEntries(names.map((name) => [name, exampleOf(properties[name], depth + 1)]));
}
