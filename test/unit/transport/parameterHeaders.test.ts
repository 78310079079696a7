import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { HostError } from '../../../src/base/errors.ts';
import type { JsonObject, JsonValue } from '../../../src/base/json.ts';
import { encodeParameterHeaders, readParameterHeaders } from '../../../src/transport/parameterHeaders.ts';

const region = { type: 'string', 'x-mcp-header': 'Region' };
const object = (properties: JsonObject, rest: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  ...rest,
});

const good: readonly [name: string, schema: JsonValue, headers: [string, string[]][]][] = [
  ['no annotation', object({ a: { type: 'string' } }), []],
  ['a schema that is a boolean', true, []],
  [
    'one of each type, in order',
    object({
      s: region,
      i: { type: 'integer', 'x-mcp-header': 'I' },
      b: { type: 'boolean', 'x-mcp-header': 'b-2' },
    }),
    [
      ['Region', ['s']],
      ['I', ['i']],
      ['b-2', ['b']],
    ],
  ],
  ['nested properties', object({ a: object({ b: object({ c: region }) }) }), [['Region', ['a', 'b', 'c']]]],
  ['an empty property name', object({ '': region }), [['Region', ['']]]],
  [
    'a property called like the annotation',
    object({ 'x-mcp-header': { type: 'object', properties: { a: region } } }),
    [['Region', ['x-mcp-header', 'a']]],
  ],
  ['a property called properties', object({ properties: region }), [['Region', ['properties']]]],
  ['a property called items', object({ items: region }), [['Region', ['items']]]],
  [
    'every token character',
    object({ a: { type: 'string', 'x-mcp-header': "!#$%&'*+-.^_`|~09azAZ" } }),
    [["!#$%&'*+-.^_`|~09azAZ", ['a']]],
  ],
  [
    'data that looks like an annotation',
    object({ a: { type: 'object', const: region, enum: [region], default: region, examples: [region] } }),
    [],
  ],
  ['a required property of that name', object({ a: { type: 'string' } }, { required: ['x-mcp-header'] }), []],
  [
    'beside keywords that say more about the value',
    object({ a: { ...region, minLength: 1, $comment: 'x' } }),
    [['Region', ['a']]],
  ],
];
for (const [name, schema, expected] of good) {
  test(`parameter headers: ${name}`, () => {
    const headers = expected.map(([header, path]) => ({ name: header, path }));
    assert.deepEqual(readParameterHeaders(schema), { kind: 'ok', headers });
  });
}

const elsewhere = /reached through "properties" alone/;
const bad: readonly [name: string, schema: JsonObject, reason: RegExp][] = [
  ['empty', object({ a: { type: 'string', 'x-mcp-header': '' } }), /not an HTTP header name/],
  ...['a b', 'a:b', 'é', 'a\r\nb', 'a(b', 'a"b', 'a/b', 'a\u0000'].map(
    (text): [string, JsonObject, RegExp] => [
      `not a token: ${JSON.stringify(text)}`,
      object({ a: { type: 'string', 'x-mcp-header': text } }),
      /not an HTTP header name/,
    ],
  ),
  ...[null, 1, true, ['Region'], { name: 'Region' }].map((value): [string, JsonObject, RegExp] => [
    `not a string: ${JSON.stringify(value)}`,
    object({ a: { type: 'string', 'x-mcp-header': value } }),
    /is not a string/,
  ]),
  ['the same name twice', object({ a: region, b: region }), /repeats/],
  [
    'the same name in other case',
    object({ a: region, b: object({ c: { type: 'string', 'x-mcp-header': 'rEGION' } }) }),
    /repeats/,
  ],
  ...['number', 'object', 'array', 'null', ['string', 'null'], ['integer'], undefined].map(
    (type): [string, JsonObject, RegExp] => [
      `type ${JSON.stringify(type)}`,
      object({ a: { ...(type === undefined ? {} : { type }), 'x-mcp-header': 'Region' } }),
      /type other than/,
    ],
  ),
  ['on the root', { ...object({}), 'x-mcp-header': 'Region' }, elsewhere],
  ...[
    'items',
    'contains',
    'additionalItems',
    'additionalProperties',
    'unevaluatedProperties',
    'unevaluatedItems',
    'propertyNames',
    'not',
    'if',
    'then',
    'else',
    'contentSchema',
    'x-unknown',
  ].flatMap((keyword): [string, JsonObject, RegExp][] => [
    [`under ${keyword} of a property`, object({ a: { [keyword]: region } }), elsewhere],
    [`under ${keyword} of the root`, object({}, { [keyword]: object({ a: region }) }), elsewhere],
  ]),
  ...['oneOf', 'anyOf', 'allOf', 'prefixItems', 'items'].map((keyword): [string, JsonObject, RegExp] => [
    `under ${keyword}`,
    object({ a: { [keyword]: [{ type: 'string' }, region] } }),
    elsewhere,
  ]),
  ...['$defs', 'definitions', 'patternProperties', 'dependentSchemas', 'dependencies'].map(
    (keyword): [string, JsonObject, RegExp] => [
      `under ${keyword}`,
      object({ a: { $ref: '#/$defs/x' } }, { [keyword]: { x: region } }),
      elsewhere,
    ],
  ),
  ['properties below items', object({ a: { items: object({ b: region }) } }), elsewhere],
  ['properties below allOf', { allOf: [object({ b: region })] }, elsewhere],
  [
    'a good one beside a bad one',
    object({ a: region, b: { items: { type: 'string', 'x-mcp-header': 'B' } } }),
    elsewhere,
  ],
  [
    'beside $ref, with its type elsewhere',
    object({ a: { $ref: '#/$defs/x', 'x-mcp-header': 'A' } }, { $defs: { x: { type: 'string' } } }),
    /type other than/,
  ],
];
for (const [name, schema, reason] of bad) {
  test(`parameter headers are invalid: ${name}`, () => {
    const read = readParameterHeaders(schema);
    assert.equal(read.kind, 'invalid');
    if (read.kind === 'invalid') assert.match(read.reason, reason);
  });
}

test('a schema of any depth gets a verdict', () => {
  let schema: JsonObject = region;
  for (let level = 0; level < 100_000; level++) schema = { properties: { a: schema } };
  assert.equal(readParameterHeaders(schema).kind, 'invalid');
});

const headers = [
  { name: 'Region', path: ['region'] },
  { name: 'Deep', path: ['a', 'b'] },
];
const values: readonly [name: string, args: JsonObject, encoded: Record<string, string>][] = [
  ['a text', { region: 'us-west1' }, { 'Mcp-Param-Region': 'us-west1' }],
  ['a text that needs Base64', { region: 'Grüße' }, { 'Mcp-Param-Region': '=?base64?R3LDvMOfZQ==?=' }],
  ['the empty text', { region: '' }, { 'Mcp-Param-Region': '=?base64??=' }],
  ['true', { region: true }, { 'Mcp-Param-Region': 'true' }],
  ['false', { region: false }, { 'Mcp-Param-Region': 'false' }],
  ['42', { region: 42.0 }, { 'Mcp-Param-Region': '42' }],
  ['a negative integer', { region: -7 }, { 'Mcp-Param-Region': '-7' }],
  ['negative zero', { region: -0 }, { 'Mcp-Param-Region': '0' }],
  ['the largest safe integer', { region: 9007199254740991 }, { 'Mcp-Param-Region': '9007199254740991' }],
  ['the smallest safe integer', { region: -9007199254740991 }, { 'Mcp-Param-Region': '-9007199254740991' }],
  ['null', { region: null }, {}],
  ['absent', {}, {}],
  ['nested', { a: { b: 'x' } }, { 'Mcp-Param-Deep': 'x' }],
  ['nested in null', { a: null }, {}],
  ['nested in a list', { a: ['x'] }, {}],
  ['nested in a text', { a: 'b' }, {}],
  ['both', { region: 'r', a: { b: 1 } }, { 'Mcp-Param-Region': 'r', 'Mcp-Param-Deep': '1' }],
];
for (const [name, args, encoded] of values) {
  test(`parameter header of ${name}`, () => assert.deepEqual(encodeParameterHeaders(headers, args), encoded));
}

test('only own members are arguments', () => {
  const inherited = ['constructor', '__proto__', 'toString'].map((name) => ({ name, path: [name, 'name'] }));
  assert.deepEqual(encodeParameterHeaders(inherited, {}), {});
});

for (const value of [2 ** 53, -(2 ** 53), 1e21, 1.5, Number.NaN, {}, [], '\ud800']) {
  test(`an argument that no header can carry: ${inspect(value)}`, () => {
    assert.throws(
      () => encodeParameterHeaders(headers, { region: value }),
      (error) => error instanceof HostError && error.code === 'invalidArguments',
    );
  });
}
