// What a person reads beside a field whose value the schema does not allow: plain words, and never what they typed.
import assert from 'node:assert/strict';
import type { JsonObject, JsonValue } from '../../../src/base/json.ts';
import { InputCheck } from '../../../src/prompts/checkInput.ts';
import { SchemaChecker } from '../../../src/tools/schemaChecker.ts';
import { describe, it } from '../../helpers/nodeTest.ts';

const checker = new SchemaChecker();

/** A property, a value for it that is not allowed, and what is said. */
const rows: readonly (readonly [JsonObject, JsonValue, string | readonly string[]])[] = [
  [{ type: 'integer' }, 'x', 'Must be an integer.'],
  [{ type: ['string', 'null'] }, 1, 'Must be a string or null.'],
  [{ minimum: 18 }, 17, 'Must be at least 18.'],
  [{ maximum: 150 }, 151, 'Must be at most 150.'],
  [{ exclusiveMinimum: 0 }, 0, 'Must be more than 0.'],
  [{ exclusiveMaximum: 1.5 }, 1.5, 'Must be less than 1.5.'],
  [{ multipleOf: 5 }, 7, 'Must be a multiple of 5.'],
  [{ minLength: 3 }, 'ab', 'Must have at least 3 characters.'],
  [{ minLength: 1 }, '', 'Must have at least 1 character.'],
  [{ maxLength: 1 }, 'ab', 'Must have at most 1 character.'],
  [{ maxLength: 2 }, 'abc', 'Must have at most 2 characters.'],
  [{ pattern: '^[a-z]+$' }, 'A1', 'Must match the pattern ^[a-z]+$.'],
  [{ format: 'email' }, 'nobody', 'Must be an e-mail address.'],
  [{ format: 'uri' }, 'no uri', 'Must be a whole URL such as https://example.com.'],
  [{ format: 'date' }, '2026-02-30', 'Must be a day such as 2026-01-31.'],
  [{ format: 'date-time' }, 'now', 'Must be a date and time such as 2026-01-31T18:00:00Z.'],
  [{ format: 'ipv4' }, '1.2.3', 'Must be an IPv4 address.'],
  [{ format: 'uuid' }, 'x', 'Must be a UUID.'],
  [{ format: 'json-pointer' }, 'x', 'Must be in the format "json-pointer".'],
  [{ enum: ['a', 'b'] }, 'hunter2', 'Must be one of "a", "b".'],
  [{ const: 'a' }, 'hunter2', 'Must be "a".'],
  [{ not: { const: 'hunter2' } }, 'hunter2', 'Is one of the values that are not allowed.'],
  [{ minItems: 1 }, [], 'Must have at least 1 item.'],
  [{ minItems: 2 }, [1], 'Must have at least 2 items.'],
  [{ maxItems: 1 }, [1, 2], 'Must have at most 1 item.'],
  [{ uniqueItems: true }, [1, 1], 'Must have no equal items, but items 0 and 1 are equal.'],
  [{ contains: { const: 1 } }, [2], ['Must contain at least 1 matching item (must be 1).']],
  [
    { contains: { const: 1 }, maxContains: 1 },
    [1, 1],
    'Must contain at least 1 matching item and at most 1.',
  ],
  [{ minProperties: 1 }, {}, 'Must have at least 1 property.'],
  [{ maxProperties: 1 }, { a: 1, b: 2 }, 'Must have at most 1 property.'],
  [
    { anyOf: [{ minLength: 9 }, { const: 'x' }] },
    'hunter2',
    'Must match at least one of the allowed forms (must have at least 9 characters; or must be "x").',
  ],
  [
    { minLength: 9, pattern: '^x' },
    'hunter2',
    ['Must have at least 9 characters.', 'Must match the pattern ^x.'],
  ],
];

describe('what is said of a value that is not allowed', () => {
  for (const [property, value, expected] of rows) {
    it(`${JSON.stringify(property)}: ${[expected].flat().join(' ')}`, async () => {
      const check = new InputCheck(checker, { type: 'object', properties: { it: property } });
      const problems = await check.problems({ it: value });
      const messages = Array.from(new Set(problems.map(({ message }) => message)));
      assert.deepEqual(messages.toSorted(), [expected].flat().toSorted());
      assert.ok(!messages.some((message) => message.includes('hunter2')));
    });
  }

  it('the older dialects, in which a flag makes a bound exclusive', async () => {
    const schema = {
      $schema: 'http://json-schema.org/draft-04/schema#',
      properties: { it: { minimum: 1, exclusiveMinimum: true } },
    };
    assert.deepEqual(await new InputCheck(checker, schema).problems({ it: 1 }), [
      { path: '/it', message: 'Must be more than 1.' },
    ]);
  });
});
