import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import { type MutableJsonObject, own } from './jsonCopy.ts';
import { measureJson } from './jsonMeasure.ts';
import { compileCost, compilePattern, MAX_COMPILE_STEPS } from './regularExpression.ts';

/** How much of a schema is kept. */
export interface Detail {
  /** Levels of schemas inside schemas. */
  readonly depth: number;
  /** Characters of each description. */
  readonly description: number;
  /** Keep defaults, patterns, titles and bounds. */
  readonly hints: boolean;
}

/** The types of JSON Schema. */
export const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);

const MAX_ENUM_VALUES = 300;
const MAX_ENUM_CHARACTERS = 15_000;

const STRING_KEYWORDS = ['minLength', 'maxLength', 'pattern', 'format'];
const NUMBER_KEYWORDS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];
const ARRAY_KEYWORDS = ['items', 'minItems', 'maxItems', 'uniqueItems'];
const OBJECT_KEYWORDS = ['properties', 'required', 'additionalProperties', 'minProperties', 'maxProperties'];
const KEYWORDS_OF: ReadonlyMap<string, readonly string[]> = new Map([
  ['string', STRING_KEYWORDS],
  ['number', NUMBER_KEYWORDS],
  ['integer', NUMBER_KEYWORDS],
  ['array', ARRAY_KEYWORDS],
  ['object', OBJECT_KEYWORDS],
]);

/** Formats that back ends know; others are left out. */
const FORMATS = new Set([
  'date',
  'date-time',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'time',
  'uri',
  'uuid',
]);

/** All keywords that belong to one type. */
export const TYPE_KEYWORDS: readonly string[] = [
  ...STRING_KEYWORDS,
  ...NUMBER_KEYWORDS,
  ...ARRAY_KEYWORDS,
  ...OBJECT_KEYWORDS,
];

/** What a schema says about a value without other schemas: texts, bounds, listed values. */
export function plainKeywords(
  schema: JsonObject,
  detail: Detail,
  patterns: PlainPatterns,
  report: (detail: string) => void,
): MutableJsonObject {
  const result: MutableJsonObject = {};
  const title = own(schema, 'title');
  if (detail.hints && typeof title === 'string' && title.length <= 200)
    result['title'] = title.toWellFormed();
  const description = own(schema, 'description');
  const text = typeof description === 'string' ? clip(description, detail.description) : '';
  if (text !== '') result['description'] = text;
  if (detail.hints) {
    if (typeof description === 'string' && description.length > detail.description)
      report('The description is shortened.');
    if (typeof title === 'string' && title.length > 200) report('The title is left out, because it is long.');
    const fallback = own(schema, 'default');
    if (fallback !== undefined && isShort(fallback)) result['default'] = fallback;
    else if (fallback !== undefined) report('The default is left out, because it is large.');
    addNumbers(schema, result);
    addStrings(schema, result, patterns, report);
  }
  addValues(schema, result, report);
  return result;
}

function addNumbers(schema: JsonObject, result: MutableJsonObject): void {
  for (const keyword of NUMBER_KEYWORDS) {
    const value = own(schema, keyword);
    if (typeof value === 'number') result[keyword] = value;
  }
  // Draft-04 says with a boolean what later dialects say with a number.
  for (const [flag, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    const limit = own(result, bound);
    if (own(schema, flag) !== true || limit === undefined) continue;
    result[flag] = limit;
    delete result[bound];
  }
}

function addStrings(
  schema: JsonObject,
  result: MutableJsonObject,
  patterns: PlainPatterns,
  report: (detail: string) => void,
): void {
  for (const keyword of ['minLength', 'maxLength']) {
    const value = own(schema, keyword);
    if (isCount(value)) result[keyword] = value;
  }
  const pattern = own(schema, 'pattern');
  if (typeof pattern === 'string') {
    if (patterns.isPlain(pattern)) result['pattern'] = pattern;
    else report('The pattern is left out.');
  }
  const format = own(schema, 'format');
  if (typeof format === 'string') {
    if (FORMATS.has(format)) result['format'] = format;
    else report(`The format "${clip(format, 40)}" is left out.`);
  }
}

function addValues(schema: JsonObject, result: MutableJsonObject, report: (detail: string) => void): void {
  const constant = own(schema, 'const');
  if (constant !== undefined) report('"const" is given as "enum".');
  const listed = own(schema, 'enum');
  const values = constant !== undefined ? [constant] : Array.isArray(listed) ? listed : undefined;
  if (values === undefined) return;
  if (values.length > 0 && isPlainList(values)) {
    result['enum'] = [...new Set(values)];
    return;
  }
  report('"enum" is left out.');
  const shown = clip(JSON.stringify(values.slice(0, 20).filter(isShort)), 400);
  if (values.length > 0) Object.assign(result, withHint(result, `values such as ${shown}`));
}

/** What a keyword that counts may say; a value of another kind says nothing. */
export function isCount(value: JsonValue | undefined): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}

/** Measured before it is written out, because a reference can bring one value a thousand times. */
function isShort(value: JsonValue): boolean {
  const measure = measureJson(value, { depth: 20, values: 150, characters: 300 });
  return measure.kind === 'within' && JSON.stringify(value).length <= 300;
}

/** Scalars, and few enough to be listed. */
function isPlainList(values: readonly JsonValue[]): boolean {
  const bounds = { depth: 2, values: MAX_ENUM_VALUES + 1, characters: MAX_ENUM_CHARACTERS };
  return (
    measureJson(values, bounds).kind === 'within' &&
    values.every((value) => typeof value !== 'object' || value === null) &&
    JSON.stringify(values).length <= MAX_ENUM_CHARACTERS
  );
}

/** Gives every schema one type; several become alternatives. `result` holds the other keywords already. */
export function applyTypes(
  schema: JsonObject,
  result: MutableJsonObject,
  report: (detail: string) => void,
): void {
  const declared = own(schema, 'type');
  const list = (Array.isArray(declared) ? declared : [declared]).filter(
    (type): type is string => typeof type === 'string' && TYPES.has(type),
  );
  const types = [...new Set(list.length > 0 ? list : inferredTypes(schema, result))];
  if (own(schema, 'nullable') === true && types.length > 0 && !types.includes('null')) types.push('null');
  const [only] = types;
  if (only === undefined) return;
  if (types.length === 1) {
    result['type'] = only;
    keepFitting(result, types);
    if (isEmptyEnum(result)) delete result['enum'];
    return;
  }
  if (['anyOf', 'oneOf', 'allOf', '$ref'].some((keyword) => own(schema, keyword) !== undefined)) {
    report('The list of types is left out, beside the other alternatives.');
    keepFitting(result, types);
    if (isEmptyEnum(result)) delete result['enum'];
    return;
  }
  report('The list of types is given as "anyOf".');
  const branches = types.map((type) => {
    const branch: MutableJsonObject = { ...result, type };
    for (const keyword of ['title', 'description', 'default']) delete branch[keyword];
    keepFitting(branch, [type]);
    if (type === 'array') branch['items'] ??= {};
    dropUndescribed(branch, report);
    return branch;
  });
  for (const keyword of Object.keys(result)) {
    if (!['title', 'description', 'default'].includes(keyword)) delete result[keyword];
  }
  // A listed value of one type leaves nothing for the others.
  const possible = branches.filter((branch) => !isEmptyEnum(branch));
  const [single] = possible;
  if (single !== undefined && possible.length === 1) Object.assign(result, single);
  else if (possible.length > 1) result['anyOf'] = possible;
}

/** Back ends refuse a required property that is not described. */
export function dropUndescribed(schema: MutableJsonObject, report: (detail: string) => void): void {
  const required = own(schema, 'required');
  if (!Array.isArray(required)) return;
  const properties = own(schema, 'properties');
  const known = required.filter(
    (name) => isJsonObject(properties) && Object.hasOwn(properties, String(name)),
  );
  if (known.length < required.length) {
    report('A required property that is not described is left out of "required".');
  }
  if (known.length > 0) schema['required'] = known;
  else delete schema['required'];
}

/** Cuts a text at a whole character; gives nothing if there is no room. */
export function clip(text: string, length: number): string {
  if (length === 0) return '';
  const clipped = text.length <= length ? text : `${text.slice(0, length - 1)}…`;
  return clipped.toWellFormed();
}

/** Adds what the schema cannot say to the description. */
export function withHint(schema: MutableJsonObject, hint: string | undefined): MutableJsonObject {
  if (hint === undefined) return schema;
  const description = own(schema, 'description');
  const sentence = `Expected: ${hint}.`;
  return {
    ...schema,
    description: typeof description === 'string' ? `${description} ${sentence}` : sentence,
  };
}

/** Which patterns a model is told: short ones that can be compiled, as long as that takes no long time in all. */
export class PlainPatterns {
  readonly #known = new Map<string, boolean>();
  #left = MAX_COMPILE_STEPS;

  isPlain(pattern: string): boolean {
    if (pattern.length > 300 || !pattern.isWellFormed()) return false;
    const known = this.#known.get(pattern);
    if (known !== undefined) return known;
    this.#left -= compileCost(pattern);
    const plain = this.#left >= 0 && isPattern(pattern);
    this.#known.set(pattern, plain);
    return plain;
  }
}

function isPattern(pattern: string): boolean {
  try {
    compilePattern(pattern);
    return true;
  } catch {
    return false;
  }
}

function inferredTypes(schema: JsonObject, result: JsonObject): string[] {
  const values = own(result, 'enum');
  if (Array.isArray(values)) return [...new Set(values.map((value) => typeOf(value)))];
  if (['properties', 'required', 'additionalProperties'].some((key) => own(schema, key) !== undefined)) {
    return ['object'];
  }
  if (['items', 'prefixItems'].some((key) => own(schema, key) !== undefined)) return ['array'];
  return [];
}

function typeOf(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

/** Removes keywords and listed values that mean nothing for the types. */
function keepFitting(schema: MutableJsonObject, types: readonly string[]): void {
  const fitting = new Set(types.flatMap((type) => KEYWORDS_OF.get(type) ?? []));
  for (const keywords of KEYWORDS_OF.values()) {
    for (const keyword of keywords) if (!fitting.has(keyword)) delete schema[keyword];
  }
  const values = own(schema, 'enum');
  if (!Array.isArray(values)) return;
  schema['enum'] = values.filter((value) => {
    const type = typeOf(value);
    return types.includes(type) || (type === 'integer' && types.includes('number'));
  });
}

function isEmptyEnum(schema: JsonObject): boolean {
  const values = own(schema, 'enum');
  return Array.isArray(values) && values.length === 0;
}
