import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import { constantList } from './constantList.ts';
import { type MutableJsonObject, own, setOwn } from './jsonCopy.ts';
import type { Dialect } from './schemaDialect.ts';
import { ANNOTATIONS, OTHER_KEYWORDS, holdsSchemas, isSchema, mapsSchemas } from './schemaKeywords.ts';

/** A schema as the validator gets it: the same verdict for every value, without what the validator trips over. */
export interface PreparedSchema {
  readonly schema: JsonObject;
  /** True if it holds a `$ref` or one of its kin. */
  readonly referenced: boolean;
  /** Keywords that no dialect knows, and how often each occurs; they never decide anything. */
  readonly unknownKeywords: ReadonlyMap<string, number>;
}

const REFERENCES = new Set(['$ref', '$dynamicRef', '$recursiveRef']);
const KEPT = new Set(['id', 'nullable']);
const IDENTIFIERS = new Set(['$id', '$anchor', '$dynamicAnchor', '$recursiveAnchor']);

/**
 * Copies a schema for the validator. Left out: annotations; `$schema`, because the dialect is chosen before;
 * `$async`, which would turn every verdict into a promise; `id` where the dialect does not know it; `nullable`,
 * which is not JSON Schema, where the validator would throw on it; identifiers when nothing can refer to them.
 * Many constants as alternatives become listed values. The schema must be within the bounds on depth.
 */
export function prepareSchema(schema: JsonObject, dialect: Dialect): PreparedSchema {
  const unknownKeywords = new Map<string, number>();
  const referenced = hasReference(schema);
  const maySimplify = dialect !== 'draft-04' && !(referenced && pointsIntoAlternatives(schema));
  const dynamicAnchors = referenced ? dynamicAnchorsOf(schema) : new Set<string>();
  return { schema: copySchema(schema, false), referenced, unknownKeywords };

  /** `unsure`: below an unknown keyword an object is a schema or a map of schemas, and its names tell nothing. */
  function copySchema(source: JsonObject, unsure: boolean): JsonObject {
    const copy: MutableJsonObject = {};
    for (const [keyword, value] of Object.entries(source)) {
      if (value === undefined || isDropped(source, keyword)) continue;
      if (holdsSchemas(keyword)) setOwn(copy, keyword, copyHolder(keyword, value));
      else if (KEPT.has(keyword) || OTHER_KEYWORDS.has(keyword) || ANNOTATIONS.has(keyword)) {
        setOwn(copy, keyword, value);
      } else if (!unsure) {
        unknownKeywords.set(keyword, (unknownKeywords.get(keyword) ?? 0) + 1);
        // Real schemas keep shared parts under names of their own and point there.
        if (referenced) setOwn(copy, keyword, copyUnsure(value));
      } else setOwn(copy, keyword, copyUnsure(value));
    }
    if (maySimplify) listConstants(copy);
    closeEmptyEnum(copy);
    moveProto(copy);
    loopOverEmptyName(copy);
    settleDynamicReference(copy, dynamicAnchors);
    return copy;
  }

  function copyHolder(keyword: string, value: JsonValue): JsonValue {
    if (Array.isArray(value))
      return value.map((item) => (isJsonObject(item) ? copySchema(item, false) : item));
    if (!isJsonObject(value)) return value;
    if (!mapsSchemas(keyword)) return copySchema(value, false);
    const copy: MutableJsonObject = {};
    for (const [name, item] of Object.entries(value)) {
      if (item !== undefined) setOwn(copy, name, isJsonObject(item) ? copySchema(item, false) : item);
    }
    return copy;
  }

  function copyUnsure(value: JsonValue): JsonValue {
    if (Array.isArray(value)) return value.map((item) => copyUnsure(item));
    return isJsonObject(value) ? copySchema(value, true) : value;
  }

  function isDropped(source: JsonObject, keyword: string): boolean {
    const value = own(source, keyword);
    // The suite of JSON Schema has a reference into `examples`.
    if (ANNOTATIONS.has(keyword)) return keyword === '$schema' || !referenced;
    if (keyword === '$async') return true;
    if (!referenced && IDENTIFIERS.has(keyword)) return true;
    if (keyword === 'id') return (dialect !== 'draft-04' || !referenced) && !isJsonObject(value);
    return keyword === 'nullable' && !isNullableSafe(source);
  }
}

/** The validator reads `nullable`, an OpenAPI keyword, and throws when it does not fit the `type` beside it. */
function isNullableSafe(source: JsonObject): boolean {
  const type = own(source, 'type');
  if (type === undefined || typeof own(source, 'nullable') !== 'boolean') return false;
  return type !== 'null' && !(Array.isArray(type) && type.includes('null'));
}

/** `enum: []` is allowed and matched by nothing; the validator refuses to compile it. */
function closeEmptyEnum(copy: MutableJsonObject): void {
  const values = own(copy, 'enum');
  if (!Array.isArray(values) || values.length > 0) return;
  delete copy['enum'];
  const all = own(copy, 'allOf');
  copy['allOf'] = [...(Array.isArray(all) ? all : []), { not: {} }];
}

/** From so many forms on, constants are listed: the validator makes code of each form, and tries one after the other. */
const MANY = 20;

/** The same verdict, told in another keyword. */
function listConstants(copy: MutableJsonObject): void {
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const forms = own(copy, keyword);
    if (!Array.isArray(forms) || forms.length < MANY) continue;
    const list: readonly JsonValue[] = forms;
    if (!list.every(isSchema)) continue;
    const values = constantList(keyword, list);
    if (values === undefined) continue;
    delete copy[keyword];
    const all = own(copy, 'allOf');
    const listed = values.length === 0 ? { not: {} } : { enum: values };
    copy['allOf'] = [...(Array.isArray(all) ? (all as readonly JsonValue[]) : []), listed];
  }
}

/** A form that is referred to has to stay where it is. */
function pointsIntoAlternatives(root: JsonObject): boolean {
  return someReference(root, (reference) => /anyOf|oneOf|%/.test(reference));
}

/** The validator leaves a property of this name out; a pattern for it says the same. */
function moveProto(copy: MutableJsonObject): void {
  const properties = own(copy, 'properties');
  if (!isJsonObject(properties)) return;
  const schema = own(properties, '__proto__');
  if (schema === undefined) return;
  const patterns = own(copy, 'patternProperties');
  copy['patternProperties'] = { ...(isJsonObject(patterns) ? patterns : {}), '^__proto__$': schema };
}

/** From this many names on, the validator goes through `required` in a loop. */
const LOOPED = 200;

/** Outside a loop the validator forgets a required property whose name is empty. */
function loopOverEmptyName(copy: MutableJsonObject): void {
  const required = own(copy, 'required');
  if (!Array.isArray(required) || !required.includes('')) return;
  const names: readonly JsonValue[] = required;
  copy['required'] = [...names, ...Array.from({ length: LOOPED }, () => '')];
}

/**
 * Without a `$dynamicAnchor` of its name, `$dynamicRef` is a plain reference (2020-12 core, 8.2.3.2); the validator
 * would take the whole schema for its target.
 */
function settleDynamicReference(copy: MutableJsonObject, anchors: ReadonlySet<string>): void {
  const reference = own(copy, '$dynamicRef');
  if (typeof reference !== 'string') return;
  if (anchors.has(reference.slice(reference.indexOf('#') + 1))) return;
  delete copy['$dynamicRef'];
  if (own(copy, '$ref') === undefined) {
    copy['$ref'] = reference;
    return;
  }
  const all = own(copy, 'allOf');
  copy['allOf'] = [...(Array.isArray(all) ? (all as readonly JsonValue[]) : []), { $ref: reference }];
}

function dynamicAnchorsOf(root: JsonObject): ReadonlySet<string> {
  const anchors = new Set<string>();
  const pending: JsonValue[] = [root];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (Array.isArray(value)) pending.push(...value);
    else if (isJsonObject(value)) {
      for (const [key, item] of Object.entries(value)) {
        if (key === '$dynamicAnchor' && typeof item === 'string') anchors.add(item);
        if (typeof item === 'object' && item !== null) pending.push(item);
      }
    }
  }
  return anchors;
}

function hasReference(root: JsonObject): boolean {
  return someReference(root, () => true);
}

function someReference(root: JsonObject, test: (reference: string) => boolean): boolean {
  const pending: JsonValue[] = [root];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (Array.isArray(value)) pending.push(...value);
    else if (isJsonObject(value)) {
      for (const [key, item] of Object.entries(value)) {
        if (typeof item === 'string' && REFERENCES.has(key) && test(item)) return true;
        if (typeof item === 'object' && item !== null) pending.push(item);
      }
    }
  }
  return false;
}
