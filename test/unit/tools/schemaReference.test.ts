import assert from 'node:assert/strict';
import { Ajv, type Options } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import * as fc from 'fast-check';
import type { JsonObject } from '../../../src/base/json.ts';
import { loadCompiler } from '../../../src/tools/schemaCompile.ts';
import { compileSchema } from '../../../src/tools/schemaReading.ts';
import { describe, it } from '../../helpers/nodeTest.ts';
import { someSchema, someValue } from './schemaArbitraries.ts';

/*
 * The validator's own verdict is the reference: what is prepared, bounded and described around it must not change it.
 */

const options: Options = {
  strict: false,
  logger: false,
  ownProperties: true,
  // What is compared has been looked at by then; the reference would throw at lists of values that are no texts.
  validateSchema: false,
  formats: { date: fullFormats.date, email: fullFormats.email },
};

function reference(
  dialect: '2020-12' | 'draft-07',
  schema: JsonObject,
  allErrors: boolean,
): ((value: unknown) => string) | undefined {
  const all = { ...options, allErrors };
  const ajv = dialect === '2020-12' ? new Ajv2020(all) : new Ajv(all);
  try {
    const validate = ajv.compile(schema);
    return (value) => verdict(() => validate(value));
  } catch (error) {
    // A reference that leads to itself, and so never anywhere.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function verdict(validate: () => boolean): string {
  try {
    return validate() ? 'valid' : 'invalid';
  } catch (error) {
    // A reference in a circle that never moves on (RangeError), a compared object with its own `toString` (TypeError).
    if (error instanceof RangeError) return 'refused';
    if (error instanceof TypeError) return 'broken';
    throw error;
  }
}

describe('the verdict of the validator', () => {
  for (const dialect of ['2020-12', 'draft-07'] as const) {
    it(`is not changed for ${dialect}`, async () => {
      const compiler = await loadCompiler(dialect);
      const found = { valid: 0, invalid: 0, refused: 0 };
      fc.assert(
        fc.property(
          someSchema(dialect),
          fc.array(someValue, { minLength: 1, maxLength: 6 }),
          (schema, values) => {
            fc.pre(compiler.checkSchema(schema) === undefined);
            // The reference forgets a required property whose name is empty (there is a row for that).
            fc.pre(!/"required":\[[^\]]*""/.test(JSON.stringify(schema)));
            const compiled = compileSchema(schema, compiler);
            const expected = reference(dialect, schema, false);
            const looking = reference(dialect, schema, true);
            assert.equal(compiled.kind === 'compiled', expected !== undefined && looking !== undefined);
            if (compiled.kind !== 'compiled' || expected === undefined || looking === undefined) return;
            for (const made of values) {
              // Without a prototype an object is not what JSON brings, and equals none to the validator.
              const value: unknown = JSON.parse(JSON.stringify(made));
              const { kind } = compiled.check(value);
              found[kind] += 1;
              // One that looks for all errors also walks into a circle that another error would have kept it from.
              const verdicts = [expected(value), looking(value)];
              // The reference gives no verdict when an object has a `toString` of its own.
              if (verdicts.includes('broken')) continue;
              assert.ok(verdicts.includes(kind), `${kind}, not ${expected(value)}`);
            }
          },
        ),
        { numRuns: 120 },
      );
      // Both verdicts must have been seen, or the comparison says nothing.
      assert.ok(found.valid > 15 && found.invalid > 15, JSON.stringify(found));
    });
  }
});
