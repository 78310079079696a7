import { isJsonObject, type JsonObject } from '../base/json.ts';
import { type MutableJsonObject, own, setOwn } from './jsonCopy.ts';
import { beyondWords, measureJson } from './jsonMeasure.ts';
import { type Known, type Place, SchemaConverter } from './modelSchemaConvert.ts';
import { mergeSchemas, requiredWords, type Spend, uniteObjects } from './modelSchemaMerge.ts';
import { PlainForm } from './modelSchemaFinish.ts';
import { type Detail, PlainPatterns, withHint } from './modelSchemaPlain.ts';
import { possibleTypes } from './modelSchemaTypes.ts';
import { SchemaWeights } from './modelSchemaWeight.ts';
import { inWords } from './modelSchemaWords.ts';
import { subschemasOf } from './schemaKeywords.ts';
import { SCHEMA_BOUNDS } from './schemaPlan.ts';
import { SchemaReferences } from './schemaReference.ts';

/** Something that the model's schema says otherwise than the tool's own. */
export interface SchemaRepair {
  /** Where, as a JSON pointer into the tool's schema; empty for the root. */
  readonly path: string;
  readonly detail: string;
}

/** A tool's input schema in the form that language-model back ends accept, or why there is none. */
export type ModelSchema =
  | {
      readonly kind: 'ready';
      readonly schema: JsonObject;
      readonly repairs: readonly SchemaRepair[];
      /** Arguments that have another name for the model, and the tool's own name of each. */
      readonly renamed: ReadonlyMap<string, string>;
    }
  | { readonly kind: 'unusable'; readonly reason: string };

/** The longest schema that is given to a model, in characters of JSON. */
export const MAX_MODEL_SCHEMA = 64 * 1024;

const MAX_REPAIRS = 200;
const MAX_VALUES_IN_FULL = 5000;
/** Steps for each attempt, of about a tenth of a microsecond. */
const MAX_STEPS = 150_000;

/** What is tried in turn until the schema is small enough. */
const DETAILS: readonly Detail[] = [
  { depth: 12, description: 4000, hints: true },
  { depth: 8, description: 400, hints: true },
  { depth: 5, description: 120, hints: false },
  { depth: 3, description: 0, hints: false },
];

/**
 * Makes the model's schema from a tool's input schema. It may allow more than the original; less only where a type
 * is plain from the other keywords, a tuple is left open, a condition is left out or forms of the root are put together.
 * Arguments are checked against the original. Every difference is listed. Never throws for a schema within
 * `SCHEMA_BOUNDS`.
 */
export function modelSchema(schema: JsonObject): ModelSchema {
  const measure = measureJson(schema, SCHEMA_BOUNDS);
  if (measure.kind === 'beyond')
    return { kind: 'unusable', reason: `It has ${beyondWords(measure, SCHEMA_BOUNDS)}.` };
  // Listed values are one step each, and do not make a schema hard to read.
  const isHuge = measure.values > MAX_VALUES_IN_FULL && isHugeBesideLists(schema, measure.values);
  // Of all attempts together: each expression is compiled once at most.
  const known: Known = {
    references: new SchemaReferences(schema),
    patterns: new PlainPatterns(),
    weights: new SchemaWeights(),
  };
  let isEndless = false;
  for (const [index, detail] of DETAILS.entries()) {
    // What is very large will not fit in full, and trying takes long.
    const isLarge = isEndless || isHuge;
    if (isLarge && index < DETAILS.length - 2) continue;
    const attempt = attemptAt(schema, detail, known, index > 0);
    if (attempt.kind === 'done') return attempt.model;
    isEndless = attempt.kind === 'endless';
  }
  return {
    kind: 'unusable',
    reason: isEndless
      ? 'Even shortened, it takes too long to be written out.'
      : `Even shortened, the schema has more than ${MAX_MODEL_SCHEMA} characters.`,
  };
}

/** Whether there is much beside long lists of values, or of constants. */
function isHugeBesideLists(root: JsonObject, all: number): boolean {
  const pending: JsonObject[] = [root];
  let listed = 0;
  let others = 0;
  for (let schema = pending.pop(); schema !== undefined; schema = pending.pop()) {
    for (const { schema: part } of subschemasOf(schema)) {
      const [inList, isList] = isJsonObject(part) ? listedIn(part) : [0, false];
      listed += inList;
      if (isJsonObject(part)) pending.push(part);
      if (!isList) others += 1;
      if (others > MAX_VALUES_IN_FULL) return true;
    }
  }
  return all - listed > MAX_VALUES_IN_FULL;
}

/** How many values of a schema are listed ones, and whether it says nothing else. */
function listedIn(schema: JsonObject): readonly [values: number, isConstant: boolean] {
  const values = own(schema, 'enum');
  const inEnum = Array.isArray(values) ? values.length : 0;
  const isConstant = own(schema, 'const') !== undefined || inEnum === 1;
  return [inEnum + (isConstant ? Object.keys(schema).length : 0), isConstant];
}

type Attempt =
  | { readonly kind: 'done'; readonly model: ModelSchema }
  /** More characters than fit. */
  | { readonly kind: 'large' }
  /** More work than the host's thread can give. */
  | { readonly kind: 'endless' };

class OutOfSteps extends Error {}

function attemptAt(schema: JsonObject, detail: Detail, known: Known, isShortened: boolean): Attempt {
  const repairs: SchemaRepair[] = [];
  const report = (place: Place, text: string): void => {
    if (repairs.length < MAX_REPAIRS) repairs.push({ path: place.path, detail: text });
  };
  let left = MAX_STEPS;
  const spend: Spend = (steps) => {
    left -= steps;
    if (left < 0) throw new OutOfSteps();
  };
  const unusable = (reason: string): Attempt => ({ kind: 'done', model: { kind: 'unusable', reason } });
  try {
    const type = own(schema, 'type');
    if (typeof type === 'string' && type !== 'object')
      return unusable(`Arguments are an object, but the schema wants "${type.slice(0, 40)}".`);
    const converted = new SchemaConverter(schema, { detail, known, report, spend }).convert(schema, ROOT);
    const united = converted === undefined ? undefined : unitedRoot(converted, report, spend);
    const reportAt = (path: string, text: string): void => report({ ...ROOT, path }, text);
    const finished =
      united === undefined ? undefined : new PlainForm(reportAt, spend).finish(united, '', ['object']);
    const root = finished === undefined ? undefined : inWords(finished, '', reportAt, spend);
    if (root === undefined) return unusable('No arguments at all are valid.');
    if (!isJsonObject(own(root, 'properties'))) root['properties'] = {};
    const renamed = renameArguments(root, report, spend);
    if (JSON.stringify(root).length > MAX_MODEL_SCHEMA) return { kind: 'large' };
    if (isShortened) report(ROOT, `The schema is shortened to fit ${MAX_MODEL_SCHEMA} characters.`);
    if (repairs.length === MAX_REPAIRS) repairs.push({ path: '', detail: 'There are more differences.' });
    return { kind: 'done', model: { kind: 'ready', schema: root, repairs, renamed } };
  } catch (error) {
    if (error instanceof OutOfSteps) return { kind: 'endless' };
    throw error;
  }
}

/** The tool's own argument names for those that the model used. */
export function originalArguments(model: ModelSchema, given: JsonObject): JsonObject {
  if (model.kind !== 'ready' || model.renamed.size === 0) return given;
  const result: MutableJsonObject = {};
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined) setOwn(result, model.renamed.get(name) ?? name, value);
  }
  return result;
}

/** What an argument takes to get another name. */
const STEPS_PER_NAME = 40;

const ROOT: Place = { path: '', depth: 0, chain: [] };

/** An object with nothing beside its properties that offers alternatives; `undefined` if no object is possible. */
function unitedRoot(
  converted: MutableJsonObject,
  report: (place: Place, detail: string) => void,
  spend: Spend,
): MutableJsonObject | undefined {
  let root: MutableJsonObject = { ...converted };
  const branches = own(root, 'anyOf');
  delete root['anyOf'];
  if (Array.isArray(branches)) {
    report(ROOT, 'The alternatives at the root are put together into one object.');
    const objects = branches
      .filter(isJsonObject)
      .filter(isObjectPossible)
      .map((branch) =>
        own(branch, 'anyOf') === undefined ? branch : unitedRoot({ ...branch }, report, spend),
      )
      .filter((branch) => branch !== undefined);
    if (objects.length === 0) return undefined;
    root = mergeSchemas(root, uniteObjects(objects, spend), spend);
    const isForked = objects.some((branch) => !hasSame(branch, objects[0]));
    if (isForked) root = withHint(root, requiredWords(objects));
  }
  delete root['default'];
  if (own(root, 'type') === undefined) report(ROOT, 'The root is an object.');
  return root;
}

/** Listed values are never objects: those are not listed for models. */
function isObjectPossible(branch: JsonObject): boolean {
  return own(branch, 'enum') === undefined && (possibleTypes(branch)?.includes('object') ?? true);
}

function hasSame(first: JsonObject, second: JsonObject | undefined): boolean {
  return JSON.stringify(first['required'] ?? []) === JSON.stringify(second?.['required'] ?? []);
}

/** Back ends take only plain names for arguments. */
const PLAIN_NAME = /^[A-Za-z0-9_.-]{1,64}$/;

/** Gives odd arguments plain names, in place, and returns which stand for which. */
function renameArguments(
  root: MutableJsonObject,
  report: (place: Place, detail: string) => void,
  spend: Spend,
): ReadonlyMap<string, string> {
  const properties = own(root, 'properties');
  const renamed = new Map<string, string>();
  if (!isJsonObject(properties)) return renamed;
  const names = Object.keys(properties);
  if (names.every(isPlainName)) return renamed;
  const taken = new Set(names);
  const byOriginal = new Map<string, string>();
  const numbers = new Map<string, number>();
  const result: MutableJsonObject = {};
  for (const [name, schema] of Object.entries(properties)) {
    if (schema === undefined) continue;
    if (isPlainName(name)) {
      setOwn(result, name, schema);
      continue;
    }
    spend(STEPS_PER_NAME);
    const plain = plainName(name, taken, numbers);
    taken.add(plain);
    renamed.set(plain, name);
    byOriginal.set(name, plain);
    const hinted = isJsonObject(schema)
      ? withHint({ ...schema }, `the argument ${JSON.stringify(name).slice(0, 100)}`)
      : schema;
    setOwn(result, plain, hinted);
    report(
      { ...ROOT, path: `/properties/${name.slice(0, 100)}` },
      `The argument is called "${plain}" for the model.`,
    );
  }
  root['properties'] = result;
  const required = own(root, 'required');
  if (Array.isArray(required))
    root['required'] = required.map((name) => byOriginal.get(String(name)) ?? name);
  return renamed;
}

function isPlainName(name: string): boolean {
  return name !== '__proto__' && PLAIN_NAME.test(name);
}

/** `numbers` remembers how far each name has been counted up, so that many equal ones take no longer each time. */
function plainName(name: string, taken: ReadonlySet<string>, numbers: Map<string, number>): string {
  const base =
    name
      .slice(0, 200)
      .replace(/[^A-Za-z0-9_.-]+/g, '_')
      .replace(/^_+|_+$/g, '')
      .slice(0, 56) || 'argument';
  if (!taken.has(base)) return base;
  for (let number = numbers.get(base) ?? 2; ; number += 1) {
    const next = `${base}_${number}`;
    if (taken.has(next)) continue;
    numbers.set(base, number + 1);
    return next;
  }
}
