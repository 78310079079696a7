import { isJsonObject } from '../base/json.ts';

/** How large a JSON value is, or the first bound that it breaks. */
export type JsonMeasure =
  | { readonly kind: 'within'; readonly depth: number; readonly values: number; readonly characters: number }
  | { readonly kind: 'beyond'; readonly bound: 'depth' | 'values' | 'characters' };

/** Bounds for a JSON value. */
export interface JsonBounds {
  /** Levels of nesting; a scalar has one. */
  readonly depth: number;
  /** Values in all: members, elements and the root. */
  readonly values: number;
  /** UTF-16 units of all strings and keys together. */
  readonly characters: number;
}

/** Says which bound a value broke, for example "more than 128 levels of nesting". */
export function beyondWords(measure: { readonly bound: keyof JsonBounds }, bounds: JsonBounds): string {
  const words = { depth: 'levels of nesting', values: 'values', characters: 'characters' } as const;
  return `more than ${bounds[measure.bound]} ${words[measure.bound]}`;
}

/**
 * Measures a value that JSON could carry, and stops at the first bound.
 * Without recursion, because what it is for are values that would overflow the stack.
 */
export function measureJson(root: unknown, bounds: JsonBounds): JsonMeasure {
  const containers: object[] = [];
  const depths: number[] = [];
  let count = 1;
  let characters = 0;
  let deepest = 0;
  meet(root, 1);
  while (deepest <= bounds.depth && characters <= bounds.characters) {
    const container = containers.pop();
    if (container === undefined) {
      return count > bounds.values
        ? { kind: 'beyond', bound: 'values' }
        : { kind: 'within', depth: deepest, values: count, characters };
    }
    const depth = (depths.pop() ?? 0) + 1;
    if (Array.isArray(container)) {
      // A look at the size first: a huge array must not be walked through before it is refused.
      count += container.length;
      if (count > bounds.values) return { kind: 'beyond', bound: 'values' };
      for (const item of container) meet(item, depth);
    } else if (isJsonObject(container)) {
      const keys = Object.keys(container);
      count += keys.length;
      if (count > bounds.values) return { kind: 'beyond', bound: 'values' };
      for (const key of keys) {
        characters += key.length;
        meet(container[key], depth);
      }
    }
  }
  return { kind: 'beyond', bound: deepest > bounds.depth ? 'depth' : 'characters' };

  function meet(value: unknown, depth: number): void {
    if (depth > deepest) deepest = depth;
    if (typeof value === 'string') characters += value.length;
    else if (typeof value === 'object' && value !== null) {
      containers.push(value);
      depths.push(depth);
    }
  }
}
