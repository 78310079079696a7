import type { SchemaProblem } from './schemaProblems.ts';

/** What a schema says about a value. `refused`: there is no answer, so the value must not pass as valid. */
export type SchemaVerdict =
  | { readonly kind: 'valid' }
  | { readonly kind: 'invalid'; readonly problems: readonly SchemaProblem[] }
  | { readonly kind: 'refused'; readonly reason: string };

/** Whether values can be checked against a schema at all. */
export type SchemaState =
  /** `note`: something that a person should know about how the schema is read. */
  | { readonly kind: 'usable'; readonly note?: string }
  | { readonly kind: 'unusable'; readonly reason: string };
