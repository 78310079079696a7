import type { JsonObject, JsonValue } from '../base/json.ts';
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

const MAX_ENUM_VALUES = 300;
const MAX_ENUM_CHARACTERS = 15_000;

const STRING_KEYWORDS = ['minLength', 'maxLength', 'pattern', 'format'];
const NUMBER_KEYWORDS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];
const ARRAY_KEYWORDS = ['items', 'minItems', 'maxItems', 'uniqueItems'];
const OBJECT_KEYWORDS = ['properties', 'required', 'additionalProperties', 'minProperties', 'maxProperties'];
/** The keywords that mean something for values of a type. */
export const KEYWORDS_OF: ReadonlyMap<string, readonly string[]> = new Map([
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
  if (typeof description !== 'string') return { ...schema, description: sentence };
  const isOpen = /[\p{L}\p{N})"'`\]}]$/u.test(description);
  return { ...schema, description: `${description}${isOpen ? '.' : ''} ${sentence}` };
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
