import assert from 'node:assert/strict';
import { Ajv } from 'ajv';
import * as fc from 'fast-check';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/base/json.ts';
import { MAX_MODEL_SCHEMA, modelSchema, originalArguments } from '../../../src/tools/modelSchema.ts';
import { loadCompiler } from '../../../src/tools/schemaCompile.ts';
import { compileSchema } from '../../../src/tools/schemaReading.ts';
import { describe, it } from '../../helpers/nodeTest.ts';
import { explicit, someSchema, someValue } from './schemaArbitraries.ts';

/** The schema of the only argument `a`, and what is said about it. */
function repairedProperty(schema: JsonValue): unknown {
  const model = modelSchema({ type: 'object', properties: { a: schema } });
  if (model.kind !== 'ready') return model;
  const properties = model.schema['properties'];
  return [isJsonObject(properties) ? properties['a'] : undefined, model.repairs.map(({ detail }) => detail)];
}

const properties: readonly (readonly [
  title: string,
  schema: JsonValue,
  result: JsonValue | undefined,
  repairs: readonly string[],
])[] = [
  [
    'what is simple stays',
    { type: 'string', minLength: 1, description: 'x' },
    { description: 'x', minLength: 1, type: 'string' },
    [],
  ],
  [
    'an array without items',
    { type: 'array' },
    { type: 'array', items: {} },
    ['The array gets an "items" that allows anything.'],
  ],
  [
    'an array inside an array',
    { type: 'array', items: { type: 'array' } },
    { type: 'array', items: { type: 'array', items: {} } },
    ['The array gets an "items" that allows anything.'],
  ],
  [
    'a list of types',
    { type: ['string', 'null'], maxLength: 5, description: 'x' },
    { description: 'x', anyOf: [{ type: 'string', maxLength: 5 }, { type: 'null' }] },
    ['The list of types is given as "anyOf".'],
  ],
  [
    'listed values of none of the types, beside alternatives',
    { type: ['string', 'null'], enum: [1, 2], anyOf: [{ type: 'string' }, { type: 'null' }] },
    undefined,
    ['A property that can never be given is left out.'],
  ],
  [
    'a list of types beside alternatives',
    { type: ['string', 'null'], anyOf: [{ minLength: 2 }, { type: 'null' }, { type: 'number' }] },
    { anyOf: [{ type: 'string', minLength: 2 }, { type: 'null' }] },
    ['The list of types is given as "anyOf".'],
  ],
  [
    'a type beside alternatives of other types',
    { type: 'string', anyOf: [{ type: 'integer' }, { type: 'null' }] },
    undefined,
    ['A property that can never be given is left out.'],
  ],
  [
    'a type beside alternatives, of which one is possible',
    { type: 'string', anyOf: [{ type: 'integer' }, { maxLength: 3 }] },
    { type: 'string', maxLength: 3 },
    [],
  ],
  [
    'a type beside alternatives of which one is no more than the type',
    { type: 'string', anyOf: [{ maxLength: 3 }, { type: ['string', 'null'] }] },
    { type: 'string' },
    [],
  ],
  [
    'properties beside null',
    { description: 'y', properties: { x: {} }, anyOf: [{ type: 'object' }, { type: 'null' }] },
    { description: 'y', anyOf: [{ type: 'object', properties: { x: {} } }, { type: 'null' }] },
    [],
  ],
  [
    'listed values beside alternatives',
    { enum: ['a', 'bb', 1, null], anyOf: [{ type: 'string', maxLength: 1 }, { type: ['integer', 'null'] }] },
    {
      anyOf: [
        { type: 'string', maxLength: 1, enum: ['a', 'bb'] },
        { type: 'integer', description: 'Expected: 1.', minimum: 1, maximum: 1 },
        { type: 'null' },
      ],
    },
    [
      'The list of types is given as "anyOf".',
      'Listed values that are no texts are told in the description.',
    ],
  ],
  [
    'listed numbers',
    { description: 'x', enum: [4, 1, 2], minimum: 0 },
    { type: 'integer', description: 'x. Expected: 4, 1 or 2.', minimum: 1, maximum: 4 },
    ['Listed values that are no texts are told in the description.'],
  ],
  [
    'one boolean',
    { const: true },
    { type: 'boolean', description: 'Expected: true.' },
    ['"const" is given as "enum".', 'Listed values that are no texts are told in the description.'],
  ],
  ['both booleans', { type: 'boolean', enum: [true, false] }, { type: 'boolean' }, []],
  [
    'a format that a back end refuses',
    { type: 'string', format: 'uri', description: 'x' },
    { type: 'string', description: 'x. Expected: a URI such as https://example.com.' },
    ['The format "uri" is told in the description.'],
  ],
  [
    'a format that all take',
    { type: 'string', format: 'date-time' },
    { type: 'string', format: 'date-time' },
    [],
  ],
  [
    'a property that has no name for the model, in a closed object',
    { type: 'object', properties: { '': {}, x: {} }, additionalProperties: false },
    { type: 'object', properties: { x: {} } },
    ['A property with this name is left out.'],
  ],
  [
    'properties beside what is no object',
    { properties: { x: {} }, anyOf: [{ type: 'string' }, { type: 'null' }] },
    { anyOf: [{ type: 'string' }, { type: 'null' }] },
    [],
  ],
  ['a list of one type', { type: ['integer'], minimum: 1 }, { type: 'integer', minimum: 1 }, []],
  [
    'a list of types with listed values',
    { type: ['string', 'null'], enum: ['a', null] },
    {
      anyOf: [{ type: 'string', enum: ['a'] }, { type: 'null' }],
    },
    ['The list of types is given as "anyOf".'],
  ],
  ['a constant', { const: 'x' }, { type: 'string', enum: ['x'] }, ['"const" is given as "enum".']],
  [
    'a constant number',
    { const: 1.5 },
    { type: 'number', minimum: 1.5, maximum: 1.5, description: 'Expected: 1.5.' },
    ['"const" is given as "enum".', 'Listed values that are no texts are told in the description.'],
  ],
  [
    'a constant object',
    { const: { x: 1 }, type: 'object' },
    { type: 'object', description: 'Expected: values such as [{"x":1}].' },
    ['"const" is given as "enum".', '"enum" is left out.'],
  ],
  ['an empty enum', { type: 'string', enum: [] }, { type: 'string' }, ['"enum" is left out.']],
  [
    'the old tuple',
    { type: 'array', items: [{ type: 'string' }, { type: 'number' }] },
    { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }] } },
    ['The positions of the array are given as alternatives for every item.'],
  ],
  [
    'the new tuple',
    { type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'string' } },
    { type: 'array', items: { type: 'string' } },
    ['The positions of the array are given as alternatives for every item.'],
  ],
  [
    'a closed tuple',
    { prefixItems: [{ type: 'string' }], items: false, minItems: 1 },
    { type: 'array', minItems: 1, items: { type: 'string' } },
    ['The positions of the array are given as alternatives for every item.'],
  ],
  [
    'anyOf stays',
    { anyOf: [{ type: 'string' }, { type: 'null' }], default: null },
    { default: null, anyOf: [{ type: 'string' }, { type: 'null' }] },
    [],
  ],
  [
    'oneOf',
    { oneOf: [{ type: 'string' }, { type: 'number' }] },
    { anyOf: [{ type: 'string' }, { type: 'number' }] },
    ['"oneOf" is given as "anyOf".'],
  ],
  [
    'one alternative',
    { anyOf: [{ type: 'string' }], description: 'x' },
    { description: 'x', type: 'string' },
    [],
  ],
  [
    'an alternative that allows anything',
    { anyOf: [{ type: 'string' }, {}] },
    {},
    ['"anyOf" is left out, because one of its forms allows anything.'],
  ],
  ['impossible alternatives', { anyOf: [{ type: 'string' }, false] }, { type: 'string' }, []],
  [
    'allOf',
    {
      allOf: [
        { type: 'object', properties: { x: { type: 'string' } }, required: ['x'] },
        { properties: { y: { type: 'number' } } },
      ],
    },
    { type: 'object', properties: { x: { type: 'string' }, y: { type: 'number' } }, required: ['x'] },
    ['"allOf" is put together into one schema.'],
  ],
  [
    'allOf of types that exclude each other',
    { allOf: [{ type: 'string' }, { type: 'array', minItems: 1, items: {} }] },
    undefined,
    ['"allOf" is put together into one schema.', 'A property that can never be given is left out.'],
  ],
  [
    'allOf of a list of types and one of them',
    {
      allOf: [
        { type: ['array', 'object'], items: {} },
        { type: 'object', properties: { x: {} } },
      ],
    },
    { type: 'object', properties: { x: {} } },
    ['"allOf" is put together into one schema.'],
  ],
  [
    'allOf of a type and listed values of another',
    { allOf: [{ type: 'string' }, { enum: [1, 2] }] },
    undefined,
    ['"allOf" is put together into one schema.', 'A property that can never be given is left out.'],
  ],
  [
    'allOf of a type and listed values of some types',
    { allOf: [{ type: 'string', maxLength: 3 }, { enum: [1, 'a'] }] },
    { type: 'string', maxLength: 3, enum: ['a'] },
    ['"allOf" is put together into one schema.'],
  ],
  [
    'allOf of listed values that exclude each other',
    { allOf: [{ enum: ['a'] }, { enum: ['b'] }] },
    undefined,
    ['"allOf" is put together into one schema.', 'A property that can never be given is left out.'],
  ],
  [
    'allOf of a number and an integer',
    { allOf: [{ type: 'integer' }, { type: 'number', minimum: 1 }] },
    { type: 'integer', minimum: 1 },
    ['"allOf" is put together into one schema.'],
  ],
  [
    'allOf of what only suggests a type and an array',
    { allOf: [{ properties: { x: {} } }, { type: 'array', items: { type: 'string' } }] },
    { type: 'array', items: { type: 'string' } },
    ['"allOf" is put together into one schema.'],
  ],
  [
    'allOf of properties that exclude each other',
    { allOf: [{ properties: { x: { type: 'string' }, y: {} } }, { properties: { x: { type: 'null' } } }] },
    { type: 'object', properties: { y: {} } },
    ['"allOf" is put together into one schema.', 'A property that can never be given is left out.'],
  ],
  [
    'allOf of closed objects',
    {
      allOf: [
        { type: 'object', properties: { x: {} }, additionalProperties: false },
        { properties: { y: {} } },
      ],
    },
    { type: 'object', properties: { x: {}, y: {} } },
    ['"allOf" is put together into one schema.'],
  ],
  [
    'what nobody understands',
    { type: 'string', 'x-mcp-header': 'Region', $comment: 'x', contentEncoding: 'base64' },
    { type: 'string' },
    ['Left out: x-mcp-header, $comment, contentEncoding.'],
  ],
  [
    'conditions',
    // oxlint-disable-next-line unicorn/no-thenable -- the keyword of JSON Schema
    { type: 'object', if: { required: ['x'] }, then: { properties: { y: { type: 'string' } } }, not: {} },
    { type: 'object', properties: { y: { type: 'string' } } },
    ['Of "then", which holds under a condition, only the properties are kept.', 'Left out: not.'],
  ],
  [
    'properties by pattern',
    { type: 'object', patternProperties: { '^x': {} }, additionalProperties: false },
    { type: 'object' },
    ['Left out: patternProperties.'],
  ],
  [
    'exclusive bounds of draft-04',
    { type: 'number', minimum: 1, exclusiveMinimum: true, exclusiveMaximum: false },
    { type: 'number', exclusiveMinimum: 1 },
    [],
  ],
  ['formats', { type: 'string', format: 'int64' }, { type: 'string' }, ['The format "int64" is left out.']],
  [
    'a pattern that is none',
    { type: 'string', pattern: '(?i)x' },
    { type: 'string' },
    ['The pattern is left out.'],
  ],
  [
    'a property without a name',
    { type: 'object', properties: { '': {}, x: {} }, required: ['', 'x'] },
    { required: ['x'], type: 'object', properties: { x: {} } },
    [
      'A property with this name is left out.',
      'A required property that is not described is left out of "required".',
    ],
  ],
  [
    'what can never be given',
    { type: 'object', properties: { x: false } },
    { type: 'object', properties: {} },
    ['A property that can never be given is left out.'],
  ],
  ['keywords of another type', { type: 'string', minimum: 1, items: {} }, { type: 'string' }, []],
  ['anything', true, {}, []],
];

describe('modelSchema: one argument', () => {
  for (const [title, schema, result, repairs] of properties) {
    it(title, () => assert.deepEqual(repairedProperty(schema), [result, repairs]));
  }
});

const roots: readonly (readonly [title: string, schema: JsonObject, result: unknown])[] = [
  ['nothing', {}, { type: 'object', properties: {} }],
  [
    'no properties',
    { type: 'object', additionalProperties: false },
    { type: 'object', additionalProperties: false, properties: {} },
  ],
  [
    'alternatives',
    {
      anyOf: [
        { properties: { x: { type: 'string' } }, required: ['x'] },
        { type: 'object', properties: { y: { type: 'number' }, x: { type: 'null' } }, required: ['x', 'y'] },
      ],
    },
    {
      type: 'object',
      properties: { x: { anyOf: [{ type: 'string' }, { type: 'null' }] }, y: { type: 'number' } },
      required: ['x'],
      description: 'Expected: (x) or (x, y).',
    },
  ],
  [
    'what is required together',
    {
      type: 'object',
      properties: { x: {}, y: {} },
      oneOf: [{ required: ['x'] }, { required: ['y'] }],
      description: 'Find.',
    },
    { type: 'object', properties: { x: {}, y: {} }, description: 'Find. Expected: (x) or (y).' },
  ],
  [
    'a reference',
    {
      $ref: '#/definitions/args',
      definitions: {
        args: { type: 'object', properties: { x: { $ref: '#/definitions/x' } } },
        x: { type: 'string' },
      },
    },
    { type: 'object', properties: { x: { type: 'string' } } },
  ],
  [
    'a reference to a property and to an anchor',
    {
      type: 'object',
      properties: {
        x: { type: 'string' },
        y: { $ref: '#/properties/x', description: 'y' },
        z: { $ref: '#n' },
      },
      $defs: { n: { $anchor: 'n', type: 'number' } },
    },
    {
      type: 'object',
      properties: { x: { type: 'string' }, y: { description: 'y', type: 'string' }, z: { type: 'number' } },
    },
  ],
  [
    'a tree',
    { type: 'object', properties: { x: { type: 'array', items: { $ref: '#' } } } },
    {
      type: 'object',
      properties: {
        x: {
          type: 'array',
          items: { type: 'object', properties: { x: { type: 'array', items: { type: 'object' } } } },
        },
      },
    },
  ],
];

const inner = {
  $id: 'http://x/inner',
  type: 'object',
  properties: { v: { $ref: '#/$defs/n' }, w: { $ref: '#n' } },
  $defs: { n: { $anchor: 'n', type: 'string' } },
};
const list = {
  $id: 'list',
  type: 'array',
  items: { $dynamicRef: '#T' },
  $defs: { d: { $dynamicAnchor: 'T', type: 'number' } },
};

const identified: readonly (readonly [
  title: string,
  reference: string,
  $defs: JsonObject,
  result: JsonValue,
])[] = [
  [
    'pointers and anchors inside an identified part',
    'http://x/inner',
    { n: { $anchor: 'n', type: 'number' }, inner },
    { type: 'object', properties: { v: { type: 'string' }, w: { type: 'string' } } },
  ],
  [
    'a pointer into an identified part',
    '#/$defs/inner/properties/v',
    { n: { type: 'number' }, inner },
    { type: 'string' },
  ],
  [
    'an anchor of a relative identifier',
    'part#k',
    {
      part: { $id: 'part', $defs: { k: { $anchor: 'k', type: 'string' } } },
      other: { $id: 'other', $defs: { k: { $anchor: 'k', type: 'number' } } },
    },
    { type: 'string' },
  ],
  [
    'what depends on the way that led there',
    'strings',
    {
      list,
      strings: { $id: 'strings', $ref: 'list', $defs: { s: { $dynamicAnchor: 'T', type: 'string' } } },
    },
    { type: 'array', items: {} },
  ],
  ['a dynamic reference with one target', 'list', { list }, { type: 'array', items: { type: 'number' } }],
];

describe('modelSchema: references to identified parts', () => {
  for (const [title, $ref, $defs, result] of identified) {
    it(title, () => {
      const model = modelSchema({ type: 'object', properties: { a: { $ref } }, $defs });
      assert.deepEqual(model.kind === 'ready' && model.schema['properties'], { a: result });
    });
  }
});

describe('modelSchema: the root', () => {
  for (const [title, schema, result] of roots) {
    it(title, () => {
      const model = modelSchema(schema);
      assert.deepEqual(model.kind === 'ready' ? model.schema : model, result);
    });
  }

  const many = <T>(count: number, make: (index: number) => T): Record<string, T> =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, make(index)]));
  /** References that bring something large again and again, each in another place. */
  const multiplied: readonly JsonObject[] = [
    {
      allOf: Array.from({ length: 3000 }, () => ({ $ref: '#/$defs/a' })),
      $defs: { a: { properties: many(20_000, () => true) } },
    },
    { properties: many(900, () => ({ $ref: '#/$defs/a' })), $defs: { a: many(40_000, () => 1) } },
    {
      properties: many(900, () => ({ $ref: '#/$defs/a' })),
      $defs: { a: { anyOf: Array.from({ length: 5000 }, (_, index) => ({ required: [`a${index}`, 'b'] })) } },
    },
    {
      properties: many(900, () => ({ $ref: '#/$defs/a' })),
      $defs: { a: { $ref: `#/$defs/${'a/'.repeat(100_000)}` } },
    },
    ...[
      { properties: { ['n'.repeat(900_000)]: true } },
      { required: ['n'.repeat(400_000), 'n'] },
      { anyOf: [{ required: ['n'.repeat(400_000), 'n'] }, { required: ['n', 'n'.repeat(400_000)] }] },
      { ['n'.repeat(400_000)]: 1, ['m'.repeat(400_000)]: 1 },
      { const: many(40_000, () => 1) },
      { enum: Array.from({ length: 20 }, () => many(2000, () => 1)) },
      { default: many(40_000, () => 1) },
      { dependentSchemas: many(40_000, () => true) },
    ].map((a) => ({ properties: many(900, () => ({ $ref: '#/$defs/a' })), $defs: { a } })),
  ];
  const unusable: readonly (readonly [JsonObject, string])[] = [
    [{ type: 'string' }, 'Arguments are an object, but the schema wants "string".'],
    [{ type: 'object', allOf: [false] }, 'No arguments at all are valid.'],
    [
      {
        type: 'object',
        properties: Object.fromEntries(
          Array.from({ length: 4000 }, (_, index) => [`${'p'.repeat(40)}${index}`, {}]),
        ),
      },
      `Even shortened, the schema has more than ${MAX_MODEL_SCHEMA} characters.`,
    ],
    ...multiplied.map((schema): readonly [JsonObject, string] => [
      schema,
      'Even shortened, it takes too long to be written out.',
    ]),
  ];
  for (const [schema, reason] of unusable) {
    it(`refuses: ${reason}`, () => assert.deepEqual(modelSchema(schema), { kind: 'unusable', reason }));
  }

  it('gives odd arguments plain names and finds the way back', () => {
    const names = ['$filter', 'filter', '', 'a b', 'a/b', 'x'.repeat(70), '__proto__', 'größe', 'ok'];
    const schema: unknown = JSON.parse(
      `{"type":"object","properties":{${names.map((name) => `${JSON.stringify(name)}:{"type":"string"}`).join()}},"required":["$filter","ok"]}`,
    );
    assert.ok(isJsonObject(schema));
    const model = modelSchema(schema);
    assert.ok(model.kind === 'ready');
    const given = Object.keys(model.schema['properties'] ?? {});
    assert.deepEqual(given, [
      'filter_2',
      'filter',
      'argument',
      'a_b',
      'a_b_2',
      'x'.repeat(56),
      'proto',
      'gr_e',
      'ok',
    ]);
    assert.deepEqual(model.schema['required'], ['filter_2', 'ok']);
    const back = originalArguments(model, Object.fromEntries(given.map((name) => [name, name])));
    assert.deepEqual(
      Object.entries(back),
      names.map((name, index) => [name, given[index]]),
    );
  });

  it('shortens what is too large, and says so', () => {
    const wordy = Object.fromEntries(
      Array.from({ length: 200 }, (_, index) => [
        `p${index}`,
        { type: 'string', description: 'word '.repeat(700) },
      ]),
    );
    const model = modelSchema({ type: 'object', properties: wordy });
    assert.ok(model.kind === 'ready');
    assert.ok(JSON.stringify(model.schema).length <= MAX_MODEL_SCHEMA);
    assert.deepEqual(model.repairs, [
      { path: '', detail: `The schema is shortened to fit ${MAX_MODEL_SCHEMA} characters.` },
    ]);
  });

  it('cuts what is too deep', () => {
    let schema: JsonObject = { type: 'string' };
    for (let level = 0; level < 60; level += 1) schema = { type: 'object', properties: { a: schema } };
    const model = modelSchema(schema);
    assert.ok(model.kind === 'ready');
    assert.deepEqual(
      model.repairs.map(({ detail }) => detail),
      ['What is inside is left out, because the schema is too deep or too large.'],
    );
  });
});

describe('modelSchema: any schema', () => {
  const ajv = new Ajv({ strict: false, logger: false });

  const KEYWORDS: Readonly<Record<string, readonly string[]>> = {
    string: ['minLength', 'maxLength', 'pattern', 'format'],
    number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
    array: ['items', 'minItems', 'maxItems', 'uniqueItems'],
    object: ['properties', 'required', 'additionalProperties', 'minProperties', 'maxProperties'],
  };

  /** What back ends refuse, wherever it is. */
  function complaints(schema: unknown, path = ''): string[] {
    if (!isJsonObject(schema)) return [];
    const found: string[] = [];
    if (Array.isArray(schema['type'])) found.push(`${path}: list of types`);
    if (schema['type'] === 'array' && !isJsonObject(schema['items'])) found.push(`${path}: no items`);
    for (const word of ['$ref', '$defs', '$schema', 'oneOf', 'allOf', 'not', 'if', 'const', 'prefixItems']) {
      if (Object.hasOwn(schema, word)) found.push(`${path}: ${word}`);
    }
    if (path === '' && (schema['type'] !== 'object' || !isJsonObject(schema['properties'])))
      found.push('root');
    if (path === '' && Object.hasOwn(schema, 'anyOf')) found.push('alternatives at the root');
    const { type, anyOf } = schema;
    const foreign = Object.entries(KEYWORDS)
      .filter(([owner]) => typeof type === 'string' && owner !== type.replace('integer', 'number'))
      .flatMap(([, keywords]) => keywords.filter((keyword) => Object.hasOwn(schema, keyword)));
    if (foreign.length > 0) found.push(`${path}: ${foreign.join()} of another type`);
    const structural = ['properties', 'required', 'additionalProperties', 'items', 'enum'];
    if (type === undefined && structural.some((keyword) => Object.hasOwn(schema, keyword)))
      found.push(`${path}: no type beside what belongs to one`);
    const { format } = schema;
    if (format !== undefined && format !== 'date-time') found.push(`${path}: a format`);
    const values = schema['enum'];
    if (values !== undefined && type !== 'string') found.push(`${path}: values that are no texts`);
    if (Array.isArray(values)) {
      if (values.length === 0) found.push(`${path}: no values`);
      const isOfType = typeof type === 'string' ? ajv.compile({ type }) : (): boolean => true;
      if (!values.every((value) => isOfType(value))) found.push(`${path}: values of another type`);
    }
    if (Array.isArray(anyOf)) {
      if (anyOf.length < 2) found.push(`${path}: no choice`);
      const others = anyOf.filter(isJsonObject).filter((branch) => (branch['type'] ?? type) !== type);
      if (typeof type === 'string' && others.length > 0) found.push(`${path}: alternatives of another type`);
    }
    const properties = schema['properties'];
    const required = schema['required'];
    if (Array.isArray(required)) {
      for (const name of required) {
        if (!isJsonObject(properties) || !Object.hasOwn(properties, String(name)))
          found.push(`${path}: required`);
      }
    }
    for (const [name, inner] of Object.entries(isJsonObject(properties) ? properties : {})) {
      if (name === '') found.push(`${path}: empty name`);
      found.push(...complaints(inner, `${path}/${name}`));
    }
    for (const inner of Array.isArray(anyOf) ? anyOf : []) found.push(...complaints(inner, `${path}|`));
    for (const key of ['items', 'additionalProperties'])
      found.push(...complaints(schema[key], `${path}/${key}`));
    return found;
  }

  /** The reference compares objects by their `toString` if they have one of their own, and breaks on it. */
  function verdictOf(validate: (value: unknown) => unknown, value: unknown): unknown {
    try {
      return validate(value);
    } catch (error) {
      if (error instanceof TypeError) return true;
      throw error;
    }
  }

  for (const dialect of ['2020-12', 'draft-07'] as const) {
    it(`of ${dialect} becomes one that back ends take`, () => {
      fc.assert(
        fc.property(someSchema(dialect), (schema) => {
          const model = modelSchema(schema);
          if (model.kind === 'unusable') return;
          assert.deepEqual(complaints(model.schema), []);
          assert.equal(ajv.validateSchema(model.schema), true);
          assert.ok(JSON.stringify(model.schema).length <= MAX_MODEL_SCHEMA);
        }),
        { numRuns: 150 },
      );
    });

    it(`of ${dialect} asks a model for no less than the tool takes`, async () => {
      const compiler = await loadCompiler(dialect);
      let compared = 0;
      const argument = someSchema(dialect).map(({ $defs, ...rest }) => ({
        type: 'object',
        properties: { a: explicit(rest) },
        $defs: explicit($defs ?? {}),
      }));
      fc.assert(
        fc.property(argument, fc.array(someValue, { maxLength: 8 }), (schema, values) => {
          fc.pre(compiler.checkSchema(schema) === undefined);
          const own = compileSchema(schema, compiler);
          const model = modelSchema(schema);
          if (own.kind !== 'compiled' || model.kind !== 'ready') return;
          const accepts = new Ajv({
            strict: false,
            logger: false,
            ownProperties: true,
            validateFormats: false,
          });
          const validate = accepts.compile(model.schema);
          for (const a of values) {
            // As it comes from a model: objects with the usual prototype.
            const value: unknown = JSON.parse(JSON.stringify({ a }));
            if (own.check(value).kind !== 'valid') continue;
            compared += 1;
            // What can be given is told.
            const told = model.schema['properties'];
            assert.ok(isJsonObject(told) && Object.hasOwn(told, 'a'));
            assert.equal(verdictOf(validate, value), true);
          }
        }),
        { numRuns: 120 },
      );
      assert.ok(compared > 100);
    });
  }
});
