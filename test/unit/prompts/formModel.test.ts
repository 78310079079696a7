import assert from 'node:assert/strict';
import type { JsonObject, JsonValue } from '../../../src/base/json.ts';
import { InputCheck } from '../../../src/prompts/checkInput.ts';
import { editModelOf, formModelOf } from '../../../src/prompts/formModel.ts';
import { decode } from '../../../src/shared/decode.ts';
import { type FormField, formModel } from '../../../src/shared/formModel.ts';
import { SchemaChecker } from '../../../src/tools/schemaChecker.ts';
import { describe, it } from '../../helpers/nodeTest.ts';

const checker = new SchemaChecker();

/** A property of a form: what is shown for it, and which values may be sent. */
interface PropertyRow {
  readonly name: string;
  readonly schema: JsonValue;
  readonly required?: true;
  readonly shown: Partial<FormField> & { readonly kind: FormField['kind'] };
  readonly valid?: readonly JsonValue[];
  readonly invalid?: readonly JsonValue[];
}

const option = (value: JsonValue, label: string): { readonly value: JsonValue; readonly label: string } => ({
  value,
  label,
});

const properties: readonly PropertyRow[] = [
  {
    name: 'plain text',
    schema: { type: 'string' },
    shown: { kind: 'text' },
    valid: ['', 'x'],
    invalid: [1, null, true],
  },
  {
    name: 'title and description',
    schema: { type: 'string', title: 'T', description: 'D' },
    shown: { kind: 'text', label: 'T', description: 'D' },
  },
  {
    name: 'empty title',
    schema: { type: 'string', title: '', description: '' },
    shown: { kind: 'text', label: 'value' },
  },
  {
    name: 'title that is no text',
    schema: { type: 'string', default: 'd' },
    shown: { kind: 'text', initial: 'd' },
  },
  {
    name: 'lengths',
    schema: { type: 'string', minLength: 2, maxLength: 3 },
    shown: { kind: 'text', minLength: 2, maxLength: 3 },
    valid: ['ab', 'abc', '👍👍'],
    invalid: ['a', 'abcd'],
  },
  {
    name: 'pattern',
    schema: { type: 'string', pattern: '^a+$' },
    shown: { kind: 'text', pattern: '^a+$' },
    valid: ['aa'],
    invalid: ['b'],
  },
  {
    name: 'e-mail',
    schema: { type: 'string', format: 'email' },
    shown: { kind: 'text', format: 'email' },
    valid: ['a@b.ch'],
    invalid: ['a', 'a@'],
  },
  {
    name: 'URI',
    schema: { type: 'string', format: 'uri' },
    shown: { kind: 'text', format: 'uri' },
    valid: ['https://a.b/c'],
    invalid: ['a b'],
  },
  {
    name: 'date',
    schema: { type: 'string', format: 'date' },
    shown: { kind: 'text', format: 'date' },
    valid: ['2026-02-28'],
    invalid: ['2026-02-30', 'today'],
  },
  {
    name: 'date-time',
    schema: { type: 'string', format: 'date-time' },
    shown: { kind: 'text', format: 'date-time' },
    valid: ['2026-02-28T10:00:00Z', '2026-02-28T10:00:00+01:00'],
    invalid: ['2026-02-28', '2026-02-28T10:00:00'],
  },
  { name: 'format without a control', schema: { type: 'string', format: 'ipv4' }, shown: { kind: 'text' } },
  {
    name: 'unknown format',
    schema: { type: 'string', format: 'color' },
    shown: { kind: 'text' },
    valid: ['red'],
  },
  { name: 'default text', schema: { type: 'string', default: 'x' }, shown: { kind: 'text', initial: 'x' } },
  { name: 'default that does not fit', schema: { type: 'string', default: 5 }, shown: { kind: 'text' } },
  {
    name: 'optional text or null',
    schema: { type: ['string', 'null'] },
    shown: { kind: 'text' },
    valid: ['x', null],
  },
  {
    name: 'required text or null',
    schema: { type: ['string', 'null'] },
    required: true,
    shown: { kind: 'json' },
    valid: ['x', null],
    invalid: [1],
  },
  {
    name: 'text or number',
    schema: { type: ['string', 'number'] },
    shown: { kind: 'json' },
    valid: ['x', 1],
    invalid: [true],
  },
  {
    name: 'required text',
    schema: { type: 'string' },
    required: true,
    shown: { kind: 'text', required: true },
  },
  {
    name: 'number',
    schema: { type: 'number' },
    shown: { kind: 'number', integer: false },
    valid: [0, -1.5, 1e9],
    invalid: ['1'],
  },
  {
    name: 'number with bounds',
    schema: { type: 'number', minimum: 1, maximum: 2 },
    shown: { kind: 'number', minimum: 1, maximum: 2 },
    valid: [1, 1.5, 2],
    invalid: [0.9, 2.1],
  },
  {
    name: 'number with open bounds',
    schema: { type: 'number', exclusiveMinimum: 0 },
    shown: { kind: 'number' },
    valid: [0.1],
    invalid: [0],
  },
  {
    name: 'steps',
    schema: { type: 'number', multipleOf: 5 },
    shown: { kind: 'number' },
    valid: [10],
    invalid: [11],
  },
  { name: 'default number', schema: { type: 'number', default: 0 }, shown: { kind: 'number', initial: 0 } },
  { name: 'default number as text', schema: { type: 'number', default: '0' }, shown: { kind: 'number' } },
  {
    name: 'integer',
    schema: { type: 'integer' },
    shown: { kind: 'number', integer: true },
    valid: [0, -3],
    invalid: [1.5, '1'],
  },
  {
    name: 'default integer with a fraction',
    schema: { type: 'integer', default: 1.5 },
    shown: { kind: 'number', integer: true },
  },
  {
    name: 'integer or null',
    schema: { type: ['integer', 'null'] },
    shown: { kind: 'number', integer: true },
  },
  {
    name: 'yes or no',
    schema: { type: 'boolean' },
    shown: { kind: 'boolean' },
    valid: [true, false],
    invalid: ['yes', 0],
  },
  {
    name: 'default yes',
    schema: { type: 'boolean', default: true },
    shown: { kind: 'boolean', initial: true },
  },
  {
    name: 'default no',
    schema: { type: 'boolean', default: false },
    shown: { kind: 'boolean', initial: false },
  },
  {
    name: 'enum',
    schema: { type: 'string', enum: ['a', 'b'] },
    shown: { kind: 'choice', options: [option('a', 'a'), option('b', 'b')] },
    valid: ['a'],
    invalid: ['c', ''],
  },
  {
    name: 'enum without a type',
    schema: { enum: ['a', 1, null, true] },
    shown: {
      kind: 'choice',
      options: [option('a', 'a'), option(1, '1'), option(null, 'null'), option(true, 'true')],
    },
    valid: [1, null],
  },
  {
    name: 'enum with names',
    schema: { type: 'string', enum: ['a', 'b'], enumNames: ['A', 'B'] },
    shown: { kind: 'choice', options: [option('a', 'A'), option('b', 'B')] },
  },
  {
    name: 'enum with too few names',
    schema: { type: 'string', enum: ['a', 'b'], enumNames: ['A'] },
    shown: { kind: 'choice', options: [option('a', 'A'), option('b', 'b')] },
  },
  {
    name: 'enum with an empty name',
    schema: { type: 'string', enum: ['a'], enumNames: [''] },
    shown: { kind: 'choice', options: [option('a', 'a')] },
  },
  {
    name: 'enum with a default',
    schema: { type: 'string', enum: ['a', 'b'], default: 'b' },
    shown: { kind: 'choice', initial: 1 },
  },
  {
    name: 'enum with a default that is none of it',
    schema: { type: 'string', enum: ['a', 'b'], default: 'c' },
    shown: { kind: 'choice' },
  },
  {
    name: 'enum with the same twice',
    schema: { enum: ['a', 'a', 'b'] },
    shown: { kind: 'choice', options: [option('a', 'a'), option('b', 'b')] },
  },
  {
    name: 'required enum',
    schema: { type: 'string', enum: ['a', 'b'] },
    required: true,
    shown: { kind: 'choice', required: true },
  },
  {
    name: 'number enum',
    schema: { type: 'integer', enum: [1, 2], default: 2 },
    shown: { kind: 'choice', options: [option(1, '1'), option(2, '2')], initial: 1 },
    valid: [1],
    invalid: ['1', 3],
  },
  {
    name: 'oneOf of constants',
    schema: { type: 'string', oneOf: [{ const: 'a', title: 'A' }, { const: 'b' }] },
    shown: { kind: 'choice', options: [option('a', 'A'), option('b', 'b')] },
    valid: ['a'],
    invalid: ['c'],
  },
  {
    name: 'anyOf of constants',
    schema: { anyOf: [{ const: 1, title: 'One' }] },
    shown: { kind: 'choice', options: [option(1, 'One')] },
  },
  {
    name: 'oneOf with a default',
    schema: {
      type: 'string',
      oneOf: [
        { const: 'a', title: 'A' },
        { const: 'b', title: 'B' },
      ],
      default: 'a',
    },
    shown: { kind: 'choice', initial: 0 },
  },
  {
    name: 'oneOf of other things',
    schema: { oneOf: [{ type: 'string' }, { type: 'number' }] },
    shown: { kind: 'json' },
    valid: ['a', 1],
    invalid: [true],
  },
  {
    name: 'anyOf of constants and others',
    schema: { anyOf: [{ const: 'a' }, { type: 'number' }] },
    shown: { kind: 'json' },
    valid: ['a', 1],
    invalid: ['b'],
  },
  {
    name: 'constant',
    schema: { const: 'fixed' },
    shown: { kind: 'choice', options: [option('fixed', 'fixed')] },
    valid: ['fixed'],
    invalid: ['other'],
  },
  {
    name: 'multiple enum',
    schema: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
    shown: { kind: 'choices', options: [option('a', 'a'), option('b', 'b')] },
    valid: [[], ['a'], ['a', 'b']],
    invalid: [['c'], 'a'],
  },
  {
    name: 'multiple anyOf',
    schema: { type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] } },
    shown: { kind: 'choices', options: [option('a', 'A')] },
  },
  {
    name: 'multiple oneOf',
    schema: { type: 'array', items: { oneOf: [{ const: 'a', title: 'A' }] } },
    shown: { kind: 'choices', options: [option('a', 'A')] },
  },
  {
    name: 'multiple with bounds',
    schema: { type: 'array', minItems: 1, maxItems: 2, items: { enum: ['a', 'b', 'c'] } },
    shown: { kind: 'choices', minItems: 1, maxItems: 2 },
    valid: [['a'], ['a', 'b']],
    invalid: [[], ['a', 'b', 'c']],
  },
  {
    name: 'multiple with a default',
    schema: { type: 'array', items: { enum: ['a', 'b'] }, default: ['b'] },
    shown: { kind: 'choices', initial: [1] },
  },
  {
    name: 'multiple with a default beyond',
    schema: { type: 'array', items: { enum: ['a', 'b'] }, default: ['b', 'x'] },
    shown: { kind: 'choices' },
  },
  {
    name: 'multiple with an empty default',
    schema: { type: 'array', items: { enum: ['a'] }, default: [] },
    shown: { kind: 'choices', initial: [] },
  },
  {
    name: 'list of texts',
    schema: { type: 'array', items: { type: 'string' } },
    shown: { kind: 'json' },
    valid: [['x']],
    invalid: [[1]],
  },
  {
    name: 'list without items',
    schema: { type: 'array' },
    shown: { kind: 'json' },
    valid: [[1, 'a']],
    invalid: [{}],
  },
  {
    name: 'list of objects',
    schema: { type: 'array', items: { type: 'object', required: ['a'] } },
    shown: { kind: 'json' },
    valid: [[{ a: 1 }]],
    invalid: [[{}]],
  },
  {
    name: 'nested object',
    schema: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
    shown: { kind: 'json' },
    valid: [{ a: 'x' }],
    invalid: [{}, { a: 1 }],
  },
  {
    name: 'nested object with a default',
    schema: { type: 'object', default: { a: 1 } },
    shown: { kind: 'json', initial: { a: 1 } },
  },
  {
    name: 'reference',
    schema: { $ref: '#/$defs/name' },
    shown: { kind: 'json' },
    valid: ['Kim'],
    invalid: [1],
  },
  {
    name: 'conditions',
    schema: { type: 'string', if: { minLength: 6 }, else: { maxLength: 4 } },
    shown: { kind: 'json' },
    valid: ['abcd'],
    invalid: ['abcde'],
  },
  {
    name: 'negation',
    schema: { type: 'string', not: { const: 'x' } },
    shown: { kind: 'json' },
    valid: ['y'],
    invalid: ['x'],
  },
  { name: 'anything', schema: true, shown: { kind: 'json' }, valid: [1, 'a', null, {}] },
  { name: 'no type', schema: {}, shown: { kind: 'json' }, valid: [1, 'a'] },
  { name: 'null only', schema: { type: 'null' }, shown: { kind: 'json' }, valid: [null], invalid: [0] },
];

describe('one property', () => {
  for (const { name, schema, required, shown, valid = [], invalid = [] } of properties) {
    const whole: JsonObject = {
      type: 'object',
      $defs: { name: { type: 'string' } },
      properties: { value: schema },
      ...(required === true ? { required: ['value'] } : {}),
    };
    it(`${name}: ${JSON.stringify(shown)}`, async () => {
      const model = formModelOf(whole);
      const base = { name: 'value', label: 'value', required: required === true, secret: false };
      const defaults = shown.kind === 'number' ? { integer: false } : {};
      const [field] = model.kind === 'fields' ? model.fields : [];
      // The options are said once, in the rows about them.
      const options =
        'options' in shown || !(field !== undefined && 'options' in field) ? {} : { options: field.options };
      const hints = restOf(field, shown);
      assert.deepEqual(model, {
        kind: 'fields',
        fields: [{ ...base, ...defaults, ...options, ...hints, ...shown }],
      });
      assert.deepEqual(decode(formModel, JSON.parse(JSON.stringify(model))), { ok: true, value: model });
      const check = new InputCheck(checker, whole);
      assert.equal(await check.refusal(), undefined);
      for (const value of valid) assert.deepEqual(await check.problems({ value }), [], JSON.stringify(value));
      for (const value of invalid) {
        const problems = await check.problems({ value });
        assert.ok(problems.length > 0, `${JSON.stringify(value)} is refused`);
        assert.ok(
          problems.every(({ path }) => path.startsWith('/value')),
          JSON.stringify(problems),
        );
      }
      const missing = required === true ? [{ path: '/value', message: 'This is required.' }] : [];
      assert.deepEqual(await check.problems({}), missing);
    });
  }
});

/** Bounds that the row does not name are none of its business. */
function restOf(field: FormField | undefined, shown: object): object {
  const hints = ['minLength', 'maxLength', 'pattern', 'minimum', 'maximum', 'minItems', 'maxItems'];
  return Object.fromEntries(
    Object.entries(field ?? {}).filter(([key]) => hints.includes(key) && !(key in shown)),
  );
}

const wholes: readonly { readonly name: string; readonly schema: JsonObject; readonly shown: object }[] = [
  { name: 'no properties', schema: { type: 'object', properties: {} }, shown: { kind: 'confirm' } },
  { name: 'nothing at all', schema: {}, shown: { kind: 'confirm' } },
  { name: 'an object of anything', schema: { type: 'object' }, shown: { kind: 'confirm' } },
  {
    name: 'properties that are no object',
    schema: { type: 'object', properties: [] },
    shown: { kind: 'confirm' },
  },
  { name: 'a property that must not be', schema: { properties: { a: false } }, shown: { kind: 'confirm' } },
  { name: 'not an object', schema: { type: 'string' }, shown: { kind: 'json', initial: {} } },
  {
    name: 'a default for the whole',
    schema: { type: 'array', default: { a: 1 } },
    shown: { kind: 'json', initial: { a: 1 } },
  },
  ...[
    'anyOf',
    'oneOf',
    'allOf',
    'not',
    'if',
    '$ref',
    'patternProperties',
    'propertyNames',
    'dependentSchemas',
  ].map((key) => ({
    name: `${key} at the top`,
    schema: { type: 'object', properties: { a: { type: 'string' } }, [key]: {} },
    shown: { kind: 'json', initial: {} },
  })),
  {
    name: 'more than 500 properties',
    schema: { properties: Object.fromEntries(Array.from({ length: 501 }, (_, index) => [`p${index}`, {}])) },
    shown: { kind: 'json', initial: {} },
  },
];

describe('the whole schema', () => {
  for (const { name, schema, shown } of wholes) {
    it(`${name}: ${JSON.stringify(shown)}`, () => {
      const { reason: _reason, ...model } = { reason: '', ...formModelOf(schema) };
      assert.deepEqual(model, shown);
    });
  }

  it('a required name that nothing describes has a field all the same', () => {
    assert.deepEqual(formModelOf({ type: 'object', required: ['a', 1] }), {
      kind: 'fields',
      fields: [{ kind: 'json', name: 'a', label: 'a', required: true, secret: false }],
    });
  });

  it('names that ask for secrets are marked, others are not', () => {
    const names = [
      'password',
      'apiKey',
      'api_key',
      'client_secret',
      'accessToken',
      'passphrase',
      'max_tokens',
      'page_token',
      'keyboard',
      'author',
    ];
    const schema = { properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])) };
    const model = formModelOf(schema);
    assert.ok(model.kind === 'fields');
    assert.deepEqual(
      model.fields.filter(({ secret }) => secret).map(({ name }) => name),
      ['password', 'apiKey', 'api_key', 'client_secret', 'accessToken', 'passphrase'],
    );
    const titled = formModelOf({
      properties: { x: { type: 'string', title: 'Your API key' }, y: { type: 'string', title: 'Keynote' } },
    });
    assert.ok(titled.kind === 'fields');
    assert.deepEqual(
      titled.fields.map(({ secret }) => secret),
      [true, false],
    );
  });
});

describe('a value that is being changed', () => {
  const rows: readonly {
    readonly name: string;
    readonly schema: JsonObject;
    readonly value: JsonObject;
    readonly shown: readonly (readonly [string, string, unknown])[];
  }[] = [
    {
      name: 'values stand in the controls that can hold them',
      schema: {
        properties: {
          a: { type: 'string' },
          b: { type: 'integer' },
          c: { type: 'boolean' },
          d: { enum: ['x', 'y'] },
        },
      },
      value: { a: '', b: 0, c: false, d: 'y' },
      shown: [
        ['a', 'text', ''],
        ['b', 'number', 0],
        ['c', 'boolean', false],
        ['d', 'choice', 1],
      ],
    },
    {
      name: 'defaults do not add what was not asked for',
      schema: { properties: { a: { type: 'string', default: 'x' }, b: { enum: ['x'], default: 'x' } } },
      value: {},
      shown: [
        ['a', 'text', undefined],
        ['b', 'choice', undefined],
      ],
    },
    {
      name: 'what no control can hold is typed as JSON, never dropped',
      schema: {
        properties: { a: { type: ['string', 'null'] }, b: { type: 'array', items: { enum: ['x'] } }, c: {} },
      },
      value: { a: null, b: ['z'], c: [1] },
      shown: [
        ['a', 'json', null],
        ['b', 'json', ['z']],
        ['c', 'json', [1]],
      ],
    },
    {
      name: 'members that the schema does not know are there too, by their own kind',
      schema: { properties: { a: { type: 'string' } } },
      value: { a: 'x', more: 'y', number: 2, flag: true, deep: { z: 1 } },
      shown: [
        ['a', 'text', 'x'],
        ['more', 'text', 'y'],
        ['number', 'number', 2],
        ['flag', 'boolean', true],
        ['deep', 'json', { z: 1 }],
      ],
    },
    {
      name: 'a member that must not be there can still be seen',
      schema: { properties: { a: false } },
      value: { a: 1 },
      shown: [['a', 'number', 1]],
    },
  ];
  for (const { name, schema, value, shown } of rows) {
    it(name, () => {
      const model = editModelOf(schema, value);
      assert.ok(model.kind === 'fields');
      assert.deepEqual(
        model.fields.map((field) => [field.name, field.kind, field.initial]),
        shown,
      );
    });
  }

  it('a schema beyond a form gives the value as JSON', () => {
    const model = editModelOf({ anyOf: [{}] }, { a: 1 });
    assert.deepEqual(model.kind === 'json' && model.initial, { a: 1 });
    const none = editModelOf({}, {});
    assert.deepEqual(none.kind === 'json' && none.initial, {});
  });
});

it('several faults are reported together, each at its field; what is missing hides nothing', async () => {
  const schema = {
    type: 'object',
    properties: {
      'a/b': { type: 'integer' },
      list: { type: 'array', items: { type: 'string' } },
      '__proto__ x': { type: 'string' },
    },
    required: ['needed', 'a/b'],
    additionalProperties: false,
  };
  const problems = await new InputCheck(checker, schema).problems({
    'a/b': 'x',
    list: ['ok', 2],
    '__proto__ x': 1,
    extra: 1,
  });
  assert.deepEqual(problems.map(({ path }) => path).sort(), [
    '',
    '/__proto__ x',
    '/a~1b',
    '/list/1',
    '/needed',
  ]);
  assert.deepEqual(await new InputCheck(checker, schema).problems([]), [
    { path: '', message: 'This must be a JSON object.' },
  ]);
});

describe('formModelOf: lists', () => {
  it('finds a long default among many values', () => {
    const values = Array.from({ length: 2000 }, (_, index) => `value ${index}`);
    const places = Array.from({ length: 20_000 }, (_, index) => 1999 - (index % 2000));
    const model = formModelOf({
      properties: {
        a: { type: 'array', items: { enum: values }, default: places.map((place) => values[place] ?? '') },
      },
    });
    const field = model.kind === 'fields' ? model.fields[0] : undefined;
    assert.ok(field?.kind === 'choices');
    assert.deepEqual(field.initial, places);
  });
});

describe('options that would look the same', () => {
  const rows: readonly (readonly [name: string, property: JsonObject, labels: readonly string[]])[] = [
    ['equal titles', { enum: ['del', 'keep'], enumNames: ['Yes', 'Yes'] }, ['Yes ("del")', 'Yes ("keep")']],
    [
      'equal titles of constants',
      {
        oneOf: [
          { const: 1, title: 'One' },
          { const: 2, title: ' One ' },
        ],
      },
      ['One (1)', ' One  (2)'],
    ],
    ['titles of nothing', { enum: ['x', 'y'], enumNames: [' ', '\u200b'] }, ['x', 'y']],
    ['an empty text', { enum: ['', ' ', 'x'] }, ['""', '" "', 'x']],
    [
      'values of several types',
      { enum: ['1', 1, 'true', true, 'null', null] },
      ['"1"', '1', '"true"', 'true', '"null"', 'null'],
    ],
    ['a title like the next value', { enum: ['x', 'y'], enumNames: ['y'] }, ['y ("x")', '"y"']],
    ['letters put together in two ways', { enum: ['\u00e9', 'e\u0301'] }, ['"\u00e9"', '"e\\u0301"']],
    ['some of them only', { enum: ['a', 'b', 'c'], enumNames: ['A', 'B', 'B'] }, ['A', 'B ("b")', 'B ("c")']],
    ['the same value twice is one', { enum: ['a', 'a'], enumNames: ['A', 'A'] }, ['A']],
    [
      'values that differ at their end',
      { enum: [`${'x'.repeat(500)}1`, `${'x'.repeat(500)}2`], enumNames: ['X', 'X'] },
      [`X ("${'x'.repeat(500)}1")`, `X ("${'x'.repeat(500)}2")`],
    ],
  ];
  for (const [name, property, labels] of rows)
    it(name, () => {
      const model = formModelOf({ properties: { a: property } });
      const field = model.kind === 'fields' ? model.fields[0] : undefined;
      assert.ok(field?.kind === 'choice');
      assert.deepEqual(
        field.options.map(({ label }) => label),
        labels,
      );
    });
});

it('fields whose names would look the same are told apart by how they are spelled', () => {
  const properties = { '\u00e9': {}, 'e\u0301': {}, a: { title: 'Name' }, b: { title: 'Name' } };
  const model = formModelOf({ properties });
  assert.deepEqual(model.kind === 'fields' && model.fields.map(({ name, label }) => [name, label]), [
    ['\u00e9', '\u00e9 ("\u00e9")'],
    ['e\u0301', 'e\u0301 ("e\\u0301")'],
    ['a', 'Name'],
    ['b', 'Name'],
  ]);
});

describe('a list that is being edited keeps its order and its number', () => {
  for (const [given, kind] of [
    [['x', 'y'], 'choices'],
    [['y', 'x'], 'json'],
    [['x', 'x'], 'json'],
  ] as const)
    it(`${given.join(', ')}: ${kind}`, () => {
      const schema = { properties: { a: { type: 'array', items: { enum: ['x', 'y'] } } } };
      const model = editModelOf(schema, { a: [...given] });
      assert.equal(model.kind === 'fields' && model.fields[0]?.kind, kind);
    });
});

it('an answer as one JSON text begins with the defaults', () => {
  const schema = {
    properties: { a: { default: 1 }, b: {}, c: { default: null }, ['__proto__']: { default: 'x' } },
    not: {},
  };
  const model = formModelOf(schema);
  assert.ok(model.kind === 'json');
  assert.equal(JSON.stringify(model.initial), '{"a":1,"c":null,"__proto__":"x"}');
});
