import { canonicalJson } from '../base/canonicalJson.ts';
import { HostError } from '../base/errors.ts';
import { type JsonObject, type JsonValue, isJsonObject } from '../base/json.ts';
import { sameJson } from '../policy/conditions.ts';
import { escapeKey } from '../policy/walkJson.ts';
import type { DefinitionChange, DefinitionDiff, DiffArea } from '../shared/definitionDiff.ts';
import { wordDiff } from './wordDiff.ts';

/** Members in the order in which a person should read about them. */
const areas: Readonly<Record<DefinitionDiff['subject'], readonly DiffArea[]>> = {
  tool: ['name', 'title', 'description', 'annotations', 'inputSchema', 'outputSchema'],
  launch: ['command', 'args', 'cwd', 'env', 'url', 'headers'],
};

const maxChanges = 200;
const maxText = 20_000;
const maxDepth = 60;

/** All differences between two definitions of a tool, or two launches (as `launchSnapshot` gives them). */
export function definitionDiff(
  subject: DefinitionDiff['subject'],
  before: JsonObject,
  after: JsonObject,
): DefinitionDiff {
  const known = areas[subject];
  const rest = Array.from(new Set([...Object.keys(before), ...Object.keys(after)])).filter(
    (key) => !known.some((area) => area === key),
  );
  const members: readonly (readonly [string, DiffArea])[] = [
    ...known.map((area) => [area, area] as const),
    ...rest.map((key) => [key, 'other'] as const),
  ];
  const changes = members.flatMap(([key, area]) =>
    compare(own(before, key), own(after, key), { area, path: `/${escapeKey(key)}` }, 0),
  );
  return {
    subject,
    changes: changes.slice(0, maxChanges),
    omitted: Math.max(0, changes.length - maxChanges),
  };
}

interface Place {
  readonly area: DiffArea;
  readonly path: string;
}

function compare(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  place: Place,
  depth: number,
): readonly DefinitionChange[] {
  if (before === undefined && after === undefined) return [];
  if (before === undefined) return [{ ...place, kind: 'added', ...sideOf('after', after) }];
  if (after === undefined) return [{ ...place, kind: 'removed', ...sideOf('before', before) }];
  if (typeof before === 'string' && typeof after === 'string') return compareTexts(before, after, place);
  if (depth < maxDepth) {
    if (isJsonObject(before) && isJsonObject(after)) return compareObjects(before, after, place, depth);
    if (Array.isArray(before) && Array.isArray(after)) return compareArrays(before, after, place, depth);
  }
  return sameText(before, after) ? [] : [changed(before, after, place)];
}

function compareTexts(before: string, after: string, place: Place): readonly DefinitionChange[] {
  if (before === after) return [];
  if (before.length <= maxText && after.length <= maxText) {
    return [{ ...place, kind: 'text', parts: wordDiff(before, after) }];
  }
  // What two long texts have in common at both ends is left out, so that the change itself is always shown.
  let start = 0;
  while (start < before.length && before[start] === after[start]) start += 1;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  const around = 200;
  const from = Math.max(0, start - around);
  const to = Math.max(0, end - around);
  const inner = (text: string): string => text.slice(from, text.length - to).slice(0, maxText);
  return [{ ...place, kind: 'text', parts: wordDiff(inner(before), inner(after)), cut: true }];
}

function compareObjects(
  before: JsonObject,
  after: JsonObject,
  { area, path }: Place,
  depth: number,
): readonly DefinitionChange[] {
  const keys = Array.from(new Set([...Object.keys(before), ...Object.keys(after)]));
  return keys.flatMap((key) => {
    const inner: Place = { area, path: `${path}/${escapeKey(key)}` };
    return compare(own(before, key), own(after, key), inner, depth + 1);
  });
}

function compareArrays(
  before: readonly JsonValue[],
  after: readonly JsonValue[],
  { area, path }: Place,
  depth: number,
): readonly DefinitionChange[] {
  // Lists of plain values are read as wholes: an inserted entry should not look as if all after it had changed.
  const plain = [...before, ...after].every((item) => typeof item !== 'object' || item === null);
  if (plain) return sameText(before, after) ? [] : [changed(before, after, { area, path })];
  const length = Math.max(before.length, after.length);
  return Array.from({ length }, (_, index) =>
    compare(before[index], after[index], { area, path: `${path}/${index}` }, depth + 1),
  ).flat();
}

function changed(before: JsonValue, after: JsonValue, place: Place): DefinitionChange {
  const [left, right] = [sideOf('before', before), sideOf('after', after)];
  return {
    ...place,
    kind: 'changed',
    before: left.before,
    after: right.after,
    ...cutMark(left.cut || right.cut),
  };
}

function sideOf<K extends 'before' | 'after'>(
  side: K,
  value: JsonValue | undefined,
): { readonly [P in K]: string } & { readonly cut?: true } {
  const text = JSON.stringify(value) ?? '';
  const shown = { [side]: text.slice(0, maxText) } as { readonly [P in K]: string };
  return { ...shown, ...cutMark(text.length > maxText) };
}

function cutMark(cut: boolean | undefined): { readonly cut?: true } {
  return cut === true ? { cut } : {};
}

/** Compares whole values, where no difference inside them is looked for. */
function sameText(before: JsonValue, after: JsonValue): boolean {
  try {
    return canonicalJson(before) === canonicalJson(after);
  } catch (error) {
    if (error instanceof HostError) return sameJson(before, after);
    throw error;
  }
}

function own(value: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}
