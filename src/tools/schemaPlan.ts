import { errorMessage } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import { type JsonBounds, beyondWords, measureJson } from './jsonMeasure.ts';
import { compileCost, compilePattern, MAX_COMPILE_STEPS } from './regularExpression.ts';
import { type SchemaCost, schemaCost } from './schemaCost.ts';
import { type DialectChoice, dialectOf } from './schemaDialect.ts';
import { prepareSchema } from './schemaPrepare.ts';

/** What a schema may measure; the largest real ones stay below a tenth of it. */
export const SCHEMA_BOUNDS: JsonBounds = { depth: 128, values: 50_000, characters: 1024 * 1024 };

/** A schema with more values than this takes too long to compile on the host's thread. */
const MAX_VALUES_HERE = 800;

/** Where a schema may be compiled and used. */
export type SchemaPlan =
  | { readonly kind: 'unusable'; readonly reason: string; readonly isDialect: boolean }
  /** On the host's thread, as long as the value keeps the steps of `cost` low. */
  | { readonly kind: 'here'; readonly cost: SchemaCost }
  /** In the worker only, because no bound is proven. */
  | { readonly kind: 'worker'; readonly reason: string };

/** Looks at a schema without compiling it, in time that grows with its size only. Never throws. */
export function planSchema(schema: JsonObject): SchemaPlan {
  const choice = dialectOf(schema);
  if (choice.kind === 'unknown') return unusable(unknownDialect(choice), true);
  const measure = measureJson(schema, SCHEMA_BOUNDS);
  if (measure.kind === 'beyond') return unusable(`The schema has ${beyondWords(measure, SCHEMA_BOUNDS)}.`);
  if (measure.values > MAX_VALUES_HERE) return { kind: 'worker', reason: 'It is large.' };
  const verdict = schemaCost(prepareSchema(schema, choice.dialect).schema);
  if (verdict.kind === 'unbounded') return { kind: 'worker', reason: verdict.reason };
  const patterns = Array.from(new Set(verdict.patterns));
  const steps = patterns.reduce((sum, pattern) => sum + compileCost(pattern), 0);
  if (steps > MAX_COMPILE_STEPS) return { kind: 'worker', reason: 'Its patterns take long to compile.' };
  const objection = patternObjection(patterns);
  return objection === undefined ? { kind: 'here', cost: verdict.cost } : unusable(objection);
}

/** What to say of a dialect that is not known. */
export function unknownDialect(choice: Extract<DialectChoice, { readonly kind: 'unknown' }>): string {
  return `The dialect ${JSON.stringify(choice.declared)} is not supported.`;
}

function unusable(reason: string, isDialect = false): SchemaPlan {
  return { kind: 'unusable', reason, isDialect };
}

function patternObjection(patterns: readonly string[]): string | undefined {
  for (const pattern of patterns) {
    try {
      compilePattern(pattern);
    } catch (error) {
      return `A pattern cannot be used. ${errorMessage(error).slice(0, 300)}`;
    }
  }
  return undefined;
}
