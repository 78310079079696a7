import { type JsonObject, type JsonValue, isJsonObject } from '../base/json.ts';
import type { FormField, FormModel } from '../shared/formModel.ts';
import { fieldOf } from './formField.ts';

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
  if (reason !== undefined) return { kind: 'json', reason, initial: defaultOf(schema) };
  return fields.length === 0 ? { kind: 'confirm' } : { kind: 'fields', fields };
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
  // A required name without a description still has to be given.
  const names = Array.from(new Set([...Object.keys(properties), ...required, ...Object.keys(value ?? {})]));
  if (names.length > mostFields) return none(`The form would have ${names.length} fields.`);
  const fields = names.flatMap((name) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : true;
    if (property === false && !Object.hasOwn(value ?? {}, name)) return [];
    const given = value !== undefined && Object.hasOwn(value, name) ? value[name] : undefined;
    return [fieldOf(name, property, { required: required.has(name), given, editing: value !== undefined })];
  });
  return { fields };
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

function defaultOf(schema: JsonObject): JsonObject {
  const value = schema['default'];
  return isJsonObject(value) ? value : {};
}
