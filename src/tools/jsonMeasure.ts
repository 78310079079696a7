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
  const values: unknown[] = [root];
  const depths: number[] = [1];
  let count = 0;
  let characters = 0;
  let deepest = 0;
  while (values.length > 0) {
    const value = values.pop();
    const depth = depths.pop() ?? 1;
    count += 1;
    if (depth > deepest) deepest = depth;
    if (depth > bounds.depth) return { kind: 'beyond', bound: 'depth' };
    if (typeof value === 'string') characters += value.length;
    else if (typeof value === 'object' && value !== null) {
      // A look at the size first: a huge array must not be copied onto the stack before it is refused.
      const keys = Array.isArray(value) ? undefined : Object.keys(value);
      const size = Array.isArray(value) ? value.length : (keys?.length ?? 0);
      if (count + values.length + size > bounds.values) return { kind: 'beyond', bound: 'values' };
      if (Array.isArray(value)) {
        for (const item of value) push(item, depth);
      } else {
        for (const [key, item] of Object.entries(value)) {
          characters += key.length;
          push(item, depth);
        }
      }
    }
    if (characters > bounds.characters) return { kind: 'beyond', bound: 'characters' };
  }
  if (count > bounds.values) return { kind: 'beyond', bound: 'values' };
  return { kind: 'within', depth: deepest, values: count, characters };

  function push(item: unknown, depth: number): void {
    values.push(item);
    depths.push(depth + 1);
  }
}
