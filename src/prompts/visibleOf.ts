import type { JsonValue } from '../base/json.ts';

/** A text with something in it to be seen. */
export function visibleOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && /[^\s\p{Cf}\p{Cc}\p{DI}\u2800]/u.test(value) ? value : undefined;
}
