/**
 * A text that two JSON values share exactly when they are equal: members sorted, zero without sign. Recursive; values
 * are bounded in depth before.
 */
export function jsonKey(value: unknown): string {
  if (value === 0) return '0';
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(jsonKey).join(',')}]`;
  const members = Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${jsonKey(member)}`);
  return `{${members.join(',')}}`;
}

/** The places of two equal items, the first one found; `undefined` if all differ. */
export function firstRepeated(list: readonly unknown[]): readonly [number, number] | undefined {
  const places = new Map<unknown, number>();
  const objects = new Map<string, number>();
  for (const [place, item] of list.entries()) {
    const isObject = typeof item === 'object' && item !== null;
    const before = isObject ? objects.get(jsonKey(item)) : places.get(item);
    if (before !== undefined) return [before, place];
    if (isObject) objects.set(jsonKey(item), place);
    else places.set(item, place);
  }
  return undefined;
}

/** Says whether a value is equal to one of those listed, however many they are. */
export function listedIn(values: readonly unknown[]): (value: unknown) => boolean {
  const scalars = new Set(values.filter((item) => typeof item !== 'object' || item === null));
  const objects = new Set(
    values.filter((item) => typeof item === 'object' && item !== null).map((item) => jsonKey(item)),
  );
  return (value) =>
    typeof value === 'object' && value !== null
      ? objects.size > 0 && objects.has(jsonKey(value))
      : scalars.has(value);
}
