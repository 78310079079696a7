import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import { own } from './jsonCopy.ts';
import { jsonKey } from './jsonKey.ts';
import { ANNOTATIONS, OTHER_KEYWORDS, holdsSchemas } from './schemaKeywords.ts';

/**
 * The values that `anyOf` or `oneOf` allows if each of its forms is a constant or a list of constants, as titles for
 * listed values are written: `oneOf: [{const: 1, title: "One"}, …]`. `undefined` if a form says anything else.
 */
export function constantList(
  keyword: 'anyOf' | 'oneOf',
  forms: readonly (JsonObject | boolean)[],
): readonly JsonValue[] | undefined {
  const found = new Map<string, { readonly value: JsonValue; forms: number }>();
  for (const form of forms) {
    const values = valuesOf(form);
    if (values === undefined) return undefined;
    for (const [key, value] of new Map(values.map((item) => [jsonKey(item), item]))) {
      const before = found.get(key);
      if (before === undefined) found.set(key, { value, forms: 1 });
      else before.forms += 1;
    }
  }
  // What two forms allow, `oneOf` forbids.
  return Array.from(found.values())
    .filter((entry) => keyword === 'anyOf' || entry.forms === 1)
    .map(({ value }) => value);
}

function valuesOf(form: JsonObject | boolean): readonly JsonValue[] | undefined {
  if (typeof form === 'boolean') return form ? undefined : [];
  if (!Object.keys(form).every(isHarmless)) return undefined;
  const constant = own(form, 'const');
  const listed = own(form, 'enum');
  if (listed !== undefined && !Array.isArray(listed)) return undefined;
  const values = constant === undefined ? listed : [constant];
  if (values === undefined) return undefined;
  const type = own(form, 'type');
  const types: readonly unknown[] | undefined = type === undefined ? undefined : [type].flat();
  const isListed =
    constant === undefined ||
    listed === undefined ||
    listed.some((item) => jsonKey(item) === jsonKey(constant));
  return isListed
    ? values.filter((value) => types === undefined || typesOf(value).some((name) => types.includes(name)))
    : [];
}

/** Decides nothing, or is looked at above. */
function isHarmless(keyword: string): boolean {
  if (['const', 'enum', 'type'].includes(keyword) || ANNOTATIONS.has(keyword)) return true;
  const isForeign = !OTHER_KEYWORDS.has(keyword) && !holdsSchemas(keyword) && !keyword.startsWith('$');
  return isForeign && !['id', 'nullable'].includes(keyword);
}

function typesOf(value: JsonValue): readonly string[] {
  if (value === null) return ['null'];
  if (Array.isArray(value)) return ['array'];
  if (isJsonObject(value)) return ['object'];
  if (typeof value === 'number') return Number.isInteger(value) ? ['number', 'integer'] : ['number'];
  return [typeof value];
}
