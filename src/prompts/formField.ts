import { type JsonObject, type JsonValue, isJsonObject } from '../base/json.ts';
import { type FormField, type FormOption, type TextFormat, textFormats } from '../shared/formModel.ts';
import { optionsOf, placesOf } from './formOptions.ts';
import { asksForSecret, schemaAsksForSecret } from './secretField.ts';
import { visibleOf } from './visibleOf.ts';

type Base = Pick<FormField, 'name' | 'label' | 'description' | 'required' | 'secret'>;

export interface FieldContext {
  readonly required: boolean;
  /** The value that is there already, when one is being changed. */
  readonly given: JsonValue | undefined;
  /** Without a value, an existing one is being changed: defaults must not add what was not there. */
  readonly editing: boolean;
}

/** With more than this a list cannot be read, and a page takes too long to draw it: the value is typed. */
const mostOptions = 2000;

/** Members that restrict a value in ways that the controls below do not know. */
const beyondControls = ['$ref', '$dynamicRef', 'allOf', 'not', 'if', 'properties', 'patternProperties'];

/** Members that ask for an order or a number of equal entries, which boxes to tick cannot give. */
const beyondTicks = ['prefixItems', 'contains', 'additionalItems', 'unevaluatedItems'];

/** The control for one property. What fits none is typed as JSON. */
export function fieldOf(name: string, schema: JsonValue | undefined, context: FieldContext): FormField {
  const described = isJsonObject(schema) ? schema : {};
  // What is being edited may be a member that the schema says nothing of: then its own kind decides.
  const property =
    Object.keys(described).length === 0 && context.given !== undefined
      ? { type: typeof context.given }
      : described;
  const title = visibleOf(property['title']);
  const description = visibleOf(property['description']);
  const base: Base = {
    name,
    label: title ?? visibleOf(name) ?? '(no name)',
    ...(description === undefined ? {} : { description }),
    required: context.required,
    secret: asksForSecret({ name, title, description, format: property['format'] }),
  };
  const wanted = context.editing ? context.given : property['default'];
  const field = controlOf(base, property, wanted, context.editing);
  // A value that the control cannot hold must not be lost or changed by showing it.
  if (field === undefined || (context.given !== undefined && field.initial === undefined)) {
    const secret = base.secret || schemaAsksForSecret(property);
    return { ...base, kind: 'json', secret, ...(wanted === undefined ? {} : { initial: wanted }) };
  }
  // A tick or a choice gives nothing away.
  return field.kind === 'text' || field.kind === 'number' ? field : { ...field, secret: false };
}

function controlOf(
  base: Base,
  property: JsonObject,
  wanted: JsonValue | undefined,
  editing: boolean,
): FormField | undefined {
  if (beyondControls.some((key) => property[key] !== undefined)) return undefined;
  const options = optionsOf(property);
  if (options !== undefined && options.length > mostOptions) return undefined;
  if (options !== undefined) {
    const initial = placeOf(wanted, options);
    return { ...base, kind: 'choice', options, ...(initial === undefined ? {} : { initial }) };
  }
  if (property['anyOf'] !== undefined || property['oneOf'] !== undefined) return undefined;
  switch (typeOf(property, base.required)) {
    case 'string':
      // An empty line is no answer, so a text that has to be empty cannot be given in one.
      return base.required && property['maxLength'] === 0 ? undefined : textField(base, property, wanted);
    case 'integer':
    case 'number':
      return numberField(base, property, wanted);
    case 'boolean':
      return { ...base, kind: 'boolean', ...(typeof wanted === 'boolean' ? { initial: wanted } : {}) };
    case 'array':
      return choicesField(base, property, wanted, editing);
    default:
      return undefined;
  }
}

/** The one type; "or null" is no matter for an optional value, which can be left out. */
function typeOf(property: JsonObject, required: boolean): string {
  const type = property['type'];
  if (!Array.isArray(type)) return typeof type === 'string' ? type : '';
  const named: readonly JsonValue[] = type;
  const others = named.filter((entry) => entry !== 'null');
  const [only] = others;
  const leavable = !required || others.length === named.length;
  return others.length === 1 && leavable && typeof only === 'string' ? only : '';
}

function textField(base: Base, property: JsonObject, wanted: JsonValue | undefined): FormField {
  const format = textFormats.find((known) => known === property['format']);
  const minLength = wholeOf(property['minLength']);
  const maxLength = wholeOf(property['maxLength']);
  const pattern = stringOf(property['pattern']);
  const fits = typeof wanted === 'string' && isPickable(wanted, format);
  return {
    ...base,
    kind: 'text',
    ...(format === undefined ? {} : { format }),
    ...(minLength === undefined ? {} : { minLength }),
    ...(maxLength === undefined ? {} : { maxLength }),
    ...(pattern === undefined ? {} : { pattern }),
    ...(fits ? { initial: wanted } : {}),
  };
}

/** A picker cannot show what is no date: it would stand empty and yet hold something. */
function isPickable(text: string, format: TextFormat | undefined): boolean {
  if (format !== 'date' && format !== 'date-time') return true;
  const day = /^(\d{4}-\d\d-\d\d)(T(?:[01]\d|2[0-3]):\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d))?$/i.exec(text);
  if (day?.[1] === undefined || (day[2] === undefined) !== (format === 'date')) return false;
  const midnight = new Date(`${day[1]}T00:00:00Z`);
  // The thirtieth of February would become the second of March.
  return (
    !Number.isNaN(Date.parse(text)) &&
    !Number.isNaN(midnight.getTime()) &&
    midnight.toISOString().startsWith(day[1])
  );
}

function numberField(base: Base, property: JsonObject, wanted: JsonValue | undefined): FormField {
  const integer = JSON.stringify(property['type'] ?? '').includes('integer');
  const minimum = numberOf(property['minimum']);
  const maximum = numberOf(property['maximum']);
  // Beyond the safe integers the digits that a person sees are not the ones that are sent.
  const fits = typeof wanted === 'number' && (!integer || Number.isSafeInteger(wanted));
  return {
    ...base,
    kind: 'number',
    integer,
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
    ...(fits ? { initial: wanted } : {}),
  };
}

function choicesField(
  base: Base,
  property: JsonObject,
  wanted: JsonValue | undefined,
  editing: boolean,
): FormField | undefined {
  if (beyondTicks.some((key) => property[key] !== undefined)) return undefined;
  const options = isJsonObject(property['items']) ? optionsOf(property['items']) : undefined;
  if (options === undefined || options.length > mostOptions) return undefined;
  const minItems = wholeOf(property['minItems']);
  const maxItems = wholeOf(property['maxItems']);
  // Only a list that names a value twice could be long enough.
  if ((minItems ?? 0) > options.length && property['uniqueItems'] !== true) return undefined;
  const places = Array.isArray(wanted) ? placesOf(wanted, options) : [];
  const initial = places.filter((place) => place !== undefined);
  // Ticks have no order and no number: a list that has one must not be changed by showing it.
  if (editing && initial.some((place, index) => index > 0 && place <= (initial[index - 1] ?? 0)))
    return undefined;
  return {
    ...base,
    kind: 'choices',
    options,
    ...(minItems === undefined ? {} : { minItems }),
    ...(maxItems === undefined ? {} : { maxItems }),
    ...(Array.isArray(wanted) && initial.length === places.length ? { initial } : {}),
  };
}

function placeOf(value: JsonValue | undefined, options: readonly FormOption[]): number | undefined {
  return value === undefined ? undefined : placesOf([value], options)[0];
}

function stringOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function numberOf(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

function wholeOf(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined;
}
