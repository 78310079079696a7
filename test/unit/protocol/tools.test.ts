import assert from 'node:assert/strict';
import type { JsonValue } from '../../../src/base/json.ts';
import { readTool } from '../../../src/protocol/wire/tools.ts';
import { describe, it } from '../../helpers/nodeTest.ts';

const inputSchema = { type: 'object' };
const minimal = { name: 'a', inputSchema };

const accepted: readonly (readonly [
  name: string,
  raw: { readonly [key: string]: JsonValue },
  expected: object,
])[] = [
  ['the least', minimal, minimal],
  [
    'everything',
    {
      name: 'a/b c',
      title: 'T',
      description: 'D',
      inputSchema,
      outputSchema: { type: 'array' },
      annotations: { title: 'X', readOnlyHint: true, destructiveHint: 'no', future: 1 },
      icons: [{ src: 'data:,', mimeType: 'image/png', sizes: ['1x1', 2], theme: 'dark' }],
      _meta: { k: 1 },
      future: true,
    },
    {
      name: 'a/b c',
      title: 'T',
      description: 'D',
      inputSchema,
      outputSchema: { type: 'array' },
      annotations: { title: 'X', readOnlyHint: true },
      icons: [{ src: 'data:,', mimeType: 'image/png', sizes: ['1x1'], theme: 'dark' }],
      _meta: { k: 1 },
    },
  ],
  [
    'wrong types beside the essentials',
    { ...minimal, title: 1, annotations: [], icons: {}, _meta: 'x' },
    minimal,
  ],
  ['no output schema, written as null', { ...minimal, outputSchema: null }, minimal],
  ['an emoji', { ...minimal, description: '👍' }, { ...minimal, description: '👍' }],
];

const rejected: readonly (readonly [name: string, raw: JsonValue, reported: string])[] = [
  ['null', null, '#3'],
  ['a text', 'tool', '#3'],
  ['no name', { inputSchema }, '#3'],
  ['an empty name', { name: '', inputSchema }, '#3'],
  ['a name that is a number', { name: 7, inputSchema }, '#3'],
  ['a name of a megabyte', { name: 'n'.repeat(1_000_000), inputSchema }, 'n'.repeat(1_024)],
  ['no input schema', { name: 'a' }, 'a'],
  ['an input schema that is true', { name: 'a', inputSchema: true }, 'a'],
  ['an input schema that is a list', { name: 'a', inputSchema: [] }, 'a'],
  ['an output schema that is a text', { name: 'a', inputSchema, outputSchema: 'x' }, 'a'],
  ['half a character in the name', { name: 'a\ud83d', inputSchema }, 'a\ufffd'],
  [
    'half a character deep inside',
    { name: 'a', inputSchema: { properties: { x: { enum: ['\udc00'] } } } },
    'a',
  ],
  ['half a character in a key', { name: 'a', inputSchema: { properties: { '\ud800': {} } } }, 'a'],
];

describe('readTool', () => {
  for (const [name, raw, expected] of accepted)
    it(`accepts ${name}, and keeps the definition as it came`, () => {
      assert.deepEqual(readTool(raw, 3), { kind: 'tool', tool: { ...expected, definition: raw } });
    });

  for (const [name, raw, reported] of rejected)
    it(`sets aside ${name}`, () => {
      const entry = readTool(raw, 3);
      assert.equal(entry.kind, 'rejected');
      assert.equal(entry.kind === 'rejected' && entry.rejected.name, reported);
      assert.ok(entry.kind === 'rejected' && entry.rejected.reason.length > 0);
    });
});
