// Schemas as servers really send them, and as nobody should: what is shown for each, and which answers may be sent.
import assert from 'node:assert/strict';
import type { JsonObject, JsonValue } from '../../../src/base/json.ts';
import { formPrompt } from '../../../src/prompts/formPrompt.ts';
import { shownCard } from '../../../src/prompts/shownCard.ts';
import { decode } from '../../../src/shared/decode.ts';
import { type FormField, formModel } from '../../../src/shared/formModel.ts';
import { SchemaChecker } from '../../../src/tools/schemaChecker.ts';
import { after } from 'node:test';
import { it } from '../../helpers/nodeTest.ts';

const checker = new SchemaChecker({
  workerUrl: new URL('../../../src/tools/schemaWorker.ts', import.meta.url),
});
after(() => checker.dispose());

interface Row {
  readonly name: string;
  /** As text where the order or the names of members matter to JavaScript. */
  readonly schema: JsonObject | string;
  /** Control and what stands in it, for each field; or what is shown instead of fields. */
  readonly shown: Readonly<Record<string, string>> | 'confirm' | 'json' | 'impossible';
  readonly valid?: readonly (JsonObject | string)[];
  readonly invalid?: readonly (JsonObject | string)[];
}

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  ...more,
});
const a = (property: JsonValue, more: JsonObject = {}): JsonObject => object({ a: property }, more);
const hundred = Array.from({ length: 100 }, (_, place) => `f${place}`);

const rows: readonly Row[] = [
  // Defaults
  { name: 'default: text', schema: a({ type: 'string', default: 'x' }), shown: { a: 'text "x"' } },
  { name: 'default: empty text', schema: a({ type: 'string', default: '' }), shown: { a: 'text ""' } },
  {
    name: 'default: several lines',
    schema: a({ type: 'string', default: 'x\ny' }),
    shown: { a: 'text "x\\ny"' },
  },
  { name: 'default: zero', schema: a({ type: 'integer', default: 0 }), shown: { a: 'number 0' } },
  { name: 'default: negative', schema: a({ type: 'number', default: -1.5 }), shown: { a: 'number -1.5' } },
  { name: 'default: false', schema: a({ type: 'boolean', default: false }), shown: { a: 'boolean false' } },
  { name: 'default: null for a text', schema: a({ type: 'string', default: null }), shown: { a: 'text' } },
  {
    name: 'default: text for yes or no',
    schema: a({ type: 'boolean', default: 'true' }),
    shown: { a: 'boolean' },
  },
  {
    name: 'default: one of an enum',
    schema: a({ type: 'string', enum: ['x', 'y'], default: 'y' }),
    shown: { a: 'choice 1' },
  },
  {
    name: 'default: one of oneOf',
    schema: a({ oneOf: [{ const: 'x', title: 'X' }, { const: 'y' }], default: 'x' }),
    shown: { a: 'choice 0' },
  },
  {
    name: 'default: several of anyOf',
    schema: a({ type: 'array', items: { anyOf: [{ const: 'x' }, { const: 'y' }] }, default: ['y', 'x'] }),
    shown: { a: 'choices [1,0]' },
    valid: [{ a: ['x', 'y'] }],
  },
  {
    name: 'default: a text for a list',
    schema: a({ type: 'array', items: { enum: ['x'] }, default: 'x' }),
    shown: { a: 'choices' },
  },
  {
    name: 'default: too short for its own bounds',
    schema: a({ type: 'string', minLength: 3, default: 'x' }),
    shown: { a: 'text "x"' },
    invalid: [{ a: 'x' }],
    valid: [{}, { a: 'xyz' }],
  },
  {
    name: 'default: beyond its own bounds',
    schema: a({ type: 'integer', maximum: 5, default: 9 }),
    shown: { a: 'number 9' },
    invalid: [{ a: 9 }],
  },
  {
    name: 'default: more than may be chosen',
    schema: a({ type: 'array', maxItems: 1, items: { enum: ['x', 'y'] }, default: ['x', 'y'] }),
    shown: { a: 'choices [0,1]' },
    invalid: [{ a: ['x', 'y'] }],
  },
  {
    name: 'default: an object',
    schema: a({ type: 'object', default: { deep: [1] } }),
    shown: { a: 'json {"deep":[1]}' },
  },
  // Dates
  {
    name: 'date: a default',
    schema: a({ type: 'string', format: 'date', default: '2028-02-29' }),
    shown: { a: 'text "2028-02-29"' },
  },
  {
    name: 'date: a day that never was',
    schema: a({ type: 'string', format: 'date', default: '2027-02-29' }),
    shown: { a: 'text' },
  },
  {
    name: 'date: words',
    schema: a({ type: 'string', format: 'date', default: 'tomorrow' }),
    shown: { a: 'text' },
  },
  {
    name: 'date: a moment',
    schema: a({ type: 'string', format: 'date', default: '2027-02-28T00:00:00Z' }),
    shown: { a: 'text' },
  },
  {
    name: 'date: month thirteen',
    schema: a({ type: 'string', format: 'date', default: '2027-13-01' }),
    shown: { a: 'text' },
  },
  {
    name: 'date-time: an offset',
    schema: a({ type: 'string', format: 'date-time', default: '2027-02-28T23:30:00+14:00' }),
    shown: { a: 'text "2027-02-28T23:30:00+14:00"' },
    valid: [{ a: '2027-02-28T23:30:00-12:00' }, { a: '2027-02-28T23:30:00.123456Z' }],
    invalid: [
      { a: '2027-02-28 23:30' },
      { a: '2027-02-28T25:00:00Z' },
      { a: '2027-02-30T10:00:00Z' },
      { a: '' },
    ],
  },
  {
    name: 'date-time: no offset',
    schema: a({ type: 'string', format: 'date-time', default: '2027-02-28T10:00:00' }),
    shown: { a: 'text' },
  },
  {
    name: 'date-time: a day only',
    schema: a({ type: 'string', format: 'date-time', default: '2027-02-28' }),
    shown: { a: 'text' },
  },
  {
    name: 'date-time: hour 25',
    schema: a({ type: 'string', format: 'date-time', default: '2027-02-28T25:00:00Z' }),
    shown: { a: 'text' },
  },
  {
    name: 'date-time: fractions',
    schema: a({ type: 'string', format: 'date-time', default: '2027-02-28T10:00:00.25Z' }),
    shown: { a: 'text "2027-02-28T10:00:00.25Z"' },
  },
  {
    name: 'time: no control of its own',
    schema: a({ type: 'string', format: 'time' }),
    shown: { a: 'text' },
    valid: [{ a: '10:00:00Z' }],
    invalid: [{ a: 'ten' }],
  },
  // Texts
  {
    name: 'e-mail, optional: left out is fine, empty is not',
    schema: a({ type: 'string', format: 'email' }),
    shown: { a: 'text' },
    valid: [{}, { a: 'kim+tag@sub.example.org' }],
    invalid: [{ a: '' }, { a: 'kim@' }, { a: '@example.org' }, { a: 'a b@example.org' }],
  },
  {
    name: 'uri',
    schema: a({ type: 'string', format: 'uri' }),
    shown: { a: 'text' },
    valid: [{ a: 'https://example.org/a?b=c#d' }, { a: 'urn:isbn:1' }, { a: 'mailto:kim@example.org' }],
    invalid: [{ a: 'example.org' }, { a: '/path' }, { a: 'http://a b' }],
  },
  {
    name: 'pattern: letters of all scripts',
    schema: a({ type: 'string', pattern: '^\\p{L}+$' }),
    shown: { a: 'text' },
    valid: [{ a: 'Zoë' }, { a: 'Владимир' }, { a: '漢字' }],
    invalid: [{ a: 'x1' }, { a: '' }],
  },
  {
    name: 'pattern: not anchored',
    schema: a({ type: 'string', pattern: 'b' }),
    shown: { a: 'text' },
    valid: [{ a: 'abc' }],
    invalid: [{ a: 'acc' }],
  },
  {
    name: 'lengths count letters, not code units',
    schema: a({ type: 'string', minLength: 2, maxLength: 2 }),
    shown: { a: 'text' },
    valid: [{ a: '𝒳𝒴' }],
    invalid: [{ a: '𝒳' }, { a: 'xyz' }],
  },
  { name: 'lengths that are none', schema: a({ type: 'string', minLength: -1 }), shown: 'impossible' },
  { name: 'a pattern that is none', schema: a({ type: 'string', pattern: '(' }), shown: 'impossible' },
  {
    name: 'title and name',
    schema: a({ type: 'string', title: '  \u200b ' }),
    shown: { a: 'text' },
  },
  // Numbers
  {
    name: 'integer: as JSON has them',
    schema: a({ type: 'integer' }),
    shown: { a: 'number' },
    valid: ['{"a":1e3}', '{"a":1.0}', '{"a":-0}', '{"a":9007199254740991}'],
    invalid: ['{"a":1.5}', '{"a":"1"}', '{"a":1e-3}', '{"a":null}'],
  },
  {
    name: 'integer: a default beyond what is exact',
    schema: a({ type: 'integer', default: 1e21 }),
    shown: { a: 'number' },
  },
  {
    name: 'number: bounds that shut each other out',
    schema: a({ type: 'number', minimum: 2, maximum: 1 }),
    shown: { a: 'number' },
    valid: [{}],
    invalid: [{ a: 1 }, { a: 2 }, { a: 1.5 }],
  },
  {
    name: 'number: exclusive bounds and steps',
    schema: a({ type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1, multipleOf: 0.25 }),
    shown: { a: 'number' },
    valid: [{ a: 0.25 }, { a: 0.75 }],
    invalid: [{ a: 0 }, { a: 1 }, { a: 0.3 }],
  },
  {
    name: 'number or integer',
    schema: a({ type: ['number', 'integer'] }),
    shown: { a: 'json' },
    valid: [{ a: 1 }, { a: 1.5 }],
  },
  // Choices
  {
    name: 'enum: titles of the legacy kind, more than values',
    schema: a({ type: 'string', enum: ['x'], enumNames: ['X', 'Y'] }),
    shown: { a: 'choice' },
    valid: [{ a: 'x' }],
    invalid: [{ a: 'X' }],
  },
  {
    name: 'enum: titles that are no texts',
    schema: a({ type: 'string', enum: ['x', 'y'], enumNames: [1, null] }),
    shown: { a: 'choice' },
  },
  {
    name: 'enum: of nothing',
    schema: a({ enum: [] }),
    shown: { a: 'choice' },
    valid: [{}],
    invalid: [{ a: 'x' }],
  },
  { name: 'enum: that is none', schema: a({ enum: 'x' }), shown: 'impossible' },
  {
    name: 'enum: an empty text among them',
    schema: a({ type: 'string', enum: ['', 'x'] }),
    shown: { a: 'choice' },
    valid: [{ a: '' }],
  },
  {
    name: 'enum: values of another type',
    schema: a({ type: 'integer', enum: ['x', 1] }),
    shown: { a: 'choice' },
    valid: [{ a: 1 }],
    invalid: [{ a: 'x' }],
  },
  {
    name: 'oneOf: the same value twice can never be chosen',
    schema: a({
      oneOf: [
        { const: 'x', title: 'X' },
        { const: 'x', title: 'Y' },
      ],
    }),
    shown: { a: 'choice' },
    invalid: [{ a: 'x' }],
  },
  {
    name: 'multiple: at least and at most',
    schema: a(
      { type: 'array', minItems: 2, maxItems: 2, items: { enum: ['x', 'y', 'z'] } },
      { required: ['a'] },
    ),
    shown: { a: 'choices, required' },
    valid: [{ a: ['x', 'z'] }],
    invalid: [{}, { a: [] }, { a: ['x'] }, { a: ['x', 'y', 'z'] }, { a: ['x', 'q'] }],
  },
  {
    name: 'multiple: each only once',
    schema: a({ type: 'array', uniqueItems: true, items: { enum: ['x', 'y'] } }),
    shown: { a: 'choices' },
    invalid: [{ a: ['x', 'x'] }],
  },
  {
    name: 'multiple: numbers',
    schema: a({ type: 'array', items: { type: 'integer', enum: [1, 2] }, default: [2] }),
    shown: { a: 'choices [1]' },
    valid: [{ a: [1] }],
    invalid: [{ a: ['1'] }],
  },
  {
    name: 'multiple: more wanted than there is',
    schema: a({ type: 'array', minItems: 3, items: { enum: ['x'] } }),
    shown: { a: 'choices' },
    invalid: [{ a: ['x'] }],
    valid: [{}],
  },
  {
    name: 'agreement',
    schema: a({ type: 'boolean', const: true }, { required: ['a'] }),
    shown: { a: 'choice, required' },
    valid: [{ a: true }],
    invalid: [{ a: false }, {}],
  },
  {
    name: 'enum: too long to choose from',
    schema: a({ enum: Array.from({ length: 2001 }, (_, place) => place) }),
    shown: { a: 'json' },
    valid: [{ a: 2000 }],
    invalid: [{ a: 2001 }],
  },
  // Beyond controls
  {
    name: 'nested object',
    schema: a(object({ b: { type: 'string' } }, { required: ['b'] })),
    shown: { a: 'json' },
    valid: [{ a: { b: 'x' } }, {}],
    invalid: [{ a: {} }, { a: 'x' }],
  },
  {
    name: 'list of objects',
    schema: a({ type: 'array', items: object({ b: { type: 'integer' } }) }),
    shown: { a: 'json' },
    valid: [{ a: [{ b: 1 }] }],
    invalid: [{ a: [{ b: 'x' }] }],
  },
  {
    name: 'tuple',
    schema: a({ type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false }),
    shown: { a: 'json' },
    valid: [{ a: ['x', 1] }],
    invalid: [{ a: [1, 'x'] }, { a: ['x', 1, 2] }],
  },
  {
    name: 'reference within',
    schema: a({ $ref: '#/$defs/b' }, { $defs: { b: { type: 'string', minLength: 2 } } }),
    shown: { a: 'json' },
    valid: [{ a: 'xy' }],
    invalid: [{ a: 'x' }],
  },
  { name: 'reference to nowhere', schema: a({ $ref: '#/$defs/none' }), shown: 'impossible' },
  {
    name: 'reference to another place',
    schema: a({ $ref: 'https://example.org/schema' }),
    shown: 'impossible',
  },
  {
    name: 'reference to itself',
    schema: object({ a: { $ref: '#' } }),
    shown: { a: 'json' },
    valid: [{ a: { a: {} } }],
    invalid: [{ a: 1 }],
  },
  {
    name: 'all of',
    schema: a({ allOf: [{ type: 'string' }, { minLength: 2 }] }),
    shown: { a: 'json' },
    invalid: [{ a: 'x' }],
  },
  {
    name: 'one or the other',
    schema: object(
      { a: { type: 'string' }, b: { type: 'string' } },
      { anyOf: [{ required: ['a'] }, { required: ['b'] }] },
    ),
    shown: 'json',
    valid: [{ b: 'x' }],
    invalid: [{}],
  },
  {
    name: 'with one the other',
    schema: object({ a: { type: 'string' }, b: { type: 'string' } }, { dependentRequired: { a: ['b'] } }),
    shown: { a: 'text', b: 'text' },
    valid: [{}, { b: 'x' }],
    invalid: [{ a: 'x' }],
  },
  {
    name: 'at least two of three',
    schema: object({ a: {}, b: {}, c: {} }, { minProperties: 2 }),
    shown: { a: 'json', b: 'json', c: 'json' },
    valid: [{ a: 1, c: null }],
    invalid: [{ a: 1 }],
  },
  // Odd and hostile
  { name: 'empty schema', schema: {}, shown: 'confirm', valid: [{}] },
  { name: 'an object without properties', schema: { type: 'object' }, shown: 'confirm', valid: [{}] },
  {
    name: 'properties without a type',
    schema: { properties: { a: { type: 'string' } } },
    shown: { a: 'text' },
  },
  {
    name: 'a list of types at the top',
    schema: { type: ['object', 'null'], properties: {} },
    shown: 'json',
    valid: [{}],
  },
  { name: 'a list at the top', schema: { type: 'array', items: {} }, shown: 'json', invalid: [{}] },
  { name: 'a type that does not exist', schema: a({ type: 'text' }), shown: 'impossible' },
  { name: 'a type that is a number', schema: a({ type: 5 }), shown: 'impossible' },
  { name: 'property true', schema: a(true), shown: { a: 'json' }, valid: [{ a: [] }, {}] },
  { name: 'property false', schema: a(false), shown: 'confirm', valid: [{}], invalid: [{ a: 1 }] },
  {
    name: 'property false and required',
    schema: a(false, { required: ['a'] }),
    shown: 'confirm',
    invalid: [{}, { a: 1 }],
  },
  { name: 'property that is a text', schema: a('string'), shown: 'impossible' },
  { name: 'property null', schema: a(null), shown: 'impossible' },
  { name: 'properties that are a list', schema: { type: 'object', properties: [] }, shown: 'impossible' },
  { name: 'required that is a text', schema: a({ type: 'string' }, { required: 'a' }), shown: 'impossible' },
  { name: 'required twice', schema: a({ type: 'string' }, { required: ['a', 'a'] }), shown: 'impossible' },
  {
    name: 'required, but not described',
    schema: a({ type: 'string' }, { required: ['b'] }),
    shown: { a: 'text', b: 'json, required' },
    valid: [{ b: null }],
    invalid: [{ a: 'x' }],
  },
  {
    name: 'required, not described and forbidden',
    schema: a({ type: 'string' }, { required: ['b'], additionalProperties: false }),
    shown: { a: 'text', b: 'json, required' },
    invalid: [{ b: 1 }, {}],
  },
  {
    name: 'names of JavaScript',
    schema:
      '{"type":"object","properties":{"__proto__":{"type":"string","minLength":2},"constructor":{"type":"integer"},"toString":{"type":"boolean"}},"required":["__proto__"]}',
    shown: { ['__proto__']: 'text, required', constructor: 'number', toString: 'boolean' },
    valid: ['{"__proto__":"xy","constructor":1,"toString":true}'],
    invalid: ['{"__proto__":"x"}', '{}', '{"__proto__":"xy","constructor":"x"}'],
  },
  {
    name: 'a name of nothing',
    schema: object({ '': { type: 'string' } }),
    shown: { '': 'text' },
    valid: [{ '': 'x' }],
    invalid: [{ '': 1 }],
  },
  {
    name: 'names with slashes, dots, brackets and quotes',
    schema: object({
      'a/b': { type: 'integer' },
      'c~d': { type: 'integer' },
      'e.f[0]"': { type: 'integer' },
    }),
    shown: { 'a/b': 'number', 'c~d': 'number', 'e.f[0]"': 'number' },
    invalid: [{ 'a/b': 'x' }, { 'c~d': 'x' }, { 'e.f[0]"': 'x' }],
  },
  {
    name: 'a hundred fields',
    schema: object(Object.fromEntries(hundred.map((name) => [name, { type: 'string' }])), {
      required: hundred,
    }),
    shown: Object.fromEntries(hundred.map((name) => [name, 'text, required'])),
    valid: [Object.fromEntries(hundred.map((name) => [name, name]))],
    invalid: [{}],
  },
  {
    name: 'unknown members are annotations',
    schema: a(
      { type: 'string', 'x-order': 1, format: 'color', placeholder: 'x' },
      { 'x-layout': {}, title: 'T' },
    ),
    shown: { a: 'text' },
    valid: [{ a: 'red' }],
  },
  {
    name: 'draft-07 named as such',
    schema: a({ type: 'string' }, { $schema: 'http://json-schema.org/draft-07/schema#' }),
    shown: { a: 'text' },
    valid: [{ a: 'x' }],
  },
  {
    name: 'a dialect that nobody knows',
    schema: a({ type: 'string' }, { $schema: 'https://example.org/dialect' }),
    shown: 'impossible',
  },
];

for (const { name, schema, shown, valid = [], invalid = [] } of rows) {
  it(`${name}: ${JSON.stringify(shown).slice(0, 200)}`, async () => {
    const requestedSchema: JsonObject = typeof schema === 'string' ? JSON.parse(schema) : schema;
    const prompt = await formPrompt({ serverId: 's', message: '', requestedSchema }, checker);
    const card = prompt.content({ id: 'p', askedAt: 0 });
    assert.ok(card.kind === 'form');
    const { form } = card;
    assert.deepEqual(decode(formModel, JSON.parse(JSON.stringify(form))).ok, true);
    const seen =
      form.kind === 'fields' ? form.fields.map((field) => [field.name, wordsFor(field)]) : form.kind;
    assert.deepEqual(seen, typeof shown === 'string' ? shown : Object.entries(shown));
    const settlement = { promptId: 'p', digest: 'd', waitedMs: 0 };
    const judged = async (answer: JsonObject | string): Promise<unknown> => {
      const content: JsonObject = typeof answer === 'string' ? JSON.parse(answer) : answer;
      // Unlike a page that asks for live validation, a page that is forged sends at once: this is the last gate.
      return prompt.judge({ kind: 'submit', content }, { ...card, digest: 'd' }, settlement);
    };
    for (const answer of valid) {
      const content: unknown = typeof answer === 'string' ? JSON.parse(answer) : answer;
      const expected = { kind: 'answer', answer: { ...settlement, kind: 'accept', content } };
      assert.deepEqual(await judged(answer), expected, JSON.stringify(answer));
    }
    for (const answer of invalid) {
      const verdict = await judged(answer);
      assert.ok(
        typeof verdict === 'object' && verdict !== null && Reflect.get(verdict, 'reason') === 'invalid',
        `${JSON.stringify(answer)} is refused`,
      );
    }
  });
}

function wordsFor(field: FormField): string {
  const initial = field.initial === undefined ? '' : ` ${JSON.stringify(field.initial)}`;
  return `${field.kind}${initial}${field.required ? ', required' : ''}`;
}

it('what is too deep or too long to be shown is cut or said to be, never a silent answer', async () => {
  let deep: JsonValue = 'x';
  for (let level = 0; level < 600; level += 1) deep = [deep];
  const requestedSchema: JsonObject = { type: 'object', properties: { a: { type: 'array', default: deep } } };
  const message = 'word '.repeat(2_000_000);
  const prompt = await formPrompt({ serverId: 's', message, requestedSchema }, checker);
  const card = prompt.content({ id: 'p', askedAt: 0 });
  assert.ok(card.kind === 'form' && shownCard(card) !== undefined);
  assert.equal(card.form.kind, 'impossible');
  assert.match(card.message.slice(-40), /…\n\[9800001 more characters\]$/);
});

it('at least a hundred answers to schemas of more than eighty kinds', () => {
  const answers = rows.reduce((sum, { valid = [], invalid = [] }) => sum + valid.length + invalid.length, 0);
  assert.ok(rows.length >= 80 && answers >= 100, `${rows.length} schemas, ${answers} answers`);
});
