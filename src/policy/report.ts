import type { JsonObject } from '../base/json.ts';
import type { PolicyProblem } from './rule.ts';

/** Takes down what is wrong with one entry; `key` leads to the place inside it. */
export type Report = (key: readonly string[], message: string, severity?: PolicyProblem['severity']) => void;

/** Reports members that nobody reads: a typing error must not silently change what an entry means. */
export function reportUnknownKeys(
  value: JsonObject,
  known: readonly string[],
  path: readonly string[],
  report: Report,
): void {
  for (const key of Object.keys(value)) {
    if (!known.includes(key)) report([...path, key], `is not known here; there is ${list(known)}.`);
  }
}

/** A foreign value for a message: short, on one line. */
export function describe(value: unknown): string {
  if (value === undefined) return 'missing';
  const text = JSON.stringify(value) ?? `a ${typeof value}`;
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

/** `"a", "b" or "c"`. */
export function list(names: readonly string[]): string {
  const quoted = names.map((name) => `"${name}"`);
  return quoted.length < 2 ? quoted.join('') : `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1) ?? ''}`;
}
