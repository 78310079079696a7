import type { Dialect } from './schemaDialect.ts';

/** What the newer dialects' own schemas are put together from (Core, "Meta-Schemas and Vocabularies"). */
export function metaParts(dialect: Dialect): readonly string[] {
  const parts = ['core', 'applicator', 'validation', 'content'];
  return dialect === '2020-12' || dialect === '2019-09'
    ? parts.map((part) => `https://json-schema.org/draft/${dialect}/meta/${part}`)
    : [];
}

/** The schema of a dialect, where it is not to be taken as the validator has it. */
export interface MetaSchema {
  readonly $id: string;
  readonly properties: object;
}

/** Undefined: as the validator has it. */
export async function loadMeta(dialect: Dialect): Promise<MetaSchema | undefined> {
  switch (dialect) {
    case 'draft-06':
      return (await import('ajv/dist/refs/json-schema-draft-06.json', { with: { type: 'json' } })).default;
    case 'draft-07':
      return (await import('ajv/dist/refs/json-schema-draft-07.json', { with: { type: 'json' } })).default;
    case '2020-12':
    case '2019-09':
    case 'draft-04':
      return undefined;
  }
}

/**
 * From draft-06 on a list of values only SHOULD have elements, each once (Validation, "enum"), but the validator
 * brings these two dialects' own schemas with the MUST of draft-04.
 */
export function withAnyEnum(meta: MetaSchema): MetaSchema {
  return { ...meta, properties: { ...meta.properties, enum: { type: 'array' } } };
}
