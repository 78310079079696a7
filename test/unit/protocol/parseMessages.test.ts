import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { maxJsonDepth, parseMessages, type ParsedMessage } from '../../../src/protocol/parseMessages.ts';
import { describe, it } from '../../helpers/nodeTest.ts';

function shown(parsed: readonly ParsedMessage[]): unknown {
  return parsed.map((entry) => {
    if (entry.kind === 'message') return entry.message;
    assert.equal(entry.error.code, 'malformedMessage');
    return entry.id === undefined ? 'invalid' : { invalid: entry.id };
  });
}

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
const result = { jsonrpc: '2.0', id: 1, result: {} };

const rows: readonly (readonly [name: string, text: string, expected: unknown])[] = [
  ['a result', JSON.stringify(result), [result]],
  ['a result with a text id', '{"jsonrpc":"2.0","id":"a","result":{}}', [{ ...result, id: 'a' }]],
  ['a notification', '{"jsonrpc":"2.0","method":"m"}', [{ jsonrpc: '2.0', method: 'm' }]],
  [
    'a request of the server',
    '{"jsonrpc":"2.0","id":7,"method":"ping","params":{"a":1}}',
    [{ jsonrpc: '2.0', id: 7, method: 'ping', params: { a: 1 } }],
  ],
  [
    'parameters that are null',
    '{"jsonrpc":"2.0","method":"m","params":null}',
    [{ jsonrpc: '2.0', method: 'm' }],
  ],
  [
    'an error',
    '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no","data":[1]}}',
    [{ jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'no', data: [1] } }],
  ],
  [
    'an error without a text, to an unreadable request',
    '{"jsonrpc":"2.0","id":null,"error":{"code":-32700}}',
    [{ jsonrpc: '2.0', error: { code: -32700, message: '' } }],
  ],
  ['a result beside an error that is null', '{"jsonrpc":"2.0","id":1,"result":{},"error":null}', [result]],
  ['a batch, as 2025-03-26 allows', '[{"jsonrpc":"2.0","id":1,"result":{}},3]', [result, 'invalid']],
  ['extra members are left out', '{"jsonrpc":"2.0","id":1,"result":{},"x":1}', [result]],
  ['an empty text', '', ['invalid']],
  ['not JSON', 'Server started', ['invalid']],
  ['cut off', '{"jsonrpc":"2.0","id":1,"resu', ['invalid']],
  ['two on one line', '{"jsonrpc":"2.0","id":1,"result":{}}{}', ['invalid']],
  ['a number', '3', ['invalid']],
  ['null', 'null', ['invalid']],
  ['an empty batch', '[]', ['invalid']],
  ['another version', '{"jsonrpc":"1.0","id":1,"result":{}}', [{ invalid: 1 }]],
  ['no version', '{"id":1,"result":{}}', [{ invalid: 1 }]],
  ['neither result nor error', '{"jsonrpc":"2.0","id":1}', [{ invalid: 1 }]],
  ['both result and error', '{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1}}', [{ invalid: 1 }]],
  ['a result that is a list', '{"jsonrpc":"2.0","id":1,"result":[]}', [{ invalid: 1 }]],
  ['a result without an id', '{"jsonrpc":"2.0","result":{}}', ['invalid']],
  ['a fractional id', '{"jsonrpc":"2.0","id":1.5,"result":{}}', ['invalid']],
  ['an id beyond the safe integers', '{"jsonrpc":"2.0","id":9007199254740993,"result":{}}', ['invalid']],
  ['an id that is an object', '{"jsonrpc":"2.0","id":{},"result":{}}', ['invalid']],
  ['a fractional error code', '{"jsonrpc":"2.0","id":1,"error":{"code":1.5}}', [{ invalid: 1 }]],
  ['an error that is a text', '{"jsonrpc":"2.0","id":1,"error":"no"}', [{ invalid: 1 }]],
  ['a method that is no text', '{"jsonrpc":"2.0","id":1,"method":2}', ['invalid']],
  ['positional parameters', '{"jsonrpc":"2.0","method":"m","params":[1]}', ['invalid']],
  ['a request whose id is null', '{"jsonrpc":"2.0","id":null,"method":"m"}', ['invalid']],
  [
    'an object with very many members',
    `{"jsonrpc":"2.0","id":1,"result":{"a":{${Array.from({ length: 50_001 }, (_, index) => `"k${index}":1`).join()}}}}`,
    [{ invalid: 1 }],
  ],
  [
    'very many members in many objects',
    `{"jsonrpc":"2.0","id":1,"result":{"a":[${Array.from({ length: 60_000 }, () => '{"k":"}:{"}').join()}]}}`,
    [{ jsonrpc: '2.0', id: 1, result: { a: Array.from({ length: 60_000 }, () => ({ k: '}:{' })) } }],
  ],
  ['the same key twice', '{"jsonrpc":"2.0","id":1,"result":{},"result":{"a":1}}', [{ invalid: 1 }]],
  [
    'the same key twice, deep inside',
    '{"jsonrpc":"2.0","id":1,"result":{"a":[{"b":1,"b":2}]}}',
    [{ invalid: 1 }],
  ],
  [
    'the same key twice, spelt differently',
    '{"jsonrpc":"2.0","id":1,"result":{"a":1,"\\u0061":2}}',
    [{ invalid: 1 }],
  ],
  [
    'a key called __proto__',
    '{"jsonrpc":"2.0","id":1,"result":{"__proto__":1,"a":2}}',
    [{ jsonrpc: '2.0', id: 1, result: JSON.parse('{"__proto__":1,"a":2}') }],
  ],
  [
    'colons and brackets inside texts',
    '{"jsonrpc":"2.0","id":1,"result":{"a":"\\\\\\":[{,\\"b"}}',
    [{ jsonrpc: '2.0', id: 1, result: { a: '\\":[{,"b' } }],
  ],
  [
    'just deep enough',
    `{"jsonrpc":"2.0","id":1,"result":{"a":${nested(maxJsonDepth - 2)}}}`,
    [{ jsonrpc: '2.0', id: 1, result: { a: JSON.parse(nested(maxJsonDepth - 2)) } }],
  ],
  [
    'one level too deep',
    `{"jsonrpc":"2.0","id":1,"result":{"a":${nested(maxJsonDepth - 1)}}}`,
    [{ invalid: 1 }],
  ],
  ['100,000 levels', `{"jsonrpc":"2.0","id":1,"result":{"a":${nested(100_000)}}}`, [{ invalid: 1 }]],
  ['100,000 levels without an object', nested(100_000), ['invalid']],
  ['a batch beyond the limit', `[${Array.from({ length: 1_001 }, () => '1').join(',')}]`, ['invalid']],
];

describe('parseMessages', () => {
  for (const [name, text, expected] of rows)
    it(name, () => assert.deepEqual(shown(parseMessages(text)), expected));

  it('never throws, and never invents a message, for any text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        for (const parsed of parseMessages(text))
          if (parsed.kind === 'message') assert.equal(parsed.message.jsonrpc, '2.0');
      }),
    );
  });

  it('accepts every result that JSON can carry, unchanged', () => {
    const results = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 6 }));
    fc.assert(
      fc.property(results, fc.boolean(), (value, spaced) => {
        const text = JSON.stringify({ jsonrpc: '2.0', id: 1, result: value }, undefined, spaced ? 2 : 0);
        // Through JSON on both sides: −0 is written as 0.
        assert.deepEqual(shown(parseMessages(text)), [JSON.parse(text)]);
      }),
    );
  });
});
