import assert from 'node:assert/strict';
import { isJsonObject, type JsonObject } from '../../../src/base/json.ts';
import { SchemaChecker } from '../../../src/tools/schemaChecker.ts';
import { problemText } from '../../../src/tools/schemaProblems.ts';
import { describe, it } from '../../helpers/nodeTest.ts';
import { turnsDuring } from '../../helpers/turnsDuring.ts';

const D7 = 'http://json-schema.org/draft-07/schema#';
const D6 = 'http://json-schema.org/draft-06/schema#';
const D4 = 'http://json-schema.org/draft-04/schema#';
const D2019 = 'https://json-schema.org/draft/2019-09/schema';
const D2020 = 'https://json-schema.org/draft/2020-12/schema';

/** Parsed, because only so does an object get an own `__proto__`. */
function json(text: string): JsonObject {
  const value: unknown = JSON.parse(text);
  assert.ok(isJsonObject(value));
  return value;
}

/** `valid`, the problems as text, or the reason for no answer. */
async function outcome(schema: JsonObject, value: unknown): Promise<string> {
  const verdict = await new SchemaChecker().check(schema, value);
  if (verdict.kind === 'valid') return 'valid';
  return verdict.kind === 'invalid' ? problemText(verdict.problems, 'it') : `refused: ${verdict.reason}`;
}

interface Row {
  readonly title: string;
  readonly schema: JsonObject;
  readonly values: readonly (readonly [value: unknown, expected: string])[];
}

const dialects: readonly Row[] = [D2020, D2019, D7, D6, D7.slice(0, -1), D7.replace('http:', 'https:')].map(
  ($schema) => ({
    title: `dialect ${$schema}`,
    schema: { $schema, type: 'object', properties: { a: { exclusiveMinimum: 1 } }, required: ['a'] },
    values: [
      [{ a: 2 }, 'valid'],
      [{ a: 1 }, 'a must be more than 1, but is 1'],
      [{}, 'it lacks the required property "a"'],
    ],
  }),
);

const rules: readonly Row[] = [
  {
    title: 'a list of names with one twice, which says nothing more',
    schema: { required: ['a', 'a'], properties: { a: { type: ['string', 'string'] } } },
    values: [
      [{ a: 'x' }, 'valid'],
      [{}, 'it lacks the required property "a"'],
    ],
  },
  {
    title: 'draft-04 with an empty list of required names',
    schema: { $schema: D4, required: [], properties: { a: { type: 'string' } } },
    values: [
      [{}, 'valid'],
      [{ a: 1 }, 'a must be a string, but is a number (1)'],
    ],
  },
  {
    title: 'a property with a name that is not allowed',
    schema: { propertyNames: { pattern: '^[a-z]+$' } },
    values: [[{ B: 1 }, 'it has the property "B", whose name must match the pattern ^[a-z]+$, but is "B"']],
  },
  {
    title: 'a great many items, none of which is the one that is wanted',
    schema: { contains: { const: 5 }, items: { maximum: 9000 } },
    values: [
      [Array.from({ length: 500 }, (_, n) => n + 10), 'it must contain at least 1 matching item (must be 5)'],
      [[5], 'valid'],
    ],
  },
  {
    title: 'forms that are told apart by a constant',
    schema: {
      oneOf: Array.from({ length: 30 }, (_, n) => ({
        type: 'object',
        properties: { kind: { const: `k${n}` }, value: { type: 'string' } },
        required: ['kind', 'value'],
      })),
    },
    values: [
      [{ kind: 'k3', value: 'x' }, 'valid'],
      [
        { kind: 'other', value: 'x' },
        `it must match exactly one of the allowed forms (kind must be one of ${Array.from({ length: 20 }, (_, n) => `"k${n}"`).join(', ')} and 10 more, but is "other")`,
      ],
    ],
  },
  {
    title: 'a required property with an empty name',
    schema: { properties: { '': { type: 'string' } }, required: ['', 'b'] },
    values: [
      [{ '': 'x', b: 1 }, 'valid'],
      [{ b: 1 }, 'it lacks the required property ""'],
      [{ '': 'x' }, 'it lacks the required property "b"'],
    ],
  },
  {
    title: 'draft-04 has boolean exclusive bounds',
    schema: { $schema: D4, properties: { a: { minimum: 1, exclusiveMinimum: true } } },
    values: [
      [{ a: 2 }, 'valid'],
      [{ a: 1 }, 'a must be more than 1, but is 1'],
    ],
  },
  {
    title: 'tuples of draft-07',
    schema: { $schema: D7, properties: { a: { items: [{ type: 'string' }], additionalItems: false } } },
    values: [
      [{ a: ['x'] }, 'valid'],
      [{ a: [1] }, 'a[0] must be a string, but is a number (1)'],
      [{ a: ['x', 1] }, 'a must have at most 1 item'],
    ],
  },
  {
    title: 'tuples of 2020-12',
    schema: { properties: { a: { prefixItems: [{ type: 'string' }], items: { type: 'number' } } } },
    values: [
      [{ a: ['x', 1] }, 'valid'],
      [{ a: ['x', 'y'] }, 'a[1] must be a number, but is a string ("y")'],
    ],
  },
  {
    title: '$defs and JSON pointers with escapes',
    schema: {
      properties: { a: { $ref: '#/$defs/a~1b%20c' }, b: { $ref: '#/properties/a' } },
      $defs: { 'a/b c': { type: 'integer' } },
    },
    values: [
      [{ a: 1, b: 2 }, 'valid'],
      [{ b: 'x' }, 'b must be an integer, but is a string ("x")'],
    ],
  },
  {
    title: 'the same identifier as another schema',
    schema: { $id: 'https://example.com/output', type: 'object', required: ['first'] },
    values: [[{}, 'it lacks the required property "first"']],
  },
  {
    title: 'the same identifier once more',
    schema: { $id: 'https://example.com/output', type: 'object', required: ['second'] },
    values: [[{}, 'it lacks the required property "second"']],
  },
  {
    title: "an identifier that is a dialect's own",
    schema: { $id: D2020, type: 'object', required: ['a'] },
    values: [[{}, 'it lacks the required property "a"']],
  },
  {
    title: 'the same identifier twice inside, referred to by nobody',
    schema: { properties: { a: { $id: 'x', type: 'string' }, b: { $id: 'x', type: 'number' } } },
    values: [
      [{ a: 'x', b: 1 }, 'valid'],
      [{ b: 'x' }, 'b must be a number, but is a string ("x")'],
    ],
  },
  {
    title: 'an empty enum allows nothing and hurts nobody else',
    schema: { properties: { a: { enum: [] }, b: { type: 'string' } } },
    values: [
      [{ b: 'x' }, 'valid'],
      [{ a: 'x' }, 'a must not be "x"'],
    ],
  },
  {
    title: 'listed objects with members that are named like methods, in draft-04',
    schema: {
      $schema: 'http://json-schema.org/draft-04/schema#',
      properties: { a: { enum: [{ toString: null }, { toString: 1, valueOf: 2 }] } },
    },
    values: [
      [{ a: { toString: null } }, 'valid'],
      [
        { a: { toString: 2 } },
        'a must be one of {"toString":null}, {"toString":1,"valueOf":2}, but is {"toString":2}',
      ],
    ],
  },
  ...['draft-06', 'draft-07'].map((dialect) => ({
    title: `a list of values may be empty or name one twice in ${dialect}`,
    schema: {
      $schema: `http://json-schema.org/${dialect}/schema#`,
      properties: { a: { enum: [] }, b: { enum: ['x', 'x'] } },
    },
    values: [
      [{ b: 'x' }, 'valid'],
      [{ a: 'x' }, 'a must not be "x"'],
    ] as const,
  })),
  {
    title: '$async decides nothing',
    schema: {
      $async: true,
      type: 'object',
      properties: { a: { $async: true, type: 'string' } },
      required: ['a'],
    },
    values: [
      [{ a: 'x' }, 'valid'],
      [{}, 'it lacks the required property "a"'],
    ],
  },
  {
    title: 'nullable without a type',
    schema: {
      properties: { a: { nullable: true, enum: ['x'] }, b: { type: ['string', 'null'], nullable: false } },
    },
    values: [
      [{ a: 'x', b: null }, 'valid'],
      [{ a: 'y' }, 'a must be one of "x", but is "y"'],
    ],
  },
  {
    title: 'id as an annotation of a later dialect',
    schema: { $schema: D7, id: 'tool', properties: { id: { type: 'string' } } },
    values: [[{ id: 1 }, 'id must be a string, but is a number (1)']],
  },
  {
    title: 'unknown keywords, unknown formats, formats of other languages',
    schema: {
      'x-order': 1,
      properties: { a: { type: 'string', format: 'color', widget: 'x' }, b: { format: 'int32' } },
    },
    values: [[{ a: 'x', b: 99999999999 }, 'valid']],
  },
  {
    title: 'formats',
    schema: { properties: { a: { format: 'date-time' }, b: { format: 'uri' }, c: { format: 'uuid' } } },
    values: [
      [{ a: '2026-07-28T10:00:00Z', b: 'https://a.b/c', c: 'F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6' }, 'valid'],
      [{ a: 'today' }, 'a must be a date and time such as 2026-01-31T18:00:00Z, but is "today"'],
      [{ b: 'no uri' }, 'b must be a whole URL such as https://example.com, but is "no uri"'],
    ],
  },
  {
    title: 'escapes that need none in Unicode mode',
    schema: { properties: { a: { pattern: '^[a-z\\_\\@]+\\:\\ $' } } },
    values: [
      [{ a: 'x_@: ' }, 'valid'],
      [{ a: 'x' }, 'a must match the pattern ^[a-z\\_\\@]+\\:\\ $, but is "x"'],
    ],
  },
  {
    title: 'a pattern sees whole characters',
    schema: { properties: { a: { pattern: '^.$', maxLength: 1 } } },
    values: [[{ a: '😀' }, 'valid']],
  },
  {
    title: 'names that every object has',
    schema: {
      properties: { constructor: { type: 'string' }, toString: { type: 'string' } },
      required: ['valueOf'],
      additionalProperties: false,
    },
    values: [
      [{}, 'it lacks the required property "valueOf"'],
      [
        { constructor: 1, valueOf: 1 },
        'it has a property that is not allowed: "valueOf" (allowed: "constructor", "toString")\nconstructor must be a string, but is a number (1)',
      ],
    ],
  },
  {
    title: '__proto__ as a property',
    schema: json('{"properties":{"__proto__":{"type":"string"}},"additionalProperties":false}'),
    values: [
      [json('{"__proto__":"x"}'), 'valid'],
      [json('{"__proto__":1}'), '__proto__ must be a string, but is a number (1)'],
    ],
  },
  {
    title: 'decimal multiples',
    schema: { properties: { a: { multipleOf: 0.01 } } },
    values: [
      [{ a: 19.99 }, 'valid'],
      [{ a: 4.35 }, 'valid'],
      [{ a: 4.355 }, 'a must be a multiple of 0.01, but is 4.355'],
    ],
  },
  {
    title: 'an array for an array',
    schema: {
      properties: { a: { type: 'array', items: { type: 'object', properties: { b: { type: 'array' } } } } },
    },
    values: [
      [{ a: [{ b: [[], 'x'] }, {}] }, 'valid'],
      [{ a: '[1]' }, 'a must be an array, but is a string ("[1]")'],
    ],
  },
  {
    title: 'a dialect that nobody knows',
    schema: { $schema: 'https://example.com/dialect' },
    values: [[{}, 'refused: The dialect "https://example.com/dialect" is not supported.']],
  },
  {
    title: 'a dialect that is no text',
    schema: { $schema: 7 },
    values: [[{}, 'refused: The dialect "7" is not supported.']],
  },
];

const messages: readonly Row[] = [
  {
    title: 'every problem of a value, with its path',
    schema: {
      type: 'object',
      properties: { a: { type: 'string', minLength: 2 }, 'b c': { items: { maximum: 3 } }, d: { const: 4 } },
      additionalProperties: false,
    },
    values: [
      [
        { a: '', 'b c': [1, 5], d: 1, e: 1 },
        'it has a property that is not allowed: "e" (allowed: "a", "b c", "d")\na must have at least 2 characters\n["b c"][1] must be at most 3, but is 5\nd must be 4, but is 1',
      ],
    ],
  },
  {
    title: 'what each alternative wants',
    schema: { properties: { a: { anyOf: [{ type: 'string' }, { type: 'object', required: ['x'] }] } } },
    values: [
      [
        { a: {} },
        'a must match at least one of the allowed forms (must be a string, but is an object; or lacks the required property "x")',
      ],
    ],
  },
  {
    title: 'more than one alternative',
    schema: { properties: { a: { oneOf: [{ type: 'number' }, { type: 'integer' }] } } },
    values: [[{ a: 1 }, 'a must match exactly one of the allowed forms, but matches more than one']],
  },
  {
    title: 'long things cut short',
    schema: { properties: { a: { enum: ['x'] }, b: { type: 'string' } } },
    values: [
      [{ a: 'y'.repeat(500) }, `a must be one of "x", but is "${'y'.repeat(119)}…`],
      [{ b: Array.from({ length: 1000 }, () => 1) }, 'b must be a string, but is an array'],
    ],
  },
  {
    title: 'at most ten problems',
    schema: { properties: { a: { items: { type: 'string' } } } },
    values: [
      [
        { a: Array.from({ length: 500 }, () => null) },
        Array.from({ length: 10 }, (_, index) => `a[${index}] must be a string, but is null`).join('\n'),
      ],
    ],
  },
];

for (const [name, rows] of Object.entries({ dialects, rules, messages })) {
  describe(`SchemaChecker: ${name}`, () => {
    for (const { title, schema, values } of rows) {
      it(title, async () => {
        const found = await Promise.all(values.map(([value]) => outcome(schema, value)));
        assert.deepEqual(
          found,
          values.map(([, expected]) => expected),
        );
      });
    }
  });
}

describe('SchemaChecker', () => {
  it('answers at once when it knows the schema', async () => {
    const checker = new SchemaChecker();
    const schema = { type: 'object', required: ['a'] };
    assert.equal(checker.checkNow(schema, {}), undefined);
    assert.deepEqual(await checker.check(schema, { a: 1 }), { kind: 'valid' });
    assert.deepEqual(checker.checkNow(schema, { a: 1 }), { kind: 'valid' });
    // To find all that is wrong, it has to be compiled once more.
    assert.equal(checker.checkNow(schema, {}), undefined);
    const verdict = { kind: 'invalid', problems: [{ path: '', message: 'lacks the required property "a"' }] };
    assert.deepEqual(await checker.check(schema, {}), verdict);
    assert.deepEqual(checker.checkNow(schema, {}), verdict);
  });

  it('answers in the order in which it was asked, also for a first use', async () => {
    const checker = new SchemaChecker();
    const schema = { type: 'object', properties: { a: { type: 'integer' } } };
    await checker.admit(schema);
    const order: number[] = [];
    const ask = async (a: number): Promise<void> => {
      const verdict = checker.checkNow(schema, { a }) ?? (await checker.check(schema, { a }));
      assert.deepEqual(verdict, { kind: 'valid' });
      order.push(a);
    };
    const asked = [0, 1, 2].map(ask);
    // Some come while it is being compiled.
    for (let later = 3; later < 6; later += 1) {
      await Promise.resolve();
      await Promise.resolve();
      asked.push(ask(later));
    }
    await Promise.all(asked);
    assert.deepEqual(order, [0, 1, 2, 3, 4, 5]);
  });

  it('compiles and checks in turns of their own', async () => {
    const checker = new SchemaChecker();
    const schema = { type: 'object', required: ['a', 'b'] };
    await checker.admit(schema);
    const turns = await turnsDuring(async () => {
      assert.equal((await checker.check(schema, {})).kind, 'invalid');
    });
    // Compiled for a first verdict, looked at, and compiled again for all that is wrong.
    assert.ok(turns >= 2, `${turns} turns`);
  });

  it('leaves to the worker what is too much for the host, and refuses it without one', async () => {
    const checker = new SchemaChecker();
    const schema = { properties: { a: { pattern: 'a*b' } } };
    assert.deepEqual(await checker.check(schema, { a: 'aab' }), { kind: 'valid' });
    assert.equal(checker.checkNow(schema, { a: 'a'.repeat(5000) }), undefined);
    assert.deepEqual(await checker.check(schema, { a: 'a'.repeat(5000) }), {
      kind: 'refused',
      reason: 'The schema may take long to check, and there is no worker to check it.',
    });
  });

  it('leaves to the worker long texts that have to be compared with each other', async () => {
    const checker = new SchemaChecker();
    const list = Array.from({ length: 300 }, (_, index) => `${'x'.repeat(3000)}${index}`);
    const schemas = [
      { properties: { a: { uniqueItems: true } } },
      { properties: { a: { items: { enum: list } } } },
    ];
    for (const schema of schemas) {
      assert.deepEqual(await checker.check(schema, { a: list.slice(0, 1) }), { kind: 'valid' });
      assert.equal(checker.checkNow(schema, { a: [...list, ...list, ...list, ...list] }), undefined);
    }
  });

  it('refuses values beyond all bounds', async () => {
    let deep: JsonObject = {};
    for (let level = 0; level < 3000; level += 1) deep = { a: deep };
    const wide = { a: Array.from({ length: 200_000 }, () => 0) };
    const verdicts = await Promise.all([deep, wide].map((value) => new SchemaChecker().check({}, value)));
    assert.deepEqual(verdicts, [
      { kind: 'refused', reason: 'The value has more than 1000 levels of nesting.' },
      { kind: 'refused', reason: 'The value has more than 100000 values.' },
    ]);
  });

  it('does not see what a value inherits', async () => {
    const schema = json('{"properties":{"a":{"type":"string"}}}');
    assert.deepEqual(await new SchemaChecker().check(schema, Object.create({ a: 1 })), { kind: 'valid' });
  });
});
