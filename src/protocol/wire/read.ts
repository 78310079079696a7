import { isJsonObject, type JsonObject } from '../../base/json.ts';

/*
 * Readers of optional members. A member of the wrong type counts as absent: a server that gets a title
 * wrong keeps its tool.
 */

export function readText(holder: JsonObject, key: string): string | undefined {
  const value = holder[key];
  return typeof value === 'string' ? value : undefined;
}

export function readFlag(holder: JsonObject, key: string): boolean | undefined {
  const value = holder[key];
  return typeof value === 'boolean' ? value : undefined;
}

/** JSON can write numbers that no double holds, such as `1e999`; they count as wrong. */
export function readNumber(holder: JsonObject, key: string): number | undefined {
  const value = holder[key];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

export function readObject(holder: JsonObject, key: string): JsonObject | undefined {
  const value = holder[key];
  return isJsonObject(value) ? value : undefined;
}

/** The texts in a list; `undefined` when the member is no list. */
export function readTexts(holder: JsonObject, key: string): readonly string[] | undefined {
  const value = holder[key];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : undefined;
}
