import { type JsonValue, isJsonObject } from '../base/json.ts';

/** One value inside another, or the whole. */
export interface JsonPlace {
  /** JSON Pointer (RFC 6901); `''` is the whole. */
  readonly path: string;
  /** The member's name, for members of objects. */
  readonly key: string | undefined;
  /** As `key`; for items of an array the name of the array. */
  readonly name: string | undefined;
  readonly value: JsonValue;
  /** 0 is the whole. */
  readonly depth: number;
}

/**
 * All values inside a value, itself first, each before what is in it and in the order of the text. Ends after
 * `limit` values; uses no recursion, so that depth cannot exhaust the stack.
 */
export function* walkJson(whole: JsonValue, limit = 100_000): Generator<JsonPlace> {
  const waiting: JsonPlace[] = [{ path: '', key: undefined, name: undefined, value: whole, depth: 0 }];
  for (let seen = 0; seen < limit; seen += 1) {
    const place = waiting.pop();
    if (place === undefined) return;
    yield place;
    const children = childrenOf(place);
    for (let at = children.length - 1; at >= 0; at -= 1) {
      const child = children[at];
      if (child !== undefined) waiting.push(child);
    }
  }
}

function childrenOf({ path, name, value, depth }: JsonPlace): readonly JsonPlace[] {
  if (Array.isArray(value)) {
    return value.map((item: JsonValue, index) => {
      return { path: `${path}/${index}`, key: undefined, name, value: item, depth: depth + 1 };
    });
  }
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    if (member === undefined) return [];
    return [{ path: `${path}/${escapeKey(key)}`, key, name: key, value: member, depth: depth + 1 }];
  });
}

/** A key as part of a JSON Pointer. */
export function escapeKey(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
