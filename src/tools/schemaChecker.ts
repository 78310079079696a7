import { throwIfAborted } from '../base/abort.ts';
import type { JsonObject } from '../base/json.ts';
import { measureJson } from './jsonMeasure.ts';
import { type Validate, loadCompiler } from './schemaCompile.ts';
import { dialectOf } from './schemaDialect.ts';
import { type SchemaProblem, describeProblems } from './schemaProblems.ts';

/** What a schema says about a value. `refused`: the question could not be answered, so the value must not be used. */
export type SchemaVerdict =
  | { readonly kind: 'valid' }
  | { readonly kind: 'invalid'; readonly problems: readonly SchemaProblem[] }
  | { readonly kind: 'refused'; readonly reason: string };

/** Whether values can be checked against a schema at all. */
export type SchemaState =
  { readonly kind: 'usable' } | { readonly kind: 'unusable'; readonly reason: string };

/** What a schema may measure; the largest real ones stay below a tenth of it. */
export const SCHEMA_BOUNDS = { depth: 128, values: 100_000, characters: 1024 * 1024 } as const;

type Compiled =
  | { readonly kind: 'ready'; readonly validate: Validate; readonly validateAll: () => Validate }
  | { readonly kind: 'unusable'; readonly reason: string };

const VALID: SchemaVerdict = { kind: 'valid' };

/** Checks values against the schemas of tools; remembers what it compiled for as long as the schema is in use. */
export class SchemaChecker {
  readonly #compiled = new WeakMap<JsonObject, Promise<Compiled>>();
  readonly #ready = new WeakMap<JsonObject, Compiled>();

  /** Checks a value; compiles the schema if that was not done yet. Rejects only when the signal fires. */
  async check(schema: JsonObject, value: unknown, signal?: AbortSignal): Promise<SchemaVerdict> {
    throwIfAborted(signal);
    const compiled = await this.#compile(schema);
    throwIfAborted(signal);
    return this.#run(compiled, value);
  }

  /** As `check`, at once; undefined when the answer needs `check`. */
  checkNow(schema: JsonObject, value: unknown): SchemaVerdict | undefined {
    const compiled = this.#ready.get(schema);
    return compiled === undefined ? undefined : this.#run(compiled, value);
  }

  /** Prepares a schema for `checkNow` and says whether it can be used. */
  async admit(schema: JsonObject): Promise<SchemaState> {
    const compiled = await this.#compile(schema);
    return compiled.kind === 'ready' ? { kind: 'usable' } : compiled;
  }

  #run(compiled: Compiled, value: unknown): SchemaVerdict {
    if (compiled.kind === 'unusable') return { kind: 'refused', reason: compiled.reason };
    try {
      const first = compiled.validate(value);
      if (first === undefined) return VALID;
      const all = compiled.validateAll()(value) ?? first;
      return { kind: 'invalid', problems: describeProblems(all, value) };
    } catch {
      return { kind: 'refused', reason: 'The value is nested too deeply to be checked.' };
    }
  }

  #compile(schema: JsonObject): Promise<Compiled> {
    let compiled = this.#compiled.get(schema);
    if (compiled === undefined) {
      compiled = compile(schema).then((result) => {
        this.#ready.set(schema, result);
        return result;
      });
      this.#compiled.set(schema, compiled);
    }
    return compiled;
  }
}

async function compile(schema: JsonObject): Promise<Compiled> {
  const measure = measureJson(schema, SCHEMA_BOUNDS);
  if (measure.kind === 'beyond') {
    return { kind: 'unusable', reason: `The schema has too many ${boundWords[measure.bound]}.` };
  }
  const choice = dialectOf(schema);
  if (choice.kind === 'unknown') {
    return {
      kind: 'unusable',
      reason: `The schema's dialect ${JSON.stringify(choice.declared)} is not supported.`,
    };
  }
  const compiler = await loadCompiler(choice.dialect);
  const reason = compiler.checkSchema(schema);
  if (reason !== undefined)
    return { kind: 'unusable', reason: `The schema is not valid ${choice.dialect}: ${reason}` };
  const first = compiler.compile(schema);
  if (first.kind === 'invalid')
    return { kind: 'unusable', reason: `The schema cannot be used: ${first.reason}` };
  let all: Validate | undefined;
  return {
    kind: 'ready',
    validate: first.validate,
    validateAll() {
      if (all === undefined) {
        const complete = compiler.compile(schema, { allErrors: true });
        all = complete.kind === 'compiled' ? complete.validate : first.validate;
      }
      return all;
    },
  };
}

const boundWords = { depth: 'levels of nesting', values: 'values', characters: 'characters' } as const;
