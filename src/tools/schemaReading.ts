import { isJsonObject, type JsonObject } from '../base/json.ts';
import { type SchemaCompiler, type Validate, loadCompiler } from './schemaCompile.ts';
import { type Dialect, dialectOf } from './schemaDialect.ts';
import { subschemasOf } from './schemaKeywords.ts';
import { describeProblems } from './schemaProblems.ts';
import { unknownDialect } from './schemaPlan.ts';
import { withoutRepeats } from './schemaRepeats.ts';
import type { SchemaVerdict } from './schemaVerdict.ts';

/** How a schema is to be read. */
export type SchemaReading =
  | { readonly kind: 'read'; readonly compiler: SchemaCompiler; readonly note?: string }
  | { readonly kind: 'unusable'; readonly reason: string };

/** Older dialects that a schema without `$schema` may be meant in, when it is not valid in the default one. */
const GUESSED: readonly Dialect[] = ['draft-07', 'draft-04'];

/**
 * Finds the dialect of a schema and checks the schema against the dialect's own schema. Without `$schema` it is
 * 2020-12; if it is not valid there, it has no meaning by the specification, and is read in the older dialect in
 * which it is valid, with a note.
 */
export async function readSchema(schema: JsonObject): Promise<SchemaReading> {
  const choice = dialectOf(schema);
  if (choice.kind === 'unknown') {
    return { kind: 'unusable', reason: unknownDialect(choice) };
  }
  const compiler = await loadCompiler(choice.dialect);
  const objection = compiler.checkSchema(schema);
  if (objection === undefined) return { kind: 'read', compiler };
  const once = withoutRepeats(schema);
  if (once !== schema && compiler.checkSchema(once) === undefined) {
    return { kind: 'read', compiler, note: `It is read all the same: ${objection}` };
  }
  if (choice.kind === 'default') {
    for (const dialect of GUESSED) {
      const older = await loadCompiler(dialect);
      if (older.checkSchema(schema) !== undefined) continue;
      const note = `It names no dialect and is not valid ${choice.dialect}, so it is read as ${dialect}. ${objection}`;
      return { kind: 'read', compiler: older, note };
    }
  }
  return { kind: 'unusable', reason: `The schema is not valid ${choice.dialect}. ${objection}` };
}

/** A schema, ready to check values for as long as that takes. */
export type CompiledSchema =
  | {
      readonly kind: 'compiled';
      check(value: unknown): SchemaVerdict;
      /** As `check`; `undefined` if that would have to compile anew, to find all problems of a value and not the first. */
      checkQuickly(value: unknown): SchemaVerdict | undefined;
    }
  | { readonly kind: 'unusable'; readonly reason: string };

/** Schemas directly inside one schema, from which on it counts as wide. */
const WIDE = 150;

function isWide(root: JsonObject): boolean {
  const pending: JsonObject[] = [root];
  for (let schema = pending.pop(); schema !== undefined; schema = pending.pop()) {
    let inside = 0;
    for (const { schema: part } of subschemasOf(schema)) {
      if (++inside > WIDE) return true;
      if (isJsonObject(part)) pending.push(part);
    }
  }
  return false;
}

const VALID: SchemaVerdict = { kind: 'valid' };

/** Compiles a schema. Looks for the first problem only, and for all of them once there is one. */
export function compileSchema(schema: JsonObject, compiler: SchemaCompiler): CompiledSchema {
  // Code that stops at the first problem is nested once for each property: too deep for what is wide.
  const findsAll = isWide(schema);
  const first = compiler.compile(schema, { allErrors: findsAll });
  if (first.kind === 'invalid') return { kind: 'unusable', reason: first.reason };
  let complete: Validate | undefined = findsAll ? first.validate : undefined;
  const { validate } = first;
  return {
    kind: 'compiled',
    check: (value) =>
      guarded((): SchemaVerdict => {
        const errors = validate(value);
        if (errors === undefined) return VALID;
        complete ??= compileComplete();
        return { kind: 'invalid', problems: describeProblems(complete(value) ?? errors, value) };
      }),
    checkQuickly: (value) =>
      guarded((): SchemaVerdict | undefined => {
        const errors = (complete ?? validate)(value);
        if (errors === undefined) return VALID;
        return complete && { kind: 'invalid', problems: describeProblems(errors, value) };
      }),
  };

  function compileComplete(): Validate {
    const all = compiler.compile(schema, { allErrors: true });
    return all.kind === 'compiled' ? all.validate : validate;
  }
}

function guarded<T extends SchemaVerdict | undefined>(check: () => T): T | SchemaVerdict {
  try {
    return check();
  } catch (error) {
    const reason =
      error instanceof RangeError
        ? 'The value or the schema goes too deep to be checked.'
        : 'The check gave no verdict.';
    return { kind: 'refused', reason };
  }
}
