import type {
  CodeKeywordDefinition,
  ErrorObject,
  FuncKeywordDefinition,
  Options,
  ValidateFunction,
} from 'ajv';
import { errorMessage } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import { nextTurn } from '../base/nextTurn.ts';
import { firstRepeated, listedIn } from './jsonKey.ts';
import { compilePattern } from './regularExpression.ts';
import type { Dialect } from './schemaDialect.ts';
import { loadMeta, metaParts, type MetaSchema, withAnyEnum } from './schemaMeta.ts';
import { prepareSchema } from './schemaPrepare.ts';

/** Says whether a value is valid, and what the validator found if not. Runs as long as the schema makes it. */
export type Validate = (value: unknown) => readonly ErrorObject[] | undefined;

/** The outcome of a compilation. */
export type Compilation =
  | { readonly kind: 'compiled'; readonly validate: Validate }
  | { readonly kind: 'invalid'; readonly reason: string };

/** Compiles schemas of one dialect; holds nothing of them afterwards. */
export interface SchemaCompiler {
  readonly dialect: Dialect;
  /** Why the schema is not valid by the dialect's own schema; undefined if it is. */
  checkSchema(schema: JsonObject): string | undefined;
  /** `allErrors`: find every problem instead of the first. Never throws. */
  compile(schema: JsonObject, options?: { readonly allErrors?: boolean }): Compilation;
}

/** What is used of the validator's classes, one per dialect. */
interface AjvLike {
  readonly opts: { defaultMeta?: string | object };
  readonly errors?: ErrorObject[] | null;
  addMetaSchema(schema: object): unknown;
  addKeyword(definition: FuncKeywordDefinition | CodeKeywordDefinition): unknown;
  removeKeyword(keyword: string): unknown;
  validateSchema(schema: object): unknown;
  /** Compiles it if that was not done yet. */
  getSchema(id: string): unknown;
  compile(schema: object): ValidateFunction;
}

type AjvClass = new (options: Options) => AjvLike;

const compilers = new Map<Dialect, Promise<SchemaCompiler>>();

/** The compiler of a dialect; the validator is loaded when it is first asked for. */
export function loadCompiler(dialect: Dialect): Promise<SchemaCompiler> {
  let compiler = compilers.get(dialect);
  if (compiler === undefined) {
    compiler = createCompiler(dialect);
    compilers.set(dialect, compiler);
  }
  return compiler;
}

async function createCompiler(dialect: Dialect): Promise<SchemaCompiler> {
  // Loading, compiling the dialect's own schema part by part, and the first use are each noticeable: none of them may
  // be one stretch with the next.
  const { _ } = await import('ajv');
  await nextTurn();
  const ajvClass = await loadAjv(dialect);
  await nextTurn();
  const { fullFormats } = await import('ajv-formats/dist/formats.js');
  const formats = Object.fromEntries(
    Object.entries(fullFormats).filter(([name]) => CHECKED_FORMATS.has(name)),
  );
  const options: Options = {
    strict: false,
    logger: false,
    messages: false,
    // Without this, `{}` would have the properties `constructor` and `toString`.
    ownProperties: true,
    // A schema that is referred to a thousand times must not be copied a thousand times.
    inlineRefs: false,
    validateSchema: false,
    formats,
    code: { regExp, optimize: false },
  };
  const decimalMultiple: FuncKeywordDefinition = {
    keyword: 'multipleOf',
    type: 'number',
    schemaType: 'number',
    validate: isMultiple,
    error: { message: '', params: ({ schemaCode }) => _`{multipleOf: ${schemaCode}}` },
  };
  // The validator compares with each listed value, and each item with all others; a `toString` of their own breaks it.
  const listedValue: FuncKeywordDefinition = {
    keyword: 'enum',
    schemaType: 'array',
    compile: (values: readonly unknown[]) => listedIn(values),
    error: { message: '', params: ({ schemaCode }) => _`{allowedValues: ${schemaCode}}` },
  };
  const differentItems: CodeKeywordDefinition = {
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    error: {
      message: 'must NOT have duplicate items',
      params: ({ params }) => _`{i: ${params['i']}, j: ${params['j']}}`,
    },
    code(cxt) {
      if (cxt.schema !== true) return;
      const find = cxt.gen.scopeValue('func', { ref: firstRepeated, code: _`firstRepeated` });
      const found = cxt.gen.const('repeated', _`${find}(${cxt.data})`);
      cxt.setParams({ i: _`${found}[1]`, j: _`${found}[0]` });
      cxt.pass(_`${found} === undefined`);
    },
  };
  const ownMeta = await loadMeta(dialect);
  const meta = withMeta(
    new ajvClass({ strict: false, logger: false, validateFormats: false, meta: ownMeta === undefined }),
    ownMeta === undefined ? undefined : withAnyEnum(ownMeta),
  );
  replaceKeyword(meta, differentItems);
  for (const part of metaParts(dialect)) {
    await nextTurn();
    meta.getSchema(part);
  }
  await nextTurn();
  meta.validateSchema({});
  await nextTurn();

  return {
    dialect,
    checkSchema(schema) {
      try {
        const { $schema: _, ...rest } = schema;
        if (meta.validateSchema(rest) === true) return undefined;
        return describeSchemaErrors(meta.errors ?? []);
      } catch (error) {
        return `It could not be checked: ${errorMessage(error)}.`;
      }
    },
    compile(schema, { allErrors = false } = {}) {
      try {
        const prepared = prepareSchema(schema, dialect);
        const check = build(prepared.schema, allErrors);
        return {
          kind: 'compiled',
          validate(value) {
            const result: unknown = check(value);
            if (result === true) return undefined;
            if (result === false) return check.errors ?? [];
            throw new TypeError('The validator gave no verdict.');
          },
        };
      } catch (error) {
        return { kind: 'invalid', reason: describeCompileError(error) };
      }
    },
  };

  /** One validator per schema: two tools may use the same `$id`, and nothing outlives its tool. */
  function build(schema: JsonObject, allErrors: boolean): ValidateFunction {
    try {
      return create(allErrors, false).compile(schema);
    } catch (error) {
      // The dialects' own schemas are known, but would be in the way of a schema that takes one's name.
      if (missingReference(error)?.includes('//json-schema.org/') !== true) throw error;
      return withMeta(create(allErrors, true), dialect === 'draft-06' ? ownMeta : undefined).compile(schema);
    }
  }

  function create(allErrors: boolean, isMetaKnown: boolean): AjvLike {
    // With all problems come the schemas that they are of, for the words in which they are told.
    const ajv = new ajvClass({ ...options, allErrors, verbose: allErrors, meta: isMetaKnown });
    for (const definition of [decimalMultiple, listedValue, differentItems]) replaceKeyword(ajv, definition);
    return ajv;
  }
}

function replaceKeyword(ajv: AjvLike, definition: FuncKeywordDefinition | CodeKeywordDefinition): void {
  ajv.removeKeyword(String(definition.keyword));
  ajv.addKeyword(definition);
}

function withMeta(ajv: AjvLike, meta: MetaSchema | undefined): AjvLike {
  if (meta !== undefined) {
    ajv.addMetaSchema(meta);
    ajv.opts.defaultMeta = meta.$id;
  }
  return ajv;
}

/**
 * The validator divides, and finds that 19.99 is no multiple of 0.01. What it accepts is accepted here; beyond that, a
 * value counts when it is the nearest multiple as exactly as a double can tell.
 */
function isMultiple(divisor: number, value: number): boolean {
  const quotient = value / divisor;
  if (!Number.isFinite(quotient)) return false;
  if (Number.isInteger(quotient)) return true;
  const nearest = Math.round(quotient) * divisor;
  return nearest !== 0 && Math.abs(nearest - value) <= 2 * Number.EPSILON * Math.abs(value);
}

/** What JSON Schema itself defines and the validator knows; other formats are annotations. */
const CHECKED_FORMATS: ReadonlySet<string> = new Set([
  'date',
  'date-time',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'json-pointer',
  'regex',
  'relative-json-pointer',
  'time',
  'uri',
  'uri-reference',
  'uri-template',
  'uuid',
]);

const regExp = Object.assign((pattern: string, flags: string) => compilePattern(pattern, flags), {
  code: 'compilePattern',
});

async function loadAjv(dialect: Dialect): Promise<AjvClass> {
  switch (dialect) {
    case '2020-12':
      return (await import('ajv/dist/2020.js')).Ajv2020;
    case '2019-09':
      return (await import('ajv/dist/2019.js')).Ajv2019;
    case 'draft-07':
    case 'draft-06':
      return (await import('ajv')).Ajv;
    case 'draft-04':
      return (await import('ajv-draft-04')).default.default;
  }
}

function describeSchemaErrors(errors: readonly ErrorObject[]): string {
  const first = errors[0];
  if (first === undefined) return 'It is not valid by its own dialect.';
  const detail = first.keyword === 'enum' ? ` (${JSON.stringify(first.params['allowedValues'])})` : '';
  return `${first.instancePath === '' ? 'The schema' : `"${first.instancePath}"`} ${first.message ?? 'is not valid'}${detail}.`;
}

function describeCompileError(error: unknown): string {
  if (error instanceof RangeError)
    return 'It is nested too deeply, or a reference in it leads back to itself.';
  const reference = missingReference(error);
  if (reference !== undefined) {
    return `The reference ${JSON.stringify(reference.slice(0, 200))} leads nowhere; other documents are never fetched.`;
  }
  return errorMessage(error).slice(0, 500);
}

/** The reference that the validator could not follow, if that is what the error is about. */
function missingReference(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('missingRef' in error)) return undefined;
  return String(error.missingRef);
}
