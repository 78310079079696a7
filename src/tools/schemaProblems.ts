import type { ErrorObject } from 'ajv';
import { isJsonObject } from '../base/json.ts';
import { formatWords } from './formatWords.ts';
import { measureJson } from './jsonMeasure.ts';

/** One thing that is wrong with a value, in words that a model or a person can act on. */
export interface SchemaProblem {
  /** Where, as one would write it in code: `items[0].name`; empty for the value as a whole. */
  readonly path: string;
  readonly message: string;
  /** The same without what the value is, for a person who sees it anyway; absent where the message does not say it. */
  readonly wish?: string;
}

const MAX_PROBLEMS = 10;
const MAX_LOOKED_AT = 200;
const MAX_SHOWN = 120;
const SHOWN_BOUNDS = { depth: 8, values: 60, characters: 1000 };

/** Turns the validator's findings into problems, no more than ten. */
export function describeProblems(errors: readonly ErrorObject[], value: unknown): SchemaProblem[] {
  const problems: SchemaProblem[] = [];
  const seen = new Set<string>();
  for (const { error, inside } of groupAlternatives(someOf(errors))) {
    const path = pathOf(error.instancePath);
    const whole = { value, isNamed: true };
    const found = valueAt(value, error.instancePath);
    const message = `${describe(error, found)}${branchDetails(error, inside, whole)}`;
    if (seen.has(`${path}\n${message}`)) continue;
    seen.add(`${path}\n${message}`);
    const wish = `${wishOf(error)}${branchDetails(error, inside, { ...whole, isNamed: false })}`;
    problems.push({ path, message, ...(wish === message ? {} : { wish }) });
    if (problems.length === MAX_PROBLEMS) break;
  }
  return problems.length > 0 ? problems : [{ path: '', message: 'is not allowed by the schema' }];
}

/** Of very many, both ends: what says the most, the keyword itself, stands behind all that failed inside it. */
function someOf(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  if (errors.length <= MAX_LOOKED_AT) return errors;
  return [...errors.slice(0, MAX_LOOKED_AT / 2), ...errors.slice(-MAX_LOOKED_AT / 2)];
}

/** One line per problem. `root` names the value as a whole, for example `arguments`. */
export function problemText(problems: readonly SchemaProblem[], root: string): string {
  return problems
    .map((problem) => `${problem.path === '' ? root : problem.path} ${problem.message}`)
    .join('\n');
}

/** Errors that only say that others happened. */
const HOLDERS = new Set(['if', 'propertyNames']);

interface Group {
  readonly error: ErrorObject;
  /** What failed inside the alternatives, if the error is about alternatives. */
  readonly inside: readonly ErrorObject[];
}

/** The validator reports what failed inside an `anyOf` or `oneOf` directly before the keyword's own error. */
function groupAlternatives(errors: readonly ErrorObject[]): Group[] {
  const groups: Group[] = [];
  for (let index = errors.length - 1; index >= 0; index -= 1) {
    const error = errors[index];
    if (error === undefined || HOLDERS.has(error.keyword)) continue;
    const inside: ErrorObject[] = [];
    if (error.keyword === 'anyOf' || error.keyword === 'oneOf' || error.keyword === 'contains') {
      for (let before = errors[index - 1]; isInside(before, error); before = errors[index - 1]) {
        if (before !== undefined) inside.unshift(before);
        index -= 1;
      }
    }
    groups.unshift({ error, inside });
  }
  return groups;
}

function isInside(error: ErrorObject | undefined, parent: ErrorObject): boolean {
  if (error === undefined) return false;
  // What is wrong with the items by another keyword stands there too.
  if (parent.keyword === 'contains') return error.schemaPath.startsWith(`${parent.schemaPath}/`);
  return (
    error.instancePath === parent.instancePath || error.instancePath.startsWith(`${parent.instancePath}/`)
  );
}

function branchDetails(
  alternative: ErrorObject,
  inside: readonly ErrorObject[],
  { value, isNamed }: { readonly value: unknown; readonly isNamed: boolean },
): string {
  if (alternative.keyword === 'oneOf' && Array.isArray(alternative.params['passingSchemas'])) return '';
  const shown = inside.filter(
    ({ keyword }) => !HOLDERS.has(keyword) && !['anyOf', 'oneOf', 'contains'].includes(keyword),
  );
  const texts = mergeConstants(shown).map((error) => {
    const relative = pathOf(error.instancePath.slice(alternative.instancePath.length));
    const found = valueAt(value, error.instancePath);
    // That no item fits says nothing of any one of them, only of what is wanted.
    if (alternative.keyword === 'contains') return wishOf(error);
    return `${relative === '' ? '' : `${relative} `}${isNamed ? describe(error, found) : wishOf(error)}`;
  });
  const distinct = [...new Set(texts)].slice(0, 4);
  return distinct.length === 0 ? '' : ` (${distinct.join('; or ')})`;
}

/**
 * Forms that are told apart by a constant all miss it but one: together these are one list of what may be there, and what
 * is wrong with the form that was meant comes first.
 */
function mergeConstants(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const lists = new Map<string, { readonly first: ErrorObject; readonly values: unknown[] }>();
  const others: ErrorObject[] = [];
  for (const error of errors) {
    const { allowedValue, allowedValues }: Record<string, unknown> = error.params;
    const isConstant =
      error.keyword === 'const' || (error.keyword === 'enum' && Array.isArray(allowedValues));
    const values: readonly unknown[] = Array.isArray(allowedValues) ? allowedValues : [allowedValue];
    const known = lists.get(error.instancePath);
    if (!isConstant) others.push(error);
    else if (known === undefined) lists.set(error.instancePath, { first: error, values: [...values] });
    else known.values.push(...values);
  }
  const merged = Array.from(lists.values(), ({ first, values }) =>
    values.length === 1
      ? first
      : { ...first, keyword: 'enum', params: { allowedValues: [...new Set(values)] } },
  );
  return [...others, ...merged];
}

/** What the schema asks for, and what the value is instead. */
function describe(error: ErrorObject, actual: unknown): string {
  const { propertyName, ...ofName } = error;
  if (propertyName !== undefined) {
    return `has the property ${show(propertyName)}, whose name ${describe(ofName, propertyName)}`;
  }
  const wish = wishOf(error);
  if (error.keyword === 'not') return `must not be ${show(actual)}`;
  if (error.keyword === 'type') return `${wish}, but is ${kindOf(actual)}`;
  return shownBeside.has(error.keyword) ? `${wish}, but is ${show(actual)}` : wish;
}

/** Keywords of which a message says what the value is. */
const shownBeside: ReadonlySet<string> = new Set([
  'enum',
  'const',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'pattern',
  'format',
]);

function wishOf(error: ErrorObject): string {
  const { propertyName, ...ofName } = error;
  if (propertyName !== undefined) return `has a property whose name ${wishOf(ofName)}`;
  const params: Record<string, unknown> = error.params;
  const limit = params['limit'] ?? params['len'];
  switch (error.keyword) {
    case 'type':
      return `must be ${typeWords(params['type'])}`;
    case 'required':
    case 'dependentRequired':
    case 'dependencies':
      return `lacks the required property ${show(params['missingProperty'])}`;
    case 'additionalProperties':
      return `has a property that is not allowed: ${show(params['additionalProperty'])}${allowedNames(error)}`;
    case 'unevaluatedProperties':
      return `has a property that is not allowed: ${show(params['unevaluatedProperty'])}`;
    case 'enum':
      return `must be one of ${listed(params['allowedValues'])}`;
    case 'const':
      return `must be ${show(params['allowedValue'])}`;
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return `must be ${comparisonWords(params['comparison'])} ${String(limit)}`;
    case 'multipleOf':
      return `must be a multiple of ${String(params['multipleOf'])}`;
    case 'minLength':
      return `must have at least ${counted(limit, 'character')}`;
    case 'maxLength':
      return `must have at most ${counted(limit, 'character')}`;
    case 'minItems':
      return `must have at least ${counted(limit, 'item')}`;
    case 'maxItems':
    case 'items':
    case 'additionalItems':
    case 'unevaluatedItems':
      return `must have at most ${counted(limit, 'item')}`;
    case 'minProperties':
      return `must have at least ${counted(limit, 'property')}`;
    case 'maxProperties':
      return `must have at most ${counted(limit, 'property')}`;
    case 'uniqueItems':
      return `must have no equal items, but items ${String(params['j'])} and ${String(params['i'])} are equal`;
    case 'contains':
      return containsWish(params);
    case 'pattern':
      return `must match the pattern ${clip(String(params['pattern']))}`;
    case 'format':
      return `must be ${wordsOfFormat(String(params['format']))}`;
    case 'anyOf':
      return 'must match at least one of the allowed forms';
    case 'oneOf':
      return Array.isArray(params['passingSchemas'])
        ? 'must match exactly one of the allowed forms, but matches more than one'
        : 'must match exactly one of the allowed forms';
    case 'not':
      return 'is one of the values that are not allowed';
    case 'false schema':
      return 'must not be there';
    default:
      return `is not allowed by the schema ("${error.keyword}")`;
  }
}

/** What may be there instead, where the schema beside the keyword lists all of it. */
function allowedNames({ parentSchema }: ErrorObject): string {
  if (!isJsonObject(parentSchema) || isJsonObject(parentSchema['patternProperties'])) return '';
  const { properties } = parentSchema;
  const names = isJsonObject(properties) ? Object.keys(properties) : [];
  return names.length === 0 ? '' : ` (allowed: ${listed(names)})`;
}

/** The older dialects say with `minimum` too that a value has to be more. */
function comparisonWords(comparison: unknown): string {
  if (comparison === '>') return 'more than';
  if (comparison === '<') return 'less than';
  return comparison === '>=' ? 'at least' : 'at most';
}

function containsWish({ minContains, maxContains }: Record<string, unknown>): string {
  if (minContains === 0) return `must contain at most ${counted(maxContains, 'matching item')}`;
  const least = `must contain at least ${counted(minContains, 'matching item')}`;
  return maxContains === undefined ? least : `${least} and at most ${show(maxContains)}`;
}

function counted(count: unknown, what: string): string {
  if (count === 1) return `1 ${what}`;
  return `${String(count)} ${what === 'property' ? 'properties' : `${what}s`}`;
}

function wordsOfFormat(format: string): string {
  return formatWords(format) ?? `in the format "${clip(format)}"`;
}

function typeWords(type: unknown): string {
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  return types.map((name) => withArticle(String(name))).join(' or ');
}

function withArticle(type: string): string {
  if (type === 'null') return 'null';
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (isJsonObject(value)) return 'an object';
  if (value === undefined) return 'missing';
  return `a ${typeof value} (${show(value)})`;
}

function listed(values: unknown): string {
  if (!Array.isArray(values)) return show(values);
  const shown = values.slice(0, 20).map(show).join(', ');
  return values.length > 20 ? `${shown} and ${values.length - 20} more` : shown;
}

/** A value as messages show it, cut if it is long. */
export function show(value: unknown): string {
  if (typeof value === 'string') return clip(JSON.stringify(value.slice(0, MAX_SHOWN + 1)));
  if (measureJson(value, SHOWN_BOUNDS).kind === 'beyond') {
    return Array.isArray(value) ? 'a long array' : 'a large object';
  }
  try {
    const text: string | undefined = JSON.stringify(value);
    return clip(text ?? 'nothing');
  } catch {
    return 'a value that is not JSON';
  }
}

function clip(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

function segments(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Where a JSON pointer leads, as one would write it in code. */
export function pathOf(pointer: string): string {
  let path = '';
  for (const part of segments(pointer)) {
    if (/^(0|[1-9]\d*)$/.test(part)) path += `[${part}]`;
    else if (/^[A-Za-z_$][\w$-]*$/.test(part)) path += path === '' ? part : `.${part}`;
    else path += `[${JSON.stringify(clip(part))}]`;
  }
  return path;
}

function valueAt(value: unknown, pointer: string): unknown {
  let current = value;
  for (const part of segments(pointer)) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, part)) return undefined;
    current = Reflect.get(current, part);
  }
  return current;
}
