import type { JsonObject } from '../base/json.ts';

/** The JSON Schema dialects that can be checked. */
export type Dialect = '2020-12' | '2019-09' | 'draft-07' | 'draft-06' | 'draft-04';

/** What a schema says about its dialect (specification: basic, "Schema Dialect"). */
export type DialectChoice =
  | { readonly kind: 'declared' | 'default'; readonly dialect: Dialect }
  | { readonly kind: 'unknown'; readonly declared: string };

const dialectsByUri: ReadonlyMap<string, Dialect> = new Map([
  ['json-schema.org/draft/2020-12/schema', '2020-12'],
  ['json-schema.org/draft/2019-09/schema', '2019-09'],
  ['json-schema.org/draft-07/schema', 'draft-07'],
  ['json-schema.org/draft-06/schema', 'draft-06'],
  ['json-schema.org/draft-04/schema', 'draft-04'],
]);

/** The dialect of a schema: `$schema`, or 2020-12 without one. http, https and an empty fragment are all the same. */
export function dialectOf(schema: JsonObject): DialectChoice {
  const declared = Object.hasOwn(schema, '$schema') ? schema['$schema'] : undefined;
  if (declared === undefined) return { kind: 'default', dialect: '2020-12' };
  if (typeof declared !== 'string')
    return { kind: 'unknown', declared: JSON.stringify(declared).slice(0, 200) };
  const dialect = dialectsByUri.get(
    declared
      .trim()
      .replace(/^https?:\/\//, '')
      .replace(/#$/, ''),
  );
  if (dialect === undefined) return { kind: 'unknown', declared: declared.slice(0, 200) };
  return { kind: 'declared', dialect };
}
