import type { JsonObject, JsonValue } from '../base/json.ts';

/** An object under construction. */
export type MutableJsonObject = { [key: string]: JsonValue | undefined };

/** Sets a member as the object's own, also `__proto__`, which plain assignment would take for something else. */
export function setOwn(target: MutableJsonObject, key: string, value: JsonValue): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
  } else target[key] = value;
}

/** A member that the object itself has; never one that it inherits. */
export function own(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
