import * as fc from 'fast-check';
import type { JsonObject } from '../../src/base/json.ts';
import { isJsonObject } from '../../src/base/json.ts';
import { modelSchema } from '../../src/tools/modelSchema.ts';
import { SchemaChecker } from '../../src/tools/schemaChecker.ts';
import { someSchema, someValue } from '../unit/tools/schemaArbitraries.ts';
import { step, timed } from './stretch.ts';

/*
 * `npm run bench:schemas [-- number]`: what schemas that are made to be costly, and any schemas, take of the editor's
 * thread: to be looked at, written for models, and used to check a value. The worker's own time does not count.
 */

function members(count: number, make: (index: number) => [string, unknown]): Record<string, unknown> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => make(index)));
}

function list(count: number, make: (index: number) => unknown): unknown[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

function nested(levels: number, wrap: (inner: unknown) => unknown): unknown {
  let schema: unknown = { type: 'string' };
  for (let level = 0; level < levels; level += 1) schema = wrap(schema);
  return schema;
}

const costly: Readonly<Record<string, unknown>> = {
  '390 patterns for names': { patternProperties: members(390, (index) => [`^k${index}`, {}]) },
  '260 patterns for names, with types': {
    patternProperties: members(260, (index) => [`^k${index}`, { type: 'string' }]),
  },
  '260 properties with formats': {
    properties: members(260, (index) => [`k${index}`, { type: 'string', format: 'uri' }]),
  },
  '20,000 properties': { properties: members(20_000, (index) => [`k${index}`, {}]) },
  '260 alternatives': { oneOf: list(260, (index) => ({ required: [`k${index}`] })) },
  '130 conditions': {
    // oxlint-disable-next-line unicorn/no-thenable -- the keyword of JSON Schema, in an object that nobody awaits
    allOf: list(130, (index) => ({ if: { required: [`k${index}`] }, then: { required: ['x'] } })),
  },
  '190 unevaluated parts': {
    allOf: list(190, (index) => ({ properties: { [`k${index}`]: true } })),
    unevaluatedProperties: false,
  },
  'allOf doubled 30 times': {
    $ref: '#/$defs/d30',
    $defs: members(31, (index) => [
      `d${index}`,
      index === 0 ? {} : { allOf: [{ $ref: `#/$defs/d${index - 1}` }, { $ref: `#/$defs/d${index - 1}` }] },
    ]),
  },
  '120 levels': nested(120, (inner) => ({ type: 'object', properties: { a: inner } })),
  '50 levels of alternatives': nested(50, (inner) => ({ anyOf: [inner, { type: 'null' }] })),
  '40,000 listed values': { properties: { a: { enum: list(40_000, (index) => `value ${index}`) } } },
  '10,000 constants': {
    properties: { a: { oneOf: list(10_000, (index) => ({ const: index, title: `Number ${index}` })) } },
  },
  'a pattern with nested repetitions': { properties: { a: { type: 'string', pattern: '^(a+)+$' } } },
  'a pattern of 900 classes': { properties: { a: { pattern: '\\p{L}'.repeat(180) } } },
  '300 patterns': {
    properties: members(300, (index) => [`k${index}`, { pattern: `^[a-z]{1,${index + 1}}$` }]),
  },
  'recursion in four ways': {
    properties: {
      a: { $ref: '#' },
      b: { items: { $ref: '#' } },
      c: { anyOf: [{ $ref: '#' }, { $ref: '#/properties/b' }] },
    },
  },
};

const checker = new SchemaChecker({ workerUrl: new URL('../../src/tools/schemaWorker.ts', import.meta.url) });
const values = [
  {},
  { a: 'a'.repeat(30) },
  { a: { a: { a: 1 } }, k1: 'x', k2: 2 },
  { a: 1, b: [[], {}], c: {} },
];

/** All that is ever done with a tool's schema. */
async function use(schema: JsonObject, given: readonly unknown[]): Promise<void> {
  checker.plan(schema);
  await new Promise(setImmediate);
  await checker.admit(schema);
  await new Promise(setImmediate);
  modelSchema(schema);
  await new Promise(setImmediate);
  for (const value of given) await checker.check(schema, value);
}

// The validator is loaded once, in a stretch of its own.
await step('the validator is loaded', () => use({ type: 'object' }, values));
for (const [name, made] of Object.entries(costly)) {
  const schema: unknown = JSON.parse(JSON.stringify(made));
  if (!isJsonObject(schema)) continue;
  await step(name, () => use(schema, values));
}

const count = Number(process.argv[2] ?? 2000);
let longest = 0;
let worst: JsonObject = {};
for (const dialect of ['2020-12', 'draft-07'] as const) {
  const samples = fc.sample(fc.tuple(someSchema(dialect), fc.array(someValue, { maxLength: 4 })), count / 2);
  for (const [schema, given] of samples) {
    const { longestMs } = await timed(() => use(schema, given));
    if (longestMs <= longest) continue;
    longest = longestMs;
    worst = schema;
  }
}
console.log(`${count} schemas made by chance: ${longest.toFixed(1)} ms at a stretch at most, for`);
console.log(JSON.stringify(worst).slice(0, 500));
checker.dispose();
