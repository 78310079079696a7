import { type JsonObject, type JsonValue, isJsonObject } from '../base/json.ts';
import type { FormOption } from '../shared/formModel.ts';
import { visibleOf } from './visibleOf.ts';

/** An option as the schema has it; `title` only if there is something in it to be seen. */
interface Titled {
  readonly value: JsonValue;
  readonly title: string | undefined;
}

/**
 * The values to choose from: `enum`, with the legacy `enumNames` or without, and `oneOf` or `anyOf` of constants.
 * Undefined if the schema lists none, or lists something else beside them.
 */
export function optionsOf(property: JsonObject): readonly FormOption[] | undefined {
  const { enum: values, enumNames: names, oneOf, anyOf } = property;
  if (Array.isArray(values)) {
    const titles: readonly JsonValue[] = Array.isArray(names) ? names : [];
    return labelled(values.map((value: JsonValue, place) => ({ value, title: visibleOf(titles[place]) })));
  }
  if (property['const'] !== undefined) {
    return labelled([{ value: property['const'], title: visibleOf(property['title']) }]);
  }
  const list = oneOf ?? anyOf;
  if (!Array.isArray(list) || list.length === 0) return undefined;
  const options = list.flatMap((entry: JsonValue) =>
    isJsonObject(entry) && entry['const'] !== undefined
      ? [{ value: entry['const'], title: visibleOf(entry['title']) }]
      : [],
  );
  return options.length === list.length ? labelled(options) : undefined;
}

/** The places of values among options; undefined for what is none of them. */
export function placesOf(
  values: readonly JsonValue[],
  options: readonly FormOption[],
): readonly (number | undefined)[] {
  // Options are distinct, and a long list of values must not be looked for one by one.
  const places = new Map(options.map(({ value }, place) => [JSON.stringify(value), place]));
  return values.map((value) => places.get(JSON.stringify(value)));
}

/** Each value once. Those that would look the same are told apart by their values: nobody chooses blindly. */
function labelled(all: readonly Titled[]): readonly FormOption[] {
  const seen = new Set<string>();
  const options = all.filter(({ value }) => {
    const text = JSON.stringify(value);
    if (seen.has(text)) return false;
    seen.add(text);
    return true;
  });
  const labels = options.map(({ value, title }) => title ?? plain(value));
  const looks = labels.map(lookOf);
  const times = new Map<string, number>();
  for (const look of looks) times.set(look, (times.get(look) ?? 0) + 1);
  return options.map(({ value, title }, place) => {
    const label = labels[place] ?? '';
    if ((times.get(looks[place] ?? '') ?? 0) < 2) return { value, label };
    const written = spelled(value);
    return { value, label: title === undefined ? written : `${title} (${written})` };
  });
}

/** A text as itself where something of it can be seen, everything else as JSON. */
function plain(value: JsonValue): string {
  return visibleOf(value) ?? JSON.stringify(value);
}

/** The same for labels that a page draws alike. */
export function lookOf(label: string): string {
  return label.normalize('NFC').replaceAll(/\s+/g, ' ').trim();
}

/** JSON in which letters that can be put together in two ways show in which of them they are. */
export function spelled(value: JsonValue): string {
  const escaped = (character: string): string =>
    character.normalize('NFC') === character && !/\p{M}/u.test(character)
      ? character
      : Array.from({ length: character.length }, (_, unit) => character.charCodeAt(unit))
          .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
          .join('');
  return JSON.stringify(value).replaceAll(/./gsu, escaped);
}
