import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { isExactNumber } from '../../../src/base/exactNumber.ts';
import { TimeSlice } from '../../../src/base/timeSlice.ts';
import { inspectJsonText } from '../../../src/protocol/jsonText.ts';
import {
  findLostNumbers,
  findLostNumbersOfLarge,
  lostNumberTexts,
} from '../../../src/protocol/lostNumbers.ts';
import { parseLargeMessages, parseMessages } from '../../../src/protocol/parseMessages.ts';
import { readCallToolResult } from '../../../src/protocol/wire/results.ts';
import { readTool } from '../../../src/protocol/wire/tools.ts';
import { describe, it } from '../../helpers/nodeTest.ts';

describe('a number as it is written', () => {
  const exact = [
    '0',
    '-0',
    '0.0',
    '1.50',
    '0.1',
    '1e3',
    '100000000000000000000000',
    '1e22',
    '1e23',
    '9007199254740991',
    '9007199254740992',
    '9007199254740994',
    // As C writes 0.1 and 1/3 with 17 digits.
    '0.10000000000000001',
    '0.33333333333333331',
    '1.7976931348623157e308',
    '5e-324',
    '0e999999',
    '1.0000000000000000000000000000000000',
  ];
  for (const written of exact) it(`${written} is kept`, () => assert.equal(isExactNumber(written), true));
  const lost = [
    '9007199254740993',
    '-9007199254740993',
    '12345678901234567890',
    // It is exactly the double, which is written otherwise.
    '12345678901234567168',
    '1e400',
    '-1e400',
    '1e-400',
    '0.1000000000000000055511151231257827',
    '123456789012345.6789',
    '9007199254740993.5',
    `1${'0'.repeat(400)}`,
    '1e99999999999999999999',
  ];
  for (const written of lost) it(`${written} is not`, () => assert.equal(isExactNumber(written), false));

  it('is kept whenever it was written from a double', () => {
    fc.assert(
      fc.property(fc.double({ noDefaultInfinity: true, noNaN: true }), (value) => {
        assert.equal(isExactNumber(JSON.stringify(value)), true);
        if (!Number.isInteger(value)) assert.equal(isExactNumber(value.toPrecision(17)), true);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('numbers that a text loses', () => {
  const rows: readonly (readonly [text: string, paths: readonly string[]])[] = [
    ['{"a":9007199254740993}', ['/a']],
    ['[1,9007199254740993,[0,1e400]]', ['/1', '/2/1']],
    ['{"a":"9007199254740993","b":"\\"9007199254740993"}', []],
    ['{"9007199254740993":1}', []],
    ['{"a/b~":{"\\u0061 \\"":[ 1 , { "x" : -9007199254740993 } ]}}', ['/a~1b~0/a "/1/x']],
    ['{"a":[{"b":1},{"b":9007199254740993}],"c":1e-999}', ['/a/1/b', '/c']],
    ['9007199254740993', ['']],
    ['{"a":{},"b":[],"c":9007199254740993}', ['/c']],
    ['{"a":1.7976931348623157e308,"b":12345678901234.25}', []],
  ];
  for (const [text, paths] of rows) {
    it(text, async () => {
      const found = findLostNumbers(text);
      assert.deepEqual(
        found.map(({ path }) => path),
        paths,
      );
      assert.deepEqual(await findLostNumbersOfLarge(text, new TimeSlice()), found);
    });
  }

  it('are all found, with their places', () => {
    const number = fc.oneof(
      fc.constantFrom('9007199254740993', '1e400', '-1.5', '0', '12345678901234567890', '3e-400'),
      fc.double({ noDefaultInfinity: true, noNaN: true }).map((value) => JSON.stringify(value)),
    );
    const text = fc.letrec<{ json: string }>((tie) => ({
      json: fc.oneof(
        { maxDepth: 4 },
        number,
        fc.string().map((value) => JSON.stringify(value)),
        fc.array(tie('json'), { maxLength: 4 }).map((items) => `[ ${items.join(' , ')}]`),
        fc
          .uniqueArray(fc.tuple(fc.string(), tie('json')), { maxLength: 4, selector: ([name]) => name })
          .map((members) => `{${members.map(([name, json]) => `${JSON.stringify(name)} :${json}`).join()}}`),
      ),
    })).json;
    fc.assert(
      fc.property(text, (json) => {
        const expected = new Set<string>();
        // The engine tells the text of each number, but only as it builds the value.
        const parse = JSON.parse as (
          text: string,
          reviver: (
            this: unknown,
            key: string,
            value: unknown,
            context: { readonly source?: string },
          ) => unknown,
        ) => unknown;
        parse(json, (_key, value, { source }) => {
          if (typeof value === 'number' && source !== undefined && !isExactNumber(source))
            expected.add(source);
          return value;
        });
        const found = findLostNumbers(json);
        assert.deepEqual(new Set(found.map(({ written }) => written)), expected);
        // The look at each message, which decides whether numbers are looked for at all, misses none.
        if (found.length > 0) assert.equal(inspectJsonText(json, JSON.parse(json), 100).hasLongNumber, true);
        for (const { path, written } of found)
          assert.ok(Object.is(at(JSON.parse(json), path), Number(written)), path);
      }),
      { numRuns: 1500 },
    );
  });

  function at(value: unknown, path: string): unknown {
    let here = value;
    for (const name of path.split('/').slice(1)) {
      const key = name.replaceAll('~1', '/').replaceAll('~0', '~');
      here = (here as Record<string, unknown>)[key];
    }
    return here;
  }
});

describe('a message with numbers that it loses', () => {
  const result = '{"content":[],"structuredContent":{"id":9007199254740993}}';
  const texts = {
    alone: `{"jsonrpc":"2.0","id":1,"result":${result}}`,
    'in a batch': `[{"jsonrpc":"2.0","id":1,"result":${result}}]`,
  };
  for (const [title, text] of Object.entries(texts)) {
    it(`a result, ${title}`, async () => {
      for (const parsed of [parseMessages(text), await parseLargeMessages(text)]) {
        const [entry] = parsed;
        assert.ok(entry?.kind === 'message' && 'result' in entry.message);
        const { lostNumbers } = readCallToolResult(entry.message.result);
        assert.deepEqual(lostNumbers, [{ path: '/structuredContent/id', written: '9007199254740993' }]);
      }
    });
  }

  it('a list of tools', () => {
    const tool = '{"name":"a","inputSchema":{"type":"object","properties":{"x":{"maximum":1e400}}}}';
    const [entry] = parseMessages(
      `{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"b","inputSchema":{}},${tool}]}}`,
    );
    assert.ok(entry?.kind === 'message' && 'result' in entry.message);
    const tools = entry.message.result['tools'];
    assert.ok(Array.isArray(tools));
    const read = tools.map((item, index) => readTool(item, index + 1));
    assert.deepEqual(
      read.map((item) => (item.kind === 'tool' ? item.tool.lostNumbers : item)),
      [undefined, [{ path: '/inputSchema/properties/x/maximum', written: '1e400' }]],
    );
  });

  it('in words', () => {
    const words = lostNumberTexts([
      { path: '/a', written: '9007199254740993' },
      { path: '/a', written: '1e400' },
      { path: '/a', written: `${'1'.repeat(60)}…` },
    ]);
    assert.deepEqual(words, [
      '/a is 9007199254740993, and counts as 9007199254740992',
      '/a is 1e400, and counts as no number at all',
      `/a is ${'1'.repeat(60)}…, and counts as something else`,
    ]);
  });

  it('are told of a result however many there are elsewhere in its message, and of each tool', async () => {
    const many = `[${'1e400,'.repeat(50)}0]`;
    const result = `{"_meta":{"x":${many}},"odd":${many},"content":[{"n":${many}}],"structuredContent":1e500}`;
    const tools = `{"tools":[{"name":"a","inputSchema":{"enum":${many}}},{"name":"b","inputSchema":{"x":1e500}}]}`;
    const message = (text: string): string => `{"jsonrpc":"2.0","x":${many},"id":1,"result":${text}}`;
    const batch = `[${message(result)},${message(tools)},${message(result)}]`;
    for (const parsed of [parseMessages(batch), await parseLargeMessages(batch)]) {
      const results = parsed.map((entry) => {
        assert.ok(entry.kind === 'message' && 'result' in entry.message);
        return entry.message.result;
      });
      for (const place of [0, 2]) {
        const lost = readCallToolResult(results[place] ?? {}).lostNumbers ?? [];
        assert.equal(lost.filter(({ path }) => path.startsWith('/content/')).length, 20);
        assert.ok(lost.some(({ path, written }) => path === '/structuredContent' && written === '1e500'));
        assert.equal(lostNumberTexts(lost).at(-1), 'there may be more of them');
      }
      const listed = results[1]?.['tools'];
      assert.ok(Array.isArray(listed));
      const read = listed.map((item) => readTool(item, 1));
      assert.deepEqual(
        read.map((item) => (item.kind === 'tool' ? item.tool.lostNumbers?.length : item)),
        [20, 1],
      );
    }
  });

  it('keeps no more of a name than can be shown', () => {
    const found = findLostNumbers(
      `{"${'n'.repeat(1_000_000)}":[${'1e400,'.repeat(50)}1],"${'\\u0041'.repeat(500)}":1e400}`,
    );
    assert.equal(found.length, 20);
    for (const { path } of found) assert.ok(path.length < 300);
  });

  it('is gone through in turns, also where it is one text of escaped quotes', async () => {
    let turns = 0;
    const slice = new (class extends TimeSlice {
      override get isUsedUp(): boolean {
        turns += 1;
        return false;
      }
    })();
    await findLostNumbersOfLarge(`["1234567890123456${'\\"'.repeat(1_000_000)}",1e400]`, slice);
    assert.ok(turns > 60, String(turns));
  });
});
