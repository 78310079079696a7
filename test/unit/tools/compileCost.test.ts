// Looking at a schema compiles no expressions without bound: some take a hundred times as long as others.
import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/base/json.ts';
import { modelSchema } from '../../../src/tools/modelSchema.ts';
import { compileCost, MAX_COMPILE_STEPS } from '../../../src/tools/regularExpression.ts';
import { planSchema } from '../../../src/tools/schemaPlan.ts';
import { describe, it } from '../../helpers/nodeTest.ts';

const letters = String.raw`[\p{L}\p{N}]`;
const properties = (count: number, pattern: (index: number) => string): JsonObject => ({
  type: 'object',
  properties: Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`p${index}`, { type: 'string', pattern: pattern(index) }]),
  ),
});

/** The cost of all expressions that are compiled while `run` runs. */
function compiled(run: () => void): number {
  const { RegExp: native } = globalThis;
  let steps = 0;
  globalThis.RegExp = new Proxy(native, {
    construct(target, args: [string, string?], newTarget): object {
      steps += compileCost(args[0]);
      return Reflect.construct(target, args, newTarget);
    },
  });
  try {
    run();
  } finally {
    globalThis.RegExp = native;
  }
  return steps;
}

const shapes: readonly (readonly [name: string, schema: JsonObject])[] = [
  ['many properties of characters', properties(100, (index) => `^${letters.repeat(60)}${index}$`)],
  ['the same in short', properties(150, (index) => `^${letters.repeat(12)}${index}$`)],
  ['very many plain ones', properties(150, (index) => `^${'ab'.repeat(100)}${index}$`)],
  [
    'as names of properties',
    {
      type: 'object',
      patternProperties: Object.fromEntries(
        Array.from({ length: 150 }, (_, index) => [`^${letters.repeat(12)}${index}$`, {}]),
      ),
    },
  ],
];

describe('expressions that take long to compile', () => {
  for (const [name, schema] of shapes) {
    it(`are left to the worker: ${name}`, () => {
      let plan: unknown;
      const steps = compiled(() => (plan = planSchema(schema)));
      assert.deepEqual(plan, { kind: 'worker', reason: 'Its patterns take long to compile.' });
      assert.equal(steps, 0);
    });

    it(`are not compiled for a model beyond a bound: ${name}`, () => {
      const steps = compiled(() => assert.equal(modelSchema(schema).kind, 'ready'));
      assert.ok(steps <= 8 * MAX_COMPILE_STEPS, `${steps} steps`);
    });
  }

  it('count once where they repeat', () => {
    assert.equal(planSchema(properties(150, () => `^${letters}+$`)).kind, 'here');
  });
});
