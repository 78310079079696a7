import assert from 'node:assert/strict';
import { sniffAnsweredId } from '../../../src/protocol/sniffId.ts';
import { describe, it } from '../../helpers/nodeTest.ts';

const rows: readonly (readonly [name: string, head: string, tail: string, expected: unknown])[] = [
  ['at the start', '{"jsonrpc":"2.0","id":3,"result":{"a":"', 'x"}}', 3],
  ['at the start, without the version', '{ "id" : "a b" , "result":', '}', 'a b'],
  ['at the start, escaped', '{"id":"\\"q","result":', '}', '"q'],
  ['at the end', '{"result":{"content":[', ']},"jsonrpc":"2.0","id":12}', 12],
  ['at the end, before the version', '{"result":{', '},"id":-4,"jsonrpc":"2.0"} ', -4],
  ['a request of the server', '{"jsonrpc":"2.0","id":3,"method":"x","params":', '}', undefined],
  ['nowhere', '{"jsonrpc":"2.0","result":', '}}', undefined],
  ['inside the result', '{"result":{"id":5,', '"id":6}}}', undefined],
  ['a number that is no id', '{"id":99999999999999999999,"result":', '}', undefined],
  ['no JSON at all', 'xxxxxxxxxxxx', 'xxxxxxxx', undefined],
];

describe('sniffAnsweredId', () => {
  for (const [name, head, tail, expected] of rows)
    it(name, () => assert.equal(sniffAnsweredId(head, tail), expected));
});
