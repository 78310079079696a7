import { HostError } from '../base/errors.ts';
import { type JsonObject, type JsonValue, isJsonObject } from '../base/json.ts';

/** One step into a value: a key or index, every child (`*`), or every value at any depth (`**`). */
type Step =
  { readonly kind: 'key'; readonly key: string } | { readonly kind: 'each' } | { readonly kind: 'deep' };

export type ArgumentPath = readonly Step[];

/** The values at a path. `complete` is false when there were too many to look at. */
export interface Selection {
  readonly values: readonly JsonValue[];
  readonly complete: boolean;
}

const maxValues = 20_000;

/**
 * Reads an argument path: `repo`, `issue.title`, `files[0].path`, `files[*].path`, `options.*`, `**` for every value
 * at any depth, or a JSON Pointer (RFC 6901) beginning with `/` for names with dots or brackets.
 * @throws HostError `invalidConfiguration` whose message says what to write instead
 */
export function parseArgumentPath(text: string): ArgumentPath {
  if (text.startsWith('/')) {
    return text
      .slice(1)
      .split('/')
      .map((part) => ({ kind: 'key', key: part.replaceAll('~1', '/').replaceAll('~0', '~') }));
  }
  const steps: Step[] = [];
  const step = /(?:^|\.)(\*\*|\*|[^.[\]*]+)|\[(\*|\d+)\]/y;
  while (step.lastIndex < text.length) {
    const at = step.lastIndex;
    const match = step.exec(text);
    // A path begins with a name, because arguments are an object.
    if (match === null || (at === 0 && (match[2] !== undefined || match[0].startsWith('.')))) {
      throw new HostError(
        'invalidConfiguration',
        'is not an argument path; write for example "repo", "files[*].path", or "/odd.name" as a JSON Pointer.',
      );
    }
    const part = match[1] ?? match[2] ?? '';
    if (part === '**') steps.push({ kind: 'deep' });
    else if (part === '*') steps.push({ kind: 'each' });
    else steps.push({ kind: 'key', key: part });
  }
  if (steps.length === 0) {
    throw new HostError('invalidConfiguration', 'is an empty argument path; name an argument.');
  }
  return steps;
}

/** All values at a path, in order. A name that is not there gives none. */
export function selectValues(args: JsonObject, path: ArgumentPath): Selection {
  let values: JsonValue[] = [args];
  let complete = true;
  for (const step of path) {
    const next: JsonValue[] = [];
    for (const value of values) {
      if (step.kind === 'key') {
        const child = childOf(value, step.key);
        if (child !== undefined) next.push(child);
      } else if (step.kind === 'each') {
        next.push(...childrenOf(value).slice(0, maxValues - next.length));
        complete &&= next.length < maxValues;
      } else complete = collectLeaves(value, next) && complete;
    }
    values = next;
  }
  return { values, complete };
}

/** The one value at a JSON Pointer, or `undefined`. */
function childOf(value: JsonValue, key: string): JsonValue | undefined {
  if (Array.isArray(value)) return /^(0|[1-9]\d*)$/.test(key) ? value[Number(key)] : undefined;
  // Own members only: `constructor` and the like must not be found on the prototype.
  if (isJsonObject(value) && Object.hasOwn(value, key)) return value[key];
  return undefined;
}

function childrenOf(value: JsonValue): readonly JsonValue[] {
  if (Array.isArray(value)) return value;
  if (!isJsonObject(value)) return [];
  return Object.values(value).filter((child) => child !== undefined);
}

/** Adds every value below that is neither object nor array. False when the bound ended it. */
function collectLeaves(from: JsonValue, into: JsonValue[]): boolean {
  const waiting: JsonValue[] = [from];
  for (let seen = 0; waiting.length > 0; seen += 1) {
    if (seen >= maxValues) return false;
    const value = waiting.pop() ?? null;
    const children = childrenOf(value);
    if (children.length > maxValues) return false;
    if (Array.isArray(value) || isJsonObject(value)) waiting.push(...children);
    else into.push(value);
  }
  return true;
}
