import { isJsonObject, type JsonObject } from '../base/json.ts';
import { own } from './jsonCopy.ts';
import { patternCost } from './patternCost.ts';
import { subschemasOf } from './schemaKeywords.ts';
import { SchemaReferences } from './schemaReference.ts';

/**
 * An upper bound for the work of one validation, in steps of some tens of nanoseconds:
 * `perValue · values + Σ perCharacters[d] · characters ^ d`.
 */
export interface SchemaCost {
  /** Steps for each JSON value of the instance. */
  readonly perValue: number;
  /** Steps for the characters of the instance, by the power to which their number counts; index 0 is not used. */
  readonly perCharacters: readonly number[];
}

/** The cost of a schema, or why no bound is proven. */
export type CostVerdict =
  | { readonly kind: 'bounded'; readonly cost: SchemaCost; readonly patterns: readonly string[] }
  | { readonly kind: 'unbounded'; readonly reason: string };

/** Measured on texts made to be slow: each checked format walks along the text and no more. */
const FORMAT_STEPS = 20;

/** For each value and each 64 characters of what is looked up among listed values, or among the other items. */
const KEY_STEPS = 12;

/** Characters of two texts that are compared in one step. */
const COMPARED = 64;

const UNPROVEN = ['$dynamicRef', '$recursiveRef', '$anchor', '$dynamicAnchor'];

const MAX_STEPS = 100_000;
const MAX_NESTING = 300;
const POWERS = 5;

/** The steps that a validation may need; infinite when they cannot be counted. */
export function validationSteps(
  cost: SchemaCost,
  measure: { readonly values: number; readonly characters: number },
): number {
  const { values, characters } = measure;
  let steps = cost.perValue * values;
  let factor = 1;
  for (const perCharacter of cost.perCharacters) {
    if (perCharacter > 0) steps += perCharacter * factor;
    factor *= characters;
  }
  return steps;
}

class Unbounded extends Error {}

/**
 * Bounds the work of validating against a prepared schema, by counting how often each subschema can meet one value.
 * Recursion, dynamic references and embedded identifiers are left unproven.
 */
export function schemaCost(root: JsonObject): CostVerdict {
  const known = new Map<JsonObject, SchemaCost>();
  const open = new Set<JsonObject>();
  const patterns: string[] = [];
  const references = new SchemaReferences(root);
  try {
    return { kind: 'bounded', cost: costOf(root, 0), patterns };
  } catch (error) {
    if (error instanceof Unbounded) return { kind: 'unbounded', reason: error.message };
    throw error;
  }

  function costOf(schema: JsonObject | boolean, depth: number): SchemaCost {
    if (typeof schema === 'boolean') return STEP;
    const before = known.get(schema);
    if (before !== undefined) return before;
    if (open.has(schema)) throw new Unbounded('It is recursive.');
    if (depth > MAX_NESTING) throw new Unbounded('It is nested deeply.');
    open.add(schema);
    let total = ownCost(schema, patterns);
    for (const part of subschemasOf(schema)) {
      if (part.role !== 'stored') total = add(total, costOf(part.schema, depth + 1));
    }
    for (const keyword of UNPROVEN) {
      if (typeof own(schema, keyword) === 'string') throw new Unbounded(`It uses ${keyword}.`);
    }
    // At the root an identifier changes nothing for a reference that begins with "#/".
    if (
      schema !== root &&
      (typeof own(schema, '$id') === 'string' || typeof own(schema, 'id') === 'string')
    ) {
      throw new Unbounded('It has identifiers inside.');
    }
    const reference = own(schema, '$ref');
    if (typeof reference === 'string') total = add(total, costOf(target(reference), depth + 1));
    open.delete(schema);
    known.set(schema, total);
    return total;
  }

  function target(reference: string): JsonObject | boolean {
    if (!/^#(?:\/|$)/.test(reference)) throw new Unbounded('It refers to another document or an anchor.');
    const found = references.resolve(reference);
    if (found === undefined) throw new Unbounded('A reference leads nowhere.');
    return found;
  }
}

const STEP: SchemaCost = { perValue: 1, perCharacters: [0, 0, 0, 0, 0] };

function add(a: SchemaCost, b: SchemaCost): SchemaCost {
  const sum: SchemaCost = {
    perValue: a.perValue + b.perValue,
    perCharacters: a.perCharacters.map((steps, power) => steps + (b.perCharacters[power] ?? 0)),
  };
  if (Math.max(sum.perValue, ...sum.perCharacters) > MAX_STEPS) {
    throw new Unbounded('Its parts multiply.');
  }
  return sum;
}

function ownCost(schema: JsonObject, patternsSeen: string[]): SchemaCost {
  let perValue = 1;
  const perCharacters = Array.from({ length: POWERS }, () => 0);
  for (const keyword of ['const', 'required', 'dependentRequired', 'dependencies']) {
    const count = countValues(own(schema, keyword));
    perValue += count;
    // A text may differ from a given one at its end only.
    if (keyword === 'const') charge(1, count / COMPARED);
  }
  if (own(schema, 'enum') !== undefined) chargeKeys();
  if (own(schema, 'maxLength') !== undefined || own(schema, 'minLength') !== undefined) charge(1, 1);
  if (typeof own(schema, 'format') === 'string') charge(1, FORMAT_STEPS);
  const pattern = own(schema, 'pattern');
  if (typeof pattern === 'string') chargePattern(pattern);
  const patterns = own(schema, 'patternProperties');
  if (isJsonObject(patterns)) for (const name of Object.keys(patterns)) chargePattern(name);
  if (own(schema, 'uniqueItems') === true) chargeKeys();
  return { perValue, perCharacters };

  /** A value, with all that is in it, is written out once and looked up. */
  function chargeKeys(): void {
    perValue += KEY_STEPS;
    charge(1, KEY_STEPS / COMPARED);
  }

  function charge(power: number, steps: number): void {
    if (power === 0) perValue += steps;
    else perCharacters[power] = (perCharacters[power] ?? 0) + steps;
  }

  function chargePattern(text: string): void {
    patternsSeen.push(text);
    const cost = patternCost(text);
    if (cost === undefined) throw new Unbounded('A pattern may need very many steps.');
    charge(cost.degree, cost.factor);
  }
}

/** How many values a keyword's value has, itself included; a bounded look. */
function countValues(value: unknown): number {
  const pending: unknown[] = [value];
  let count = 0;
  while (pending.length > 0 && count <= MAX_STEPS) {
    const next = pending.pop();
    if (next === undefined) continue;
    count += 1;
    if (typeof next === 'object' && next !== null) for (const item of Object.values(next)) pending.push(item);
  }
  return count;
}
