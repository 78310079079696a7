import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { JsonValue } from '../../../src/base/json.ts';
import {
  longestAtOnce,
  maxJsonDepth,
  type ParsedMessage,
  parseLargeMessages,
  parseMessages,
} from '../../../src/protocol/parseMessages.ts';
import { salvageTools } from '../../../src/protocol/salvageTools.ts';
import { readTool } from '../../../src/protocol/wire/tools.ts';
import { describe, it } from '../../helpers/nodeTest.ts';

const good = (name: string): string => `{"name":"${name}","inputSchema":{"type":"object"}}`;
const listing = (...tools: readonly string[]): string =>
  `{"jsonrpc": "2.0", "id": 7, "result": {"tools": [ ${tools.join(' , ')} ], "nextCursor": "a]}\\""}}`;

const deep = (levels: number): string => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels);
const wide = Array.from({ length: 50_001 }, (_, index) => `"${index}":1`).join(',');

const flawed: readonly (readonly [what: string, tool: string, name: string, reason: RegExp])[] = [
  [
    'a key twice',
    '{"name":"bad","description":"a","description":"b","inputSchema":{}}',
    'bad',
    /same key twice/,
  ],
  ['a key twice, deep inside', '{"inputSchema":{"x":[{"y":1,"y":2}]},"name":"bad"}', 'bad', /same key twice/],
  ['its name twice', '{"name":"good","name":"bad","inputSchema":{}}', '#2', /same key twice/],
  ['a schema that is too deep', `{"name":"b\\u0061d","inputSchema":${deep(300)}}`, 'bad', /levels deep/],
  ['a schema at the limit', `{"name":"bad","inputSchema":${deep(maxJsonDepth - 3)}}`, 'bad', /levels deep/],
  ['an object that is too wide', `{"name":"bad","inputSchema":{${wide}}}`, 'bad', /more than 50000 members/],
  ['brackets in texts', '{"name":"]},{[\\"","a":1,"a":2}', ']},{["', /same key twice/],
];

function toolsIn(parsed: readonly ParsedMessage[]): unknown {
  const [entry] = parsed;
  if (entry?.kind !== 'message' || !('result' in entry.message)) return parsed;
  assert.deepEqual([parsed.length, entry.message.id, entry.message.result['nextCursor']], [1, 7, 'a]}"']);
  const { tools } = entry.message.result as { tools?: JsonValue };
  assert.ok(Array.isArray(tools));
  return tools.map((raw: JsonValue, index) => {
    const read = readTool(raw, index + 1);
    return read.kind === 'tool' ? read.tool.name : read.rejected;
  });
}

describe('a list in which one tool is flawed keeps the others', () => {
  for (const [what, tool, name, reason] of flawed) {
    for (const [length, filler] of [
      ['short', ''],
      ['long', `,"description":"${'x'.repeat(longestAtOnce)}"`],
    ] as const) {
      it(`${what}; a ${length} list`, async () => {
        const filled = `{"name":"two"${filler},"inputSchema":{}}`;
        const text = listing(good('one'), tool, filled);
        const parsed = length === 'short' ? parseMessages(text) : await parseLargeMessages(text);
        const tools = toolsIn(parsed);
        assert.ok(Array.isArray(tools), JSON.stringify(tools).slice(0, 300));
        const [first, rejected, last] = tools as readonly unknown[];
        assert.deepEqual([tools.length, first, last], [3, 'one', 'two']);
        assert.equal((rejected as { name: string }).name, name);
        assert.match((rejected as { reason: string }).reason, reason);
      });
    }
  }
});

describe('nothing is salvaged', () => {
  const rows: readonly (readonly [string, string])[] = [
    [
      'when the flaw is outside of the tools',
      `{"jsonrpc":"2.0","id":7,"id":7,"result":{"tools":[${good('a')}]}}`,
    ],
    [
      'when the list itself is there twice',
      `{"jsonrpc":"2.0","id":7,"result":{"tools":[],"tools":[{"a":1,"a":2}]}}`,
    ],
    ['of another answer', '{"jsonrpc":"2.0","id":7,"result":{"contents":[{"a":1,"a":2}]}}'],
    ['of a request', '{"jsonrpc":"2.0","id":7,"method":"x","params":{"tools":[{"a":1,"a":2}]}}'],
    [
      'when there is another flaw as well',
      `{"jsonrpc":"2.0","id":7,"result":{"x":1,"x":2,"tools":[{"a":1,"a":2}]}}`,
    ],
  ];
  for (const [name, text] of rows)
    it(name, () => {
      assert.deepEqual(
        parseMessages(text).map(({ kind }) => kind),
        ['invalid'],
      );
    });

  it('of whatever else: it always comes to an end', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '\\',
      '"result":',
      '"tools":',
      '"a"',
      '1',
      ' ',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        salvageTools(pieces.join(''), () => 'flawed');
        salvageTools(`{"result":{"tools":[${pieces.join('')}`, () => 'flawed');
      }),
      { numRuns: 2000 },
    );
  });
});
