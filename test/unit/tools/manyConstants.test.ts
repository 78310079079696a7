import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';
import { after } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import type { JsonObject } from '../../../src/base/json.ts';
import { firstRepeated, jsonKey, listedIn } from '../../../src/tools/jsonKey.ts';
import { modelSchema } from '../../../src/tools/modelSchema.ts';
import { SchemaChecker } from '../../../src/tools/schemaChecker.ts';
import { loadCompiler } from '../../../src/tools/schemaCompile.ts';
import { compileSchema } from '../../../src/tools/schemaReading.ts';
import { describe, it } from '../../helpers/nodeTest.ts';

const count = (length: number): readonly number[] => Array.from({ length }, (_, index) => index);
const titled = (length: number): readonly JsonObject[] =>
  count(length).map((index) => ({ const: `v${index}`, title: `Value ${index}` }));
const argument = (schema: JsonObject): JsonObject => ({ type: 'object', properties: { a: schema } });

const checker = new SchemaChecker({
  workerUrl: new URL('../../../src/tools/schemaWorker.ts', pathToFileURL(import.meta.filename)),
  // A machine may be busy; comparing each with all others would still take longer than this.
  checkMs: 4000,
});
after(() => checker.dispose());

const rows: readonly (readonly [name: string, schema: JsonObject, valid: unknown, invalid: unknown])[] = [
  ['3,000 titled constants', { oneOf: titled(3000) }, 'v2999', 'v3000'],
  ['10,000 titled constants', { oneOf: titled(10_000) }, 'v9999', 'w'],
  [
    '5,000 of a type',
    { type: 'string', oneOf: count(5000).map((n) => ({ type: 'string', const: `v${n}` })) },
    'v7',
    7,
  ],
  ['lists of one', { anyOf: count(5000).map((n) => ({ enum: [`v${n}`] })) }, 'v4999', 'v'],
  ['a list with 10,000 members', { enum: count(10_000).map((n) => `v${n}`) }, 'v9999', 'v'],
  [
    'an array of them',
    { type: 'array', items: { oneOf: titled(3000) } },
    count(3000).map((n) => `v${n}`),
    ['v1', 'no'],
  ],
  [
    'different items, a great many',
    { type: 'array', uniqueItems: true },
    count(30_000).map((n) => ({ n })),
    [...count(30_000), 29_999],
  ],
  [
    'three thousand properties',
    {
      type: 'object',
      properties: Object.fromEntries(count(3000).map((n) => [`p${n}`, { type: 'string' }])),
    },
    { p2999: 'x' },
    { p2999: 1 },
  ],
  [
    'twenty arguments with 300 each',
    {
      type: 'object',
      properties: Object.fromEntries(count(20).map((n) => [`p${n}`, { oneOf: titled(300) }])),
    },
    { p1: 'v1' },
    { p1: 'v1', p2: 'no' },
  ],
];

describe('very many constants', () => {
  for (const [name, schema, valid, invalid] of rows) {
    it(`are checked in time: ${name}`, async () => {
      const tool = argument(schema);
      assert.deepEqual(await checker.check(tool, { a: valid }), { kind: 'valid' });
      assert.equal((await checker.check(tool, { a: invalid })).kind, 'invalid');
    });
  }

  it('are a list for the model, cut where it is too long, and nothing else is lost', () => {
    const schema = (length: number): JsonObject => ({
      ...argument({ description: 'Which one.', oneOf: titled(length) }),
      description: 'Words '.repeat(200),
    });
    const [some, many] = [modelSchema(schema(100)), modelSchema(schema(3000))];
    assert.ok(some.kind === 'ready' && many.kind === 'ready');
    assert.deepEqual(some.schema['properties'], {
      a: { description: 'Which one.', type: 'string', enum: count(100).map((n) => `v${n}`) },
    });
    assert.deepEqual(some.repairs, [
      { path: '/properties/a', detail: 'The 100 constants of "oneOf" are given as a list of values.' },
    ]);
    assert.deepEqual(many.schema['properties'], {
      a: {
        description: `Which one. Expected: values such as ${JSON.stringify(count(20).map((n) => `v${n}`))}.`,
      },
    });
    assert.equal(many.schema['description'], 'Words '.repeat(200));
  });
});

/** Forms as servers write them, and as nobody should. */
const scalar = fc.constantFrom(0, -0, 1, 1.5, '1', '', 'a', true, false, null);
const value = fc.oneof(scalar, fc.constantFrom<unknown>([], [0], {}, { a: 1, b: 2 }, { b: 2, a: 1 }, [[]]));
const form = fc.oneof(
  { weight: 6, arbitrary: fc.record({ const: value, title: fc.constant('T') }, { requiredKeys: ['const'] }) },
  fc.record({ enum: fc.uniqueArray(value, { minLength: 1, maxLength: 3, selector: jsonKey }) }),
  fc.record({
    const: value,
    type: fc.constantFrom('string', 'integer', 'number', 'null', 'object', ['array', 'null']),
  }),
  fc.record({ const: value, 'x-label': fc.constant('foreign') }),
  fc.record({ const: value, enum: fc.constantFrom([0], ['a', 1], [{}]) }),
  fc.boolean(),
);

it('very many forms of an object are put together for the model', () => {
  const form = (n: number): JsonObject => ({
    type: 'object',
    properties: { kind: { const: `k${n}` }, value: { type: 'string', description: 'The same.' } },
    required: ['kind'],
  });
  const model = modelSchema(argument({ oneOf: count(60).map(form) }));
  assert.deepEqual(model.kind === 'ready' && model.schema['properties'], {
    a: {
      type: 'object',
      properties: {
        kind: { type: 'string', enum: count(60).map((n) => `k${n}`) },
        value: { type: 'string', description: 'The same.' },
      },
      required: ['kind'],
    },
  });
});

describe('constants as alternatives', () => {
  it('give the verdict that the validator gives', async () => {
    const compiler = await loadCompiler('2020-12');
    const seen = { valid: 0, invalid: 0, refused: 0 };
    fc.assert(
      fc.property(
        fc.array(form, { minLength: 20, maxLength: 26 }),
        fc.constantFrom('anyOf', 'oneOf'),
        fc.array(value, { minLength: 3, maxLength: 8 }),
        fc.constantFrom<JsonObject>(
          {},
          { $defs: { x: {} }, allOf: [{ $ref: '#/$defs/x' }] },
          { type: 'integer' },
        ),
        (forms, keyword, values, beside) => {
          const schema = { ...beside, [keyword]: forms } as JsonObject;
          const expected = new Ajv2020({ strict: false, logger: false }).compile(schema);
          const compiled = compileSchema(schema, compiler);
          assert.ok(compiled.kind === 'compiled');
          for (const item of values) {
            const { kind } = compiled.check(item);
            seen[kind] += 1;
            assert.equal(kind, expected(item) ? 'valid' : 'invalid', JSON.stringify(item));
          }
        },
      ),
      { numRuns: 120 },
    );
    assert.ok(seen.valid > 50 && seen.invalid > 50, JSON.stringify(seen));
  });

  it('stay where a reference points at one of them', async () => {
    const inside = { properties: { a: { oneOf: titled(30) }, b: { $ref: '#/properties/a/oneOf/7' } } };
    assert.deepEqual(await checker.check(inside, { b: 'v7' }), { kind: 'valid' });
    assert.equal((await checker.check(inside, { b: 'v8' })).kind, 'invalid');
  });

  it('are equal and different as the validator says', () => {
    const ajv = new Ajv2020({ strict: false, logger: false });
    const isUnique = ajv.compile({ uniqueItems: true });
    fc.assert(
      fc.property(fc.array(value, { maxLength: 6 }), value, (list, item) => {
        assert.equal(firstRepeated(list) === undefined, isUnique(list));
        if (list.length > 0) assert.equal(listedIn(list)(item), ajv.validate({ enum: list }, item));
      }),
      { numRuns: 400 },
    );
  });
});
