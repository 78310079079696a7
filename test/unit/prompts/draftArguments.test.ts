import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/base/json.ts';
import { draftArguments } from '../../../src/prompts/draftArguments.ts';
import { describe, it } from '../../helpers/nodeTest.ts';

const rows: readonly (readonly [name: string, schema: JsonObject, expected: JsonObject])[] = [
  ['nothing', { type: 'object' }, {}],
  [
    'a form begins with defaults alone',
    {
      type: 'object',
      properties: {
        text: { type: 'string' },
        size: { type: 'integer', default: 3 },
        color: { enum: ['red', 'green'] },
        none: { type: ['string', 'null'], default: null },
      },
      required: ['text', 'color'],
    },
    { size: 3 },
  ],
  [
    'JSON begins with an example of what is required',
    {
      type: 'object',
      properties: {
        filter: {
          type: 'object',
          properties: { name: { type: 'string', examples: ['Ada'] }, kind: { enum: ['a', 'b'] }, not: {} },
          required: ['name', 'kind'],
        },
        other: { type: 'string' },
      },
      required: ['filter'],
      allOf: [{ minProperties: 1 }],
    },
    { filter: { name: 'Ada', kind: 'a' } },
  ],
];

describe('arguments to begin with when a person runs a tool by hand', () => {
  for (const [name, schema, expected] of rows) {
    it(name, () => assert.deepEqual(draftArguments(schema), expected));
  }
});
