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
