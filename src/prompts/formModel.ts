import { type JsonObject, type JsonValue, isJsonObject } from '../base/json.ts';
import type { FormField, FormModel } from '../shared/formModel.ts';
import { fieldOf } from './formField.ts';
import { lookOf, spelled } from './formOptions.ts';

/** Members of a schema that leave its properties as they are: everything else may ask for more than a form can say. */
const plainMembers = new Set([
  '$schema',
  '$id',
  '$comment',
  '$defs',
  'definitions',
  'type',
  'title',
  'description',
  'properties',
  'required',
  'additionalProperties',
  'default',
  'examples',
  'deprecated',
  'minProperties',
  'maxProperties',
  'dependentRequired',
]);

/** Fields of one form: more are typed as JSON, where searching works. */
const mostFields = 500;

/**
 * How a value for a schema can be asked from a person (specification: client/elicitation, "Requested Schema").
 * What the specification does not foresee is typed as JSON, field by field or as a whole: never refused.
 */
export function formModelOf(schema: JsonObject): FormModel {
  const { fields, reason } = controlsOf(schema, undefined);
  if (reason !== undefined) return jsonModelOf(schema, reason);
  return fields.length === 0 ? { kind: 'confirm' } : { kind: 'fields', fields };
}

/** A form that is answered as one JSON text, in which the schema's defaults stand. */
export function jsonModelOf(schema: JsonObject, reason: string): FormModel {
  return { kind: 'json', reason, initial: defaultOf(schema) };
}

/** As `formModelOf`, to change a value that is there: every part of it has a field, whatever the schema says. */
export function editModelOf(schema: JsonObject, value: JsonObject): FormModel {
  const { fields, reason } = controlsOf(schema, value);
  if (reason !== undefined || fields.length === 0) {
    return { kind: 'json', reason: reason ?? 'The tool describes no arguments.', initial: value };
  }
  return { kind: 'fields', fields };
}

function controlsOf(
  schema: JsonObject,
  value: JsonObject | undefined,
): { readonly fields: readonly FormField[]; readonly reason?: string } {
  const none = (reason: string): { readonly fields: readonly []; readonly reason: string } => ({
    fields: [],
    reason,
  });
  if (schema['type'] !== undefined && schema['type'] !== 'object')
    return none('The answer is not an object.');
  const beyond = Object.keys(schema).find((key) => !plainMembers.has(key) && isAssertion(key));
  if (beyond !== undefined) return none(`The schema uses "${beyond}", which a form cannot show.`);
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  const required = namesIn(schema['required']);
  // A name that has to be given, always or beside another one, needs no description.
  const names = Array.from(
    new Set([
      ...Object.keys(properties),
      ...required,
      ...dependentNames(schema['dependentRequired']),
      ...Object.keys(value ?? {}),
    ]),
  );
  const { minProperties, additionalProperties } = schema;
  if (typeof minProperties === 'number' && minProperties > names.length)
    return none(`It asks for ${minProperties} properties and describes ${names.length}.`);
  if (
    names.length === 0 &&
    isJsonObject(additionalProperties) &&
    Object.keys(additionalProperties).length > 0
  )
    return none('The names of its properties are for you to choose.');
  if (names.length > mostFields) return none(`The form would have ${names.length} fields.`);
  const fields = names.flatMap((name) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : true;
    if (property === false && !Object.hasOwn(value ?? {}, name)) return [];
    const given = value !== undefined && Object.hasOwn(value, name) ? value[name] : undefined;
    return [fieldOf(name, property, { required: required.has(name), given, editing: value !== undefined })];
  });
  return { fields: toldApart(fields) };
}

/** Fields whose names would look the same are told apart by how the names are spelled. */
function toldApart(fields: readonly FormField[]): readonly FormField[] {
  const times = new Map<string, number>();
  const lookOfField = ({ label, name }: FormField): string => JSON.stringify([lookOf(label), lookOf(name)]);
  for (const field of fields) times.set(lookOfField(field), (times.get(lookOfField(field)) ?? 0) + 1);
  return fields.map((field) =>
    times.get(lookOfField(field)) === 1
      ? field
      : { ...field, label: `${field.label} (${spelled(field.name)})` },
  );
}

/** Unknown members are annotations; a vocabulary that we know may restrict. */
function isAssertion(key: string): boolean {
  return [
    '$ref',
    '$dynamicRef',
    '$recursiveRef',
    'allOf',
    'anyOf',
    'oneOf',
    'not',
    'if',
    'then',
    'else',
    'const',
    'enum',
    'patternProperties',
    'propertyNames',
    'unevaluatedProperties',
    'dependentSchemas',
    'dependencies',
  ].includes(key);
}

function namesIn(required: JsonValue | undefined): ReadonlySet<string> {
  return new Set(Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []);
}

function dependentNames(dependent: JsonValue | undefined): readonly string[] {
  if (!isJsonObject(dependent)) return [];
  return Object.values(dependent).flatMap((names) => Array.from(namesIn(names)));
}

function defaultOf(schema: JsonObject): JsonObject {
  const { default: value, properties } = schema;
  if (isJsonObject(value)) return value;
  if (!isJsonObject(properties)) return {};
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, property]): readonly (readonly [string, JsonValue])[] => {
      const own = isJsonObject(property) ? property['default'] : undefined;
      return own === undefined ? [] : [[name, own]];
    }),
  );
}
