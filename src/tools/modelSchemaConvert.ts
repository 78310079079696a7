import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import { constantList } from './constantList.ts';
import { type MutableJsonObject, own, setOwn } from './jsonCopy.ts';
import { addOptional, mergeSchemas, requiredWords, type Spend, uniteObjects } from './modelSchemaMerge.ts';
import {
  type Detail,
  TYPE_KEYWORDS,
  clip,
  isCount,
  type PlainPatterns,
  plainKeywords,
  withHint,
} from './modelSchemaPlain.ts';
import { declaredTypes } from './modelSchemaTypes.ts';
import { CHARACTERS_PER_STEP, type SchemaWeights, STEPS_PER_MEMBER } from './modelSchemaWeight.ts';
import { isSchema } from './schemaKeywords.ts';
import type { SchemaReferences } from './schemaReference.ts';

/** Where a schema was found. */
export interface Place {
  readonly path: string;
  readonly depth: number;
  /** The targets of the references that led here. */
  readonly chain: readonly (JsonObject | boolean)[];
}

/** What is learnt of a schema once, however often it is written. */
export interface Known {
  readonly references: SchemaReferences;
  readonly patterns: PlainPatterns;
  readonly weights: SchemaWeights;
}

type Report = (place: Place, detail: string) => void;

const MAX_SCHEMAS = 1000;
/** How often a reference may be followed again inside itself: once near the root, where it explains the most. */
const MAX_RECURSION = 2;
const RECURSION_DEPTH = 3;
const MAX_ALTERNATIVES = 50;
/** Constants that keep their titles. */
const MAX_NAMED = 40;
/** What a schema takes to be written, in the steps of `Spend`. */
const STEPS_PER_SCHEMA = 10;

/** Read here in their own way, or worth nothing to a model; everything else that is left out is reported. */
const SILENT = new Set([
  'type',
  'enum',
  'const',
  '$ref',
  '$defs',
  'definitions',
  'allOf',
  'anyOf',
  'oneOf',
  'prefixItems',
  'nullable',
  'deprecated',
  'readOnly',
  'writeOnly',
  ...TYPE_KEYWORDS,
  'title',
  'description',
  'default',
  '$dynamicRef',
  '$recursiveRef',
  'if',
  'then',
  'else',
  'dependentSchemas',
]);

/** Rewrites schemas with the few keywords that language-model back ends agree on. */
export class SchemaConverter {
  readonly #references: SchemaReferences;
  readonly #root: JsonObject;
  readonly #detail: Detail;
  readonly #report: Report;
  readonly #spend: Spend;
  readonly #patterns: PlainPatterns;
  readonly #weights: SchemaWeights;
  #count = 0;

  /** `spend` is told of all work, which references can multiply far beyond the schema's own size. */
  constructor(
    root: JsonObject,
    options: {
      readonly detail: Detail;
      readonly known: Known;
      readonly report: Report;
      readonly spend: Spend;
    },
  ) {
    const { detail, known, report, spend } = options;
    this.#root = root;
    this.#references = known.references;
    this.#weights = known.weights;
    this.#detail = detail;
    this.#report = report;
    this.#spend = spend;
    this.#patterns = known.patterns;
  }

  /** The schema in few keywords, for `PlainForm` to finish; undefined when no value at all is valid. */
  convert(schema: JsonObject | boolean, place: Place): MutableJsonObject | undefined {
    this.#spend(typeof schema === 'boolean' ? STEPS_PER_MEMBER : STEPS_PER_SCHEMA);
    if (typeof schema === 'boolean') return schema ? {} : undefined;
    this.#count += 1;
    if (place.depth > this.#detail.depth || this.#count > MAX_SCHEMAS) {
      this.#report(place, 'What is inside is left out, because the schema is too deep or too large.');
      return this.#stub(schema);
    }
    this.#spend(this.#weights.of(schema));
    const report = (detail: string): void => this.#report(place, detail);
    let result: MutableJsonObject | undefined = plainKeywords(schema, this.#detail, this.#patterns, report);
    this.#arrays(schema, result, place);
    this.#objects(schema, result, place);
    const types = declaredTypes(schema);
    if (types !== undefined) result['type'] = types;
    for (const keyword of ['$ref', '$dynamicRef', '$recursiveRef']) {
      const reference = own(schema, keyword);
      if (typeof reference !== 'string') continue;
      const target = this.#follow(keyword, reference, schema, place);
      if (target === undefined) return undefined;
      result = mergeSchemas(result, target, this.#spend);
    }
    result = this.#allOf(schema, place, result);
    if (result === undefined) return undefined;
    for (const keyword of ['anyOf', 'oneOf']) {
      result = this.#alternatives(keyword, schema, place, result);
      if (result === undefined) return undefined;
    }
    result = this.#conditional(schema, place, result);
    this.#reportLeftOut(schema, place);
    return result;
  }

  #follow(keyword: string, reference: string, from: JsonObject, place: Place): MutableJsonObject | undefined {
    this.#spend(reference.length);
    const target = this.#references.resolve(reference, from);
    if (target === undefined) {
      this.#report(place, `The reference ${clip(reference, 80)} leads nowhere and is left out.`);
      return {};
    }
    if (keyword !== '$ref' && this.#references.isDynamic(keyword, reference)) {
      this.#report(
        place,
        `The reference ${clip(reference, 80)} depends on its surroundings and is left out.`,
      );
      return {};
    }
    const times = place.chain.filter((item) => item === target).length + (target === this.#root ? 1 : 0);
    const limit = place.depth <= RECURSION_DEPTH ? MAX_RECURSION : 1;
    if (times >= limit && typeof target !== 'boolean') {
      this.#report(place, `The recursion through ${clip(reference, 80)} is cut.`);
      return this.#stub(target);
    }
    this.#report(place, `The reference ${clip(reference, 80)} is written out.`);
    return this.convert(target, { ...place, chain: [...place.chain, target] });
  }

  #allOf(schema: JsonObject, place: Place, start: MutableJsonObject): MutableJsonObject | undefined {
    const parts = own(schema, 'allOf');
    if (!Array.isArray(parts)) return start;
    let result = start;
    this.#report(place, '"allOf" is put together into one schema.');
    for (const [index, part] of parts.entries()) {
      if (!isSchema(part)) continue;
      const next = this.convert(part, inside(place, `allOf/${index}`, 0));
      if (next === undefined) return undefined;
      result = mergeSchemas(result, next, this.#spend);
    }
    return result;
  }

  #alternatives(
    keyword: string,
    schema: JsonObject,
    place: Place,
    start: MutableJsonObject,
  ): MutableJsonObject | undefined {
    const branches = own(schema, keyword);
    if (!Array.isArray(branches)) return start;
    const schemas = branches.filter(isSchema);
    if (schemas.length === 0) return start;
    this.#spend(schemas.length);
    if (schemas.every((branch) => isRequirement(branch))) {
      this.#report(place, `"${keyword}" only says what is required together; it is said in the description.`);
      for (const branch of schemas) this.#spend(typeof branch === 'boolean' ? 1 : this.#weights.of(branch));
      return withHint(start, requiredWords(schemas));
    }
    const constants =
      schemas.length > MAX_NAMED ? constantList(keyword === 'oneOf' ? 'oneOf' : 'anyOf', schemas) : undefined;
    if (constants !== undefined) return this.#listed(keyword, constants, place, start);
    if (schemas.length > MAX_ALTERNATIVES && schemas.every(isObjectForm)) {
      return this.#united(keyword, schemas, place, start);
    }
    if (schemas.length > MAX_ALTERNATIVES || own(start, 'anyOf') !== undefined) {
      this.#report(place, `"${keyword}" is left out.`);
      return start;
    }
    const converted: MutableJsonObject[] = [];
    const texts = new Set<string>();
    for (const [index, branch] of schemas.entries()) {
      const next = this.convert(branch, inside(place, `${keyword}/${index}`, 1));
      if (next === undefined) continue;
      const text = JSON.stringify(next);
      this.#spend(text.length / CHARACTERS_PER_STEP);
      if (!texts.has(text)) converted.push(next);
      texts.add(text);
    }
    const [only] = converted;
    if (only !== undefined && converted.length === 1) return mergeSchemas(start, only, this.#spend);
    if (converted.length === 0) return undefined;
    if (converted.some((item) => Object.keys(item).length === 0)) {
      this.#report(place, `"${keyword}" is left out, because one of its forms allows anything.`);
      return start;
    }
    if (keyword === 'oneOf') this.#report(place, '"oneOf" is given as "anyOf".');
    return { ...start, anyOf: converted };
  }

  /** Very many constants are listed; each by itself, with its title, would take too much room. */
  #listed(
    keyword: string,
    values: readonly JsonValue[],
    place: Place,
    start: MutableJsonObject,
  ): MutableJsonObject {
    this.#report(place, `The ${values.length} constants of "${keyword}" are given as a list of values.`);
    const listed = this.convert({ enum: values }, inside(place, keyword, 0)) ?? {};
    const { description, ...rest } = listed;
    const merged = mergeSchemas(start, rest, this.#spend);
    if (typeof description !== 'string') return merged;
    const before = own(merged, 'description');
    merged['description'] = typeof before === 'string' ? `${before} ${description}` : description;
    return merged;
  }

  /** Very many forms of an object: the model learns what they have together. */
  #united(
    keyword: string,
    schemas: readonly (JsonObject | boolean)[],
    place: Place,
    start: MutableJsonObject,
  ): MutableJsonObject {
    this.#report(place, `The ${schemas.length} forms of "${keyword}" are put together into one object.`);
    const forms = schemas
      .map((form, index) => this.convert(form, inside(place, `${keyword}/${index}`, 1)))
      .filter((form) => form !== undefined);
    return mergeSchemas(start, uniteObjects(forms, this.#spend), this.#spend);
  }

  /** What holds under conditions: the model learns the properties, not the conditions. */
  #conditional(schema: JsonObject, place: Place, start: MutableJsonObject): MutableJsonObject {
    let result = start;
    const dependent = own(schema, 'dependentSchemas');
    const parts: [string, JsonValue | undefined][] = [
      ['then', own(schema, 'then')],
      ['else', own(schema, 'else')],
      ...Object.entries(isJsonObject(dependent) ? dependent : {}).map(
        ([name, part]): [string, JsonValue | undefined] => [`dependentSchemas/${escaped(name)}`, part],
      ),
    ];
    for (const [key, part] of parts) {
      if (!isJsonObject(part)) continue;
      this.#report(place, `Of "${key}", which holds under a condition, only the properties are kept.`);
      const next = this.convert(part, inside(place, key, 0));
      if (next !== undefined) result = addOptional(result, next, this.#spend);
    }
    return result;
  }

  #arrays(schema: JsonObject, result: MutableJsonObject, place: Place): void {
    for (const keyword of ['minItems', 'maxItems', 'uniqueItems']) {
      const value = own(schema, keyword);
      if (this.#detail.hints && (keyword === 'uniqueItems' ? value === true : isCount(value)))
        result[keyword] = value;
    }
    const items = own(schema, 'items');
    const tuple = Array.isArray(items) ? items : own(schema, 'prefixItems');
    const rest = Array.isArray(items) ? own(schema, 'additionalItems') : items;
    if (Array.isArray(tuple)) {
      this.#report(place, 'The positions of the array are given as alternatives for every item.');
      const forms = [...tuple, ...(isJsonObject(rest) ? [rest] : [])].filter(isSchema);
      result['items'] = this.#alternatives('anyOf', { anyOf: forms }, inside(place, 'items', 0), {}) ?? {};
    } else if (isSchema(items)) {
      result['items'] = this.convert(items, inside(place, 'items', 1)) ?? {};
    }
  }

  #objects(schema: JsonObject, result: MutableJsonObject, place: Place): void {
    for (const keyword of ['minProperties', 'maxProperties']) {
      const value = own(schema, keyword);
      if (this.#detail.hints && isCount(value)) result[keyword] = value;
    }
    const required = own(schema, 'required');
    if (Array.isArray(required)) result['required'] = required.filter((name) => typeof name === 'string');
    const more = own(schema, 'additionalProperties');
    const isPatterned = isJsonObject(own(schema, 'patternProperties'));
    if (typeof more === 'boolean' && !(isPatterned && !more)) result['additionalProperties'] = more;
    else if (isJsonObject(more)) {
      const next = this.convert(more, inside(place, 'additionalProperties', 1));
      if (!isPatterned && next !== undefined) result['additionalProperties'] = next;
    }
    const properties = own(schema, 'properties');
    if (!isJsonObject(properties)) return;
    result['properties'] = this.#properties(properties, place);
    // What has no name for the model must not be forbidden to it.
    if (Object.keys(properties).some((name) => isNameless(name, place)))
      delete result['additionalProperties'];
  }

  #properties(properties: JsonObject, place: Place): JsonObject {
    const result: MutableJsonObject = {};
    // What cannot be paid for in the end need not be begun.
    const least = Object.keys(properties).length * STEPS_PER_SCHEMA;
    this.#spend(least);
    this.#spend(-least);
    for (const [name, schema] of Object.entries(properties)) {
      if (!isSchema(schema)) continue;
      const at = inside(place, `properties/${escaped(name)}`, 1);
      if (isNameless(name, place)) {
        this.#report(at, 'A property with this name is left out.');
        continue;
      }
      const next = this.convert(schema, at);
      if (next === undefined) this.#report(at, 'A property that can never be given is left out.');
      else setOwn(result, name, next);
    }
    return result;
  }

  #stub(schema: JsonObject): MutableJsonObject {
    const stub: MutableJsonObject = {};
    const types = declaredTypes(schema);
    if (types !== undefined) stub['type'] = types;
    const description = own(schema, 'description');
    const text = typeof description === 'string' ? clip(description, this.#detail.description) : '';
    if (text !== '') stub['description'] = text;
    return stub;
  }

  #reportLeftOut(schema: JsonObject, place: Place): void {
    const names = Object.keys(schema).filter((keyword) => !SILENT.has(keyword));
    if (names.length > 0) this.#report(place, `Left out: ${clip(names.join(', '), 200)}.`);
  }
}

/** The root's odd names get others afterwards; further down there is no way back from another name. */
function isNameless(name: string, place: Place): boolean {
  return place.path !== '' && (name === '' || name === '__proto__');
}

function isObjectForm(schema: JsonObject | boolean): boolean {
  return isJsonObject(schema) && own(schema, 'type') === 'object' && isJsonObject(own(schema, 'properties'));
}

function inside(place: Place, key: string, levels: number): Place {
  return { ...place, path: `${place.path}/${key}`, depth: place.depth + levels };
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

function isRequirement(branch: JsonObject | boolean): boolean {
  if (typeof branch === 'boolean') return false;
  const keywords = Object.keys(branch);
  return (
    keywords.includes('required') &&
    keywords.every((keyword) => ['required', 'type', 'title', 'description', 'not'].includes(keyword))
  );
}
