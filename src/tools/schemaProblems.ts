import type { ErrorObject } from 'ajv';
import { isJsonObject } from '../base/json.ts';
import { measureJson } from './jsonMeasure.ts';

/** One thing that is wrong with a value, in words that a model or a person can act on. */
export interface SchemaProblem {
  /** Where, as one would write it in code: `items[0].name`; empty for the value as a whole. */
  readonly path: string;
  readonly message: string;
}

const MAX_PROBLEMS = 10;
const MAX_LOOKED_AT = 200;
const MAX_SHOWN = 120;
const SHOWN_BOUNDS = { depth: 8, values: 60, characters: 1000 };

/** Turns the validator's findings into problems, no more than ten. */
export function describeProblems(errors: readonly ErrorObject[], value: unknown): SchemaProblem[] {
  const problems: SchemaProblem[] = [];
  const seen = new Set<string>();
  for (const { error, inside } of groupAlternatives(errors.slice(0, MAX_LOOKED_AT))) {
    const path = pathOf(error.instancePath);
    const message = `${describe(error, valueAt(value, error.instancePath))}${branchDetails(error, inside, value)}`;
    if (seen.has(`${path}\n${message}`)) continue;
    seen.add(`${path}\n${message}`);
    problems.push({ path, message });
    if (problems.length === MAX_PROBLEMS) break;
  }
  return problems.length > 0 ? problems : [{ path: '', message: 'is not allowed by the schema' }];
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
    if (error.keyword === 'anyOf' || error.keyword === 'oneOf') {
      for (let before = errors[index - 1]; isAtOrBelow(before, error); before = errors[index - 1]) {
        if (before !== undefined) inside.unshift(before);
        index -= 1;
      }
    }
    groups.unshift({ error, inside });
  }
  return groups;
}

function isAtOrBelow(error: ErrorObject | undefined, parent: ErrorObject): boolean {
  if (error === undefined) return false;
  return (
    error.instancePath === parent.instancePath || error.instancePath.startsWith(`${parent.instancePath}/`)
  );
}

function branchDetails(alternative: ErrorObject, inside: readonly ErrorObject[], value: unknown): string {
  if (alternative.keyword === 'oneOf' && Array.isArray(alternative.params['passingSchemas'])) return '';
  const texts = inside
    .filter((error) => !HOLDERS.has(error.keyword) && error.keyword !== 'anyOf' && error.keyword !== 'oneOf')
    .map((error) => {
      const relative = pathOf(error.instancePath.slice(alternative.instancePath.length));
      return `${relative === '' ? '' : `${relative} `}${describe(error, valueAt(value, error.instancePath))}`;
    });
  const distinct = [...new Set(texts)].slice(0, 4);
  return distinct.length === 0 ? '' : ` (${distinct.join('; or ')})`;
}

function describe(error: ErrorObject, actual: unknown): string {
  const params: Record<string, unknown> = error.params;
  switch (error.keyword) {
    case 'type':
      return `must be ${typeWords(params['type'])}, but is ${kindOf(actual)}`;
    case 'required':
    case 'dependentRequired':
    case 'dependencies':
      return `lacks the required property ${show(params['missingProperty'])}`;
    case 'additionalProperties':
      return `has a property that is not allowed: ${show(params['additionalProperty'])}`;
    case 'unevaluatedProperties':
      return `has a property that is not allowed: ${show(params['unevaluatedProperty'])}`;
    case 'enum':
      return `must be one of ${listed(params['allowedValues'])}, but is ${show(actual)}`;
    case 'const':
      return `must be ${show(params['allowedValue'])}, but is ${show(actual)}`;
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return `must be ${String(params['comparison'])} ${String(params['limit'])}, but is ${show(actual)}`;
    case 'multipleOf':
      return `must be a multiple of ${String(params['multipleOf'])}, but is ${show(actual)}`;
    case 'minLength':
      return `must have at least ${String(params['limit'])} characters`;
    case 'maxLength':
      return `must have at most ${String(params['limit'])} characters`;
    case 'minItems':
      return `must have at least ${String(params['limit'])} items`;
    case 'maxItems':
    case 'items':
    case 'additionalItems':
    case 'unevaluatedItems':
      return `must have at most ${String(params['limit'] ?? params['len'])} items`;
    case 'minProperties':
      return `must have at least ${String(params['limit'])} properties`;
    case 'maxProperties':
      return `must have at most ${String(params['limit'])} properties`;
    case 'uniqueItems':
      return `must have no equal items, but items ${String(params['j'])} and ${String(params['i'])} are equal`;
    case 'contains':
      return `must contain at least ${String(params['minContains'])} matching item(s)`;
    case 'pattern':
      return `must match the pattern ${clip(String(params['pattern']))}, but is ${show(actual)}`;
    case 'format':
      return `must be in the format "${String(params['format'])}", but is ${show(actual)}`;
    case 'anyOf':
      return 'must match at least one of the allowed forms';
    case 'oneOf':
      return Array.isArray(params['passingSchemas'])
        ? 'must match exactly one of the allowed forms, but matches more than one'
        : 'must match exactly one of the allowed forms';
    case 'not':
      return `must not be ${show(actual)}`;
    case 'false schema':
      return 'must not be there';
    default:
      return `is not allowed by the schema ("${error.keyword}")`;
  }
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

function show(value: unknown): string {
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

function pathOf(pointer: string): string {
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
