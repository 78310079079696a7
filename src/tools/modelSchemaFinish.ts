import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import { type MutableJsonObject, own, setOwn } from './jsonCopy.ts';
import { mergeSchemas, type Spend } from './modelSchemaMerge.ts';
import { KEYWORDS_OF } from './modelSchemaPlain.ts';
import { CHARACTERS_PER_STEP } from './modelSchemaWeight.ts';
import { commonTypes, distinctTypes, isOfType, possibleTypes, typeOf } from './modelSchemaTypes.ts';

type Types = readonly string[] | undefined;

/** Told of what is said otherwise, with the place in the schema. */
type ReportAt = (path: string, detail: string) => void;

const STEPS_PER_SCHEMA = 10;
/** What describes all alternatives together. */
const SHARED = new Set(['title', 'description', 'default']);

/**
 * The last step of a model's schema, when all that holds in a place has been put together: one type in each place, only
 * keywords and listed values that belong to it, alternatives that are possible, arrays with `items`, and `required`
 * without what is not described.
 */
export class PlainForm {
  readonly #report: ReportAt;
  readonly #spend: Spend;

  constructor(report: ReportAt, spend: Spend) {
    this.#report = report;
    this.#spend = spend;
  }

  /**
   * `undefined` when no value at all is valid. `types` are what the surroundings leave possible. What was finished once
   * may be part of the schema.
   */
  finish(schema: JsonObject, path: string, types: Types): MutableJsonObject | undefined {
    const values = own(schema, 'enum');
    this.#spend(STEPS_PER_SCHEMA + Object.keys(schema).length + (Array.isArray(values) ? values.length : 0));
    const node: MutableJsonObject = { ...schema };
    const possible = narrowed(node, commonTypes(possibleTypes(schema), types));
    if (possible?.length === 0) return undefined;
    delete node['type'];
    delete node['anyOf'];
    this.#inner(node, path);
    const alternatives = own(schema, 'anyOf');
    if (!Array.isArray(alternatives)) return this.#typed(node, path, possible ?? suggestedTypes(node));
    const branches = this.#branches(alternatives, path, possible);
    const [only] = branches;
    if (only === undefined) return undefined;
    if (branches.length === 1)
      return this.finish(mergeSchemas(withTypes(node, possible), only, this.#spend), path, types);
    if (branches.some((branch) => isNothingMore(branch, possible)))
      return this.#typed(node, path, possible ?? suggestedTypes(node));
    return this.#forked(node, branches, path, possible);
  }

  /** Finishes what is inside, in place. */
  #inner(node: MutableJsonObject, path: string): void {
    const properties = own(node, 'properties');
    if (isJsonObject(properties)) {
      const finished: MutableJsonObject = {};
      for (const [name, schema] of Object.entries(properties)) {
        if (!isJsonObject(schema)) continue;
        this.#spend(name.length / CHARACTERS_PER_STEP);
        const at = `${path}/properties/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
        const next = this.finish(schema, at, undefined);
        if (next === undefined) this.#report(at, 'A property that can never be given is left out.');
        else setOwn(finished, name, next);
      }
      node['properties'] = finished;
    }
    for (const keyword of ['items', 'additionalProperties']) {
      const schema = own(node, keyword);
      if (!isJsonObject(schema)) continue;
      const next = this.finish(schema, `${path}/${keyword}`, undefined);
      if (next !== undefined) node[keyword] = next;
      else delete node[keyword];
    }
    dropUndescribed(node, (detail) => this.#report(path, detail));
  }

  /** The alternatives that are possible, each once. */
  #branches(alternatives: readonly JsonValue[], path: string, types: Types): readonly MutableJsonObject[] {
    const distinct = new Map<string, MutableJsonObject>();
    for (const [index, schema] of alternatives.entries()) {
      if (!isJsonObject(schema)) continue;
      const branch = this.finish(schema, `${path}/anyOf/${index}`, types);
      if (branch === undefined) continue;
      const inner = own(branch, 'anyOf');
      const isOnlyFork = Array.isArray(inner) && Object.keys(branch).length === 1;
      for (const item of isOnlyFork ? inner.filter(isJsonObject) : [branch]) {
        const text = JSON.stringify(item);
        this.#spend(text.length / CHARACTERS_PER_STEP);
        if (!distinct.has(text)) distinct.set(text, { ...item });
      }
    }
    return [...distinct.values()];
  }

  #forked(
    node: MutableJsonObject,
    branches: readonly MutableJsonObject[],
    path: string,
    types: Types,
  ): MutableJsonObject | undefined {
    const each = branches.map(typesOfBranch);
    const known = each.every((item) => item !== undefined) ? distinctTypes(each.flat()) : undefined;
    const suggested = suggestedTypes(node);
    const isSuggested =
      suggested !== undefined && each.every((item) => item === undefined || isWithin(item, suggested));
    const single = types?.length === 1 ? types : types === undefined && isSuggested ? suggested : undefined;
    const fitting = single ?? types ?? known;
    if (fitting !== undefined) keepFitting(node, fitting);
    const [only] = single ?? [];
    if (only === undefined) return this.#spread(node, branches, path, types);
    node['type'] = only;
    if (only === 'array') node['items'] ??= {};
    return { ...node, anyOf: branches };
  }

  /** Back ends refuse keywords of a type beside alternatives of several: each gets those that mean something for it. */
  #spread(
    node: MutableJsonObject,
    branches: readonly MutableJsonObject[],
    path: string,
    types: Types,
  ): MutableJsonObject | undefined {
    const { shared, rest } = parted(node);
    if (Object.keys(rest).length === 0) return { ...shared, anyOf: branches };
    const merged = branches.map((branch) => mergeSchemas(branch, rest, this.#spend));
    const spread = this.#branches(merged, path, types);
    const [only] = spread;
    if (only === undefined) return undefined;
    return spread.length === 1 ? { ...only, ...shared } : { ...shared, anyOf: spread };
  }

  /** Gives a schema without alternatives its type; several become alternatives. */
  #typed(node: MutableJsonObject, path: string, types: Types): MutableJsonObject | undefined {
    if (types === undefined) return node;
    const [only] = types;
    if (only === undefined) return undefined;
    if (types.length === 1) return this.#ofType(node, path, only);
    const { shared, rest } = parted(node);
    this.#report(path, 'The list of types is given as "anyOf".');
    return { ...shared, anyOf: types.map((type) => this.#ofType({ ...rest }, path, type)) };
  }

  #ofType(node: MutableJsonObject, path: string, type: string): MutableJsonObject {
    node['type'] = type;
    keepFitting(node, [type]);
    if (type === 'array' && own(node, 'items') === undefined) {
      this.#report(path, 'The array gets an "items" that allows anything.');
      node['items'] = {};
    }
    return node;
  }
}

/** What describes all alternatives together, and what has to hold in each. */
function parted(node: JsonObject): {
  readonly shared: MutableJsonObject;
  readonly rest: MutableJsonObject;
} {
  const shared: MutableJsonObject = {};
  const rest: MutableJsonObject = {};
  for (const [keyword, value] of Object.entries(node)) {
    if (value !== undefined) (SHARED.has(keyword) ? shared : rest)[keyword] = value;
  }
  return { shared, rest };
}

/** The types of which there are listed values, and the listed values of the types, in place. */
function narrowed(node: MutableJsonObject, types: Types): Types {
  const values = own(node, 'enum');
  if (!Array.isArray(values)) return types;
  const fitting = values.filter(
    (value) => types === undefined || types.some((type) => isOfType(value, type)),
  );
  node['enum'] = fitting;
  return types === undefined
    ? distinctTypes(fitting.map(typeOf))
    : types.filter((type) => fitting.some((value) => isOfType(value, type)));
}

/** What the other keywords suggest where no type is named. */
function suggestedTypes(node: JsonObject): Types {
  if (['properties', 'required', 'additionalProperties'].some((key) => own(node, key) !== undefined))
    return ['object'];
  return own(node, 'items') === undefined ? undefined : ['array'];
}

function withTypes(node: JsonObject, types: Types): JsonObject {
  return types === undefined ? node : { ...node, type: types };
}

/** Whether an alternative allows all that its surroundings allow. */
function isNothingMore(branch: JsonObject, types: Types): boolean {
  const keywords = Object.keys(branch);
  if (keywords.length === 0) return true;
  return types?.length === 1 && keywords.length === 1 && own(branch, 'type') === types[0];
}

function typesOfBranch(branch: JsonObject): Types {
  const types = possibleTypes(branch);
  const inner = own(branch, 'anyOf');
  if (types !== undefined || !Array.isArray(inner)) return types;
  const each = inner.map((item) => (isJsonObject(item) ? typesOfBranch(item) : undefined));
  return each.every((item) => item !== undefined) ? distinctTypes(each.flat()) : undefined;
}

function isWithin(types: readonly string[], others: readonly string[]): boolean {
  return types.every((type) => others.includes(type));
}

/** Back ends refuse a required property that is not described. */
function dropUndescribed(schema: MutableJsonObject, report: (detail: string) => void): void {
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

/** Removes keywords and listed values that mean nothing for the types. */
function keepFitting(schema: MutableJsonObject, types: readonly string[]): void {
  const fitting = new Set(types.flatMap((type) => KEYWORDS_OF.get(type) ?? []));
  for (const keywords of KEYWORDS_OF.values()) {
    for (const keyword of keywords) if (!fitting.has(keyword)) delete schema[keyword];
  }
  const values = own(schema, 'enum');
  if (Array.isArray(values))
    schema['enum'] = values.filter((value) => types.some((type) => isOfType(value, type)));
}
