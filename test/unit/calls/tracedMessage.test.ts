import assert from 'node:assert/strict';
import type { JsonRpcMessage } from '../../../src/protocol/jsonRpc.ts';
import { tracedMessage } from '../../../src/calls/tracedMessage.ts';
import { describe, it } from '../../helpers/nodeTest.ts';

const head = { jsonrpc: '2.0', id: 1, method: 'tools/call' } as const;
const notKept = '[not kept: an answer to the server]';

describe('a message for the record', () => {
  const rows: readonly [string, JsonRpcMessage, unknown][] = [
    ['a request', { ...head, params: { name: 'a' } }, { ...head, params: { name: 'a' } }],
    ['a request without parameters', head, head],
    ['an answer', { jsonrpc: '2.0', id: 1, result: { a: 1 } }, { jsonrpc: '2.0', id: 1, result: { a: 1 } }],
    [
      'what a person typed',
      {
        ...head,
        params: { name: 'a', inputResponses: { pin: { action: 'accept', content: { pin: '1234' } } } },
      },
      { ...head, params: { name: 'a', inputResponses: { pin: notKept } } },
    ],
    [
      'answers in a shape that is not ours',
      { ...head, params: { inputResponses: ['1234'] } },
      { ...head, params: { inputResponses: notKept } },
    ],
  ];
  for (const [name, message, kept] of rows) it(name, () => assert.deepEqual(tracedMessage(message), kept));
});
