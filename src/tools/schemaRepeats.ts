import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import { type MutableJsonObject, setOwn } from './jsonCopy.ts';
import { jsonKey } from './jsonKey.ts';

/** Lists in which saying something twice says nothing more, though the dialects' own schemas forbid it. */
const LISTS = new Set(['required', 'type', 'enum']);
/** Values, not schemas. */
const VALUES = new Set(['enum', 'const', 'default', 'examples']);

/**
 * The schema with nothing twice in its lists of names, types and values, and without empty lists of names, which draft-04
 * forbids; the very schema if that changes nothing. For looking at it: values are checked against the schema as it is.
 */
export function withoutRepeats(schema: JsonObject): JsonObject {
  let changed = false;
  const copy = copyObject(schema);
  return changed ? copy : schema;

  function copyObject(source: JsonObject): JsonObject {
    const result: MutableJsonObject = {};
    for (const [key, value] of Object.entries(source)) {
      if (value === undefined) continue;
      const list = LISTS.has(key) && isList(value) ? once(value) : undefined;
      if (key === 'required' && list?.length === 0) changed = true;
      else setOwn(result, key, list ?? (VALUES.has(key) ? value : copyValue(value)));
    }
    return result;
  }

  function copyValue(value: JsonValue): JsonValue {
    if (isList(value)) return value.map(copyValue);
    return isJsonObject(value) ? copyObject(value) : value;
  }

  function once(list: readonly JsonValue[]): readonly JsonValue[] {
    const found = [...new Map(list.map((item) => [jsonKey(item), item])).values()];
    if (found.length < list.length) changed = true;
    return found;
  }
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
