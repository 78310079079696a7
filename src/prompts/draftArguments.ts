import { type JsonObject, type JsonValue, isJsonObject } from '../base/json.ts';
import { exampleArguments } from '../tools/exampleArguments.ts';
import { editModelOf } from './formModel.ts';

/**
 * Arguments to begin with when a person runs a tool by hand. A form begins with defaults alone, since what is not chosen
 * yet must not look chosen; JSON begins with an example to type over.
 */
export function draftArguments(inputSchema: JsonObject): JsonObject {
  const fallback = defaultsOf(inputSchema);
  return editModelOf(inputSchema, fallback).kind === 'fields' ? fallback : exampleArguments(inputSchema);
}

function defaultsOf({ properties }: JsonObject): JsonObject {
  if (!isJsonObject(properties)) return {};
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, property]): [string, JsonValue][] => {
      const value = isJsonObject(property) ? property['default'] : undefined;
      // Null stands for "none" where a schema has no better way to say so.
      return value === undefined || value === null ? [] : [[name, value]];
    }),
  );
}
