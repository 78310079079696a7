/** A value that JSON can carry. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

/** A JSON object. Values may be absent because foreign objects never promise a key. */
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined;
}

/** True for objects that are neither null nor arrays; says nothing about what is inside. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
