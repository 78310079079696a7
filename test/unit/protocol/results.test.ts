import assert from 'node:assert/strict';
import { HostError } from '../../../src/base/errors.ts';
import type { JsonObject } from '../../../src/base/json.ts';
import {
  readCallToolResult,
  readGetPromptResult,
  readReadResourceResult,
} from '../../../src/protocol/wire/results.ts';
import { describe, it } from '../../helpers/nodeTest.ts';

type Row = readonly [name: string, raw: JsonObject, expected: unknown];

const text = { type: 'text', text: 'hello' };
const unknown = (raw: JsonObject[string], claimedType = ''): object => ({
  type: 'unknown',
  claimedType,
  raw,
});

const calls: readonly Row[] = [
  ['text', { content: [text] }, { content: [text], isError: false }],
  [
    'a typed result alone',
    { content: null, structuredContent: 0 },
    { content: [], structuredContent: 0, isError: false },
  ],
  [
    'numbers that no double holds',
    {
      content: [
        { ...text, annotations: { priority: Infinity } },
        { type: 'resource_link', uri: 'x:1', name: 'a', size: Infinity },
      ],
    },
    {
      content: [
        { ...text, annotations: {} },
        { type: 'resource_link', uri: 'x:1', name: 'a' },
      ],
      isError: false,
    },
  ],
  [
    'more blocks than can be told apart',
    { content: Array.from({ length: 10_002 }, () => text) },
    {
      content: [...Array.from({ length: 10_000 }, () => text), unknown([text, text], 'parts 10001 to 10002')],
      isError: false,
    },
  ],
  ['nothing', { content: [] }, { content: [], isError: false }],
  ['an error of the tool', { content: [text], isError: true }, { content: [text], isError: true }],
  [
    'every kind of content',
    {
      content: [
        {
          type: 'image',
          data: 'AA==',
          mimeType: 'image/png',
          annotations: { audience: ['user', 'dog'], priority: 1 },
        },
        { type: 'audio', data: 'AA==', mimeType: 'audio/wav', _meta: { a: 1 } },
        { type: 'resource_link', uri: 'file:///a', name: 'a', size: 3, mimeType: 'text/plain' },
        { type: 'resource_link', uri: 'file:///b' },
        { type: 'resource', resource: { uri: 'x:1', text: '' } },
        { type: 'resource', resource: { uri: 'x:2', blob: 'AA==', mimeType: 'a/b' } },
      ],
    },
    {
      content: [
        {
          type: 'image',
          data: 'AA==',
          mimeType: 'image/png',
          annotations: { audience: ['user'], priority: 1 },
        },
        { type: 'audio', data: 'AA==', mimeType: 'audio/wav', _meta: { a: 1 } },
        { type: 'resource_link', uri: 'file:///a', name: 'a', size: 3, mimeType: 'text/plain' },
        { type: 'resource_link', uri: 'file:///b', name: 'file:///b' },
        { type: 'resource', resource: { uri: 'x:1', text: '' } },
        { type: 'resource', resource: { uri: 'x:2', blob: 'AA==', mimeType: 'a/b' } },
      ],
      isError: false,
    },
  ],
  [
    'content that cannot be read is kept as it came',
    {
      content: [
        3,
        null,
        { type: 'video', data: 'x' },
        { type: 'text' },
        { type: 'image', data: 'x' },
        { type: 'resource', resource: { uri: 'x:1', text: 'a', blob: 'b' } },
        { type: 'resource' },
      ],
    },
    {
      content: [
        unknown(3),
        unknown(null),
        unknown({ type: 'video', data: 'x' }, 'video'),
        unknown({ type: 'text' }, 'text'),
        unknown({ type: 'image', data: 'x' }, 'image'),
        unknown({ type: 'resource', resource: { uri: 'x:1', text: 'a', blob: 'b' } }, 'resource'),
        unknown({ type: 'resource' }, 'resource'),
      ],
      isError: false,
    },
  ],
  ...[[1, 2], 'text', 0, false, null, {}].map((structuredContent): Row => [
    `structured content: ${JSON.stringify(structuredContent)}`,
    { content: [], structuredContent },
    { content: [], structuredContent, isError: false },
  ]),
  [
    'structured content alone',
    { structuredContent: {} },
    { content: [], structuredContent: {}, isError: false },
  ],
  [
    'halves of characters become replacement characters',
    { content: [{ type: 'text', text: 'cut \ud83d' }], structuredContent: { 'k\udc00': ['\ud800'] } },
    {
      content: [{ type: 'text', text: 'cut \ufffd' }],
      structuredContent: { 'k\ufffd': ['\ufffd'] },
      isError: false,
    },
  ],
  ['neither content nor structure', {}, 'protocolViolation'],
  ['content that is a text', { content: 'hello' }, 'protocolViolation'],
  ['an error flag that is a text', { content: [], isError: 'false' }, 'protocolViolation'],
];

const resources: readonly Row[] = [
  [
    'text and data',
    {
      contents: [
        { uri: 'a:1', text: 'x' },
        { uri: 'a:2', blob: 'AA==', _meta: {} },
      ],
      ttlMs: 1,
    },
    {
      contents: [
        { uri: 'a:1', text: 'x' },
        { uri: 'a:2', blob: 'AA==', _meta: {} },
      ],
    },
  ],
  ['an empty list', { contents: [] }, { contents: [] }],
  [
    'contents that cannot be read beside others',
    { contents: [{ uri: 'a:1', text: 'x' }, { uri: 'a:2' }, 'x', { uri: 'a:3', blob: '' }] },
    {
      contents: [
        { uri: 'a:1', text: 'x' },
        { uri: 'a:3', blob: '' },
      ],
      unread: [{ uri: 'a:2' }, 'x'],
    },
  ],
  [
    'very many contents',
    { contents: Array.from({ length: 10_002 }, () => ({ uri: 'a:1', text: '' })) },
    {
      contents: Array.from({ length: 10_000 }, () => ({ uri: 'a:1', text: '' })),
      unread: [Array.from({ length: 2 }, () => ({ uri: 'a:1', text: '' }))],
    },
  ],
  ['no list', {}, 'protocolViolation'],
  ['no URI', { contents: [{ text: 'x' }] }, 'protocolViolation'],
  ['neither text nor data', { contents: [{ uri: 'a:1' }] }, 'protocolViolation'],
];

const prompts: readonly Row[] = [
  [
    'messages',
    { description: 'd', messages: [{ role: 'user', content: text }, { role: 'assistant' }] },
    {
      description: 'd',
      messages: [
        { role: 'user', content: text },
        { role: 'assistant', content: unknown(null) },
      ],
    },
  ],
  ['no list', { messages: {} }, 'protocolViolation'],
  ['an unknown role', { messages: [{ role: 'system', content: text }] }, 'protocolViolation'],
];

function read(reader: (raw: JsonObject) => unknown, raw: JsonObject): unknown {
  try {
    return reader(raw);
  } catch (error) {
    return error instanceof HostError ? error.code : error;
  }
}

const tables: readonly (readonly [string, (raw: JsonObject) => unknown, readonly Row[]])[] = [
  ['readCallToolResult', readCallToolResult, calls],
  ['readReadResourceResult', readReadResourceResult, resources],
  ['readGetPromptResult', readGetPromptResult, prompts],
];

for (const [title, reader, rows] of tables)
  describe(title, () => {
    for (const [name, raw, expected] of rows) it(name, () => assert.deepEqual(read(reader, raw), expected));
  });
