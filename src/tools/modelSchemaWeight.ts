import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import { measureJson } from './jsonMeasure.ts';
import { SCHEMA_BOUNDS } from './schemaPlan.ts';

/** What each member of a schema takes to be looked at, in the steps of `Spend`. */
export const STEPS_PER_MEMBER = 3;
/** Characters that are copied or written out in one step. */
export const CHARACTERS_PER_STEP = 20;

/** How much longer members of objects take than items of lists. */
const SLOW = 3;
/** Keywords whose value is measured as it is. */
const PLAIN_VALUES = new Set(['const', 'default']);
/** Keywords of which every name is looked at, whatever it stands for. */
const NAMED = new Set(['dependentSchemas', 'properties']);

/**
 * What schemas take to be read, without the schemas inside them. A schema is weighed once, because references can bring
 * it a thousand times, and weighing takes as long as reading.
 */
export class SchemaWeights {
  readonly #known = new WeakMap<JsonObject, number>();

  /** In the steps of `Spend`. */
  of(schema: JsonObject): number {
    let weight = this.#known.get(schema);
    if (weight === undefined) {
      weight = weightOf(schema);
      this.#known.set(schema, weight);
    }
    return weight;
  }
}

function weightOf(schema: JsonObject): number {
  let members = 0;
  let characters = 0;
  for (const [keyword, value] of Object.entries(schema)) {
    characters += keyword.length;
    members += 1;
    if (keyword === 'enum') members += valuesIn(value);
    else if (PLAIN_VALUES.has(keyword)) members += SLOW * valuesIn(value);
    else if (Array.isArray(value)) {
      members += value.length;
      for (const item of value) if (typeof item === 'string') characters += item.length;
    } else if (isJsonObject(value) && NAMED.has(keyword)) {
      const names = Object.keys(value);
      if (keyword === 'dependentSchemas') members += SLOW * names.length;
      for (const name of names) characters += name.length;
    }
  }
  return members * STEPS_PER_MEMBER + characters / CHARACTERS_PER_STEP;
}

function valuesIn(value: JsonValue | undefined): number {
  const measure = measureJson(value, SCHEMA_BOUNDS);
  return measure.kind === 'within' ? measure.values : SCHEMA_BOUNDS.values;
}
