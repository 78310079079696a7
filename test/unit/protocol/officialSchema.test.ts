import assert from 'node:assert/strict';
import type { JsonRpcMessage } from '../../../src/protocol/jsonRpc.ts';
import type { Era } from '../../../src/protocol/model.ts';
import { describe, it } from '../../helpers/nodeTest.ts';
import { messageProblems } from '../../helpers/officialSchema.ts';

const request = (method: string, params: object): JsonRpcMessage => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  params: { ...params },
});
const _meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** The judge of the other tests must itself tell good from bad. */
const rows: readonly (readonly [string, JsonRpcMessage, Era, boolean])[] = [
  ['a call', request('tools/call', { name: 'a', _meta }), 'modern', true],
  ['a call without _meta', request('tools/call', { name: 'a' }), 'modern', false],
  ['a call without a name', request('tools/call', { _meta }), 'modern', false],
  [
    'a call with arguments that are a list',
    request('tools/call', { name: 'a', arguments: [], _meta }),
    'modern',
    false,
  ],
  ['a method of the other era', request('initialize', { _meta }), 'modern', false],
  ['a legacy call', request('tools/call', { name: 'a' }), 'legacy', true],
  [
    'a notification of the other era',
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    'modern',
    false,
  ],
  ['a response in the modern era', { jsonrpc: '2.0', id: 1, result: {} }, 'modern', false],
  [
    'a legacy response',
    { jsonrpc: '2.0', id: 1, result: { action: 'accept', content: { a: 'b' } } },
    'legacy',
    true,
  ],
  [
    'a response with nested content',
    { jsonrpc: '2.0', id: 1, result: { action: 'accept', content: { a: {} } } },
    'legacy',
    false,
  ],
];

describe('the official schemas', () => {
  for (const [name, message, era, good] of rows)
    it(`${good ? 'accept' : 'refuse'} ${name} (${era})`, () =>
      assert.equal(messageProblems(message, era).length === 0, good));
});

describe('the official schemas of older revisions', () => {
  const old: readonly (readonly [string, JsonRpcMessage, readonly boolean[]])[] = [
    ['a call', request('tools/call', { name: 'a' }), [true, true, true]],
    ['a call without a name', request('tools/call', {}), [false, false, false]],
    [
      'an answer to an elicitation, which came later',
      { jsonrpc: '2.0', id: 1, result: { action: 'accept', content: { a: 'b' } } },
      [false, false, true],
    ],
    ['an error', { jsonrpc: '2.0', id: 1, error: { code: -1, message: 'no' } }, [true, true, true]],
    ['a method that came later', request('tasks/list', {}), [false, false, false]],
  ];
  for (const [name, message, good] of old)
    it(`judge ${name}`, () =>
      assert.deepEqual(
        ['2024-11-05', '2025-03-26', '2025-06-18'].map(
          (revision) => messageProblems(message, 'legacy', revision).length === 0,
        ),
        good,
      ));
});
