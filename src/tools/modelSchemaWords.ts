import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import { formatWords } from './formatWords.ts';
import { type MutableJsonObject, own, setOwn } from './jsonCopy.ts';
import type { Spend } from './modelSchemaMerge.ts';
import { withHint } from './modelSchemaPlain.ts';

/*
 * What one of the common back ends refuses in a whole request (Gemini: listed values that are no texts, formats other
 * than `date-time`) is told to all models in the description instead, which each of them reads.
 */

const STEPS_PER_SCHEMA = 10;
const MAX_WORDS = 400;
/** Not every one of them is the address of a page. */
const URIS = new Set(['uri', 'iri']);

/** Told of what is said otherwise, with the place in the schema. */
type ReportAt = (path: string, detail: string) => void;

/** A finished schema with such keywords in words. */
export function inWords(schema: JsonObject, path: string, report: ReportAt, spend: Spend): MutableJsonObject {
  spend(STEPS_PER_SCHEMA);
  const node: MutableJsonObject = { ...schema };
  const properties = own(node, 'properties');
  if (isJsonObject(properties)) {
    const told: MutableJsonObject = {};
    for (const [name, inner] of Object.entries(properties)) {
      const at = `${path}/properties/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      if (isJsonObject(inner)) setOwn(told, name, inWords(inner, at, report, spend));
    }
    node['properties'] = told;
  }
  for (const keyword of ['items', 'additionalProperties']) {
    const inner = own(node, keyword);
    if (isJsonObject(inner)) node[keyword] = inWords(inner, `${path}/${keyword}`, report, spend);
  }
  const branches = own(node, 'anyOf');
  if (Array.isArray(branches)) {
    node['anyOf'] = branches
      .filter(isJsonObject)
      .map((branch, index) => inWords(branch, `${path}/anyOf/${index}`, report, spend));
  }
  return valuesInWords(formatInWords(node, path, report), path, report, spend);
}

function formatInWords(node: MutableJsonObject, path: string, report: ReportAt): MutableJsonObject {
  const format = own(node, 'format');
  if (typeof format !== 'string' || format === 'date-time') return node;
  report(path, `The format "${format}" is told in the description.`);
  delete node['format'];
  return withHint(node, URIS.has(format) ? 'a URI such as https://example.com' : formatWords(format));
}

function valuesInWords(
  node: MutableJsonObject,
  path: string,
  report: ReportAt,
  spend: Spend,
): MutableJsonObject {
  const values = own(node, 'enum');
  if (!Array.isArray(values) || own(node, 'type') === 'string') return node;
  const listed: readonly JsonValue[] = values;
  spend(listed.length);
  delete node['enum'];
  const type = own(node, 'type');
  if (type === 'null' || (type === 'boolean' && listed.length > 1)) return node;
  report(path, 'Listed values that are no texts are told in the description.');
  const numbers = listed.filter((value) => typeof value === 'number');
  if (numbers.length === listed.length) bound(node, numbers);
  return withHint(node, listedWords(listed));
}

/** The least and the most of the numbers, where nothing narrower is said. */
function bound(node: MutableJsonObject, numbers: readonly number[]): void {
  for (const keyword of ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'])
    delete node[keyword];
  node['minimum'] = Math.min(...numbers);
  node['maximum'] = Math.max(...numbers);
}

function listedWords(values: readonly JsonValue[]): string {
  const texts: string[] = [];
  let length = 0;
  for (const value of values) {
    const text = JSON.stringify(value);
    length += text.length + 2;
    if (length > MAX_WORDS) break;
    texts.push(text);
  }
  const left = values.length - texts.length;
  if (left > 0) return `one of ${texts.join(', ')} and ${left} more`;
  return texts.length === 1 ? texts.join('') : `${texts.slice(0, -1).join(', ')} or ${texts.at(-1) ?? ''}`;
}
