import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { TimeSlice } from '../../../src/base/timeSlice.ts';
import { type LargeJson, readLargeJson } from '../../../src/protocol/readLargeJson.ts';
import { parseLargeMessages, parseMessages } from '../../../src/protocol/parseMessages.ts';
import { describe, it } from '../../helpers/nodeTest.ts';

/** With pieces so small that every container is put together from several. */
function read(
  text: string,
  piece = 4,
  bounds = { depth: 50, members: 1000, containers: 2000 },
): Promise<LargeJson> {
  return readLargeJson(text, { ...bounds, piece }, new TimeSlice(1000));
}

function parsed(text: string): unknown {
  try {
    return { kind: 'read', value: JSON.parse(text) as unknown };
  } catch {
    return { kind: 'refused', flaw: 'notJson' };
  }
}

/** What JSON.parse says is what the reader has to say, whatever the pieces are. */
const texts = [
  '{}',
  '[]',
  ' [ ] ',
  '[[],[]]',
  '[[ ] , {} ]',
  '{"a":{}}',
  '{"a" : { "b" : [ 1 , 2 , [ ] ] } , "c" : "d" }',
  '[1,2,3,4,5,6,7,8,9]',
  '["a,b","c]d","e\\"f","\\\\","\\\\\\""]',
  '{"__proto__":{"a":[1,2,3,4]},"constructor":1,"toString":[1,2,3]}',
  '{"":{"":{"":[[[[1,2,3]]]]}}}',
  '{"a,b":{"c:d":["e","f","g","h"]}}',
  '"a text alone"',
  JSON.stringify({ a: 'x'.repeat(99), b: ['y\\'.repeat(70), 1, '\n'.repeat(80)] }),
  JSON.stringify([
    '😀'.repeat(60),
    { 'a long name, which is no value': 'é\u0001'.repeat(50) },
    '"'.repeat(70),
  ]),
  String.raw`["${String.raw`\ud83d\ude00`.repeat(30)}","${'\\\\'.repeat(99)}"]`,
  `["${'ab'.repeat(60)}" 1]`,
  `["${'ab'.repeat(60)}",]`,
  `[1 "${'ab'.repeat(60)}"]`,
  `{"${'ab'.repeat(60)}":"${'cd'.repeat(60)}"}`,
  `{"a":"${'cd'.repeat(60)}":1}`,
  `{"a" "${'cd'.repeat(60)}"}`,
  `{"a":"${'cd'.repeat(60)}\\x"}`,
  `{"a":"${'cd\n'.repeat(60)}"}`,
  '12345678',
  'null',
  '[1e400,-0,1.5e-7]',
  // Not JSON.
  '',
  ' ',
  '[',
  '{',
  '"',
  '[1,2,3,4,5,6,',
  '[1,2,3,4,5,6,]',
  '[,1,2,3,4,5]',
  '[1,2,3,,4,5,6]',
  '[[1,2,3,4,5],]',
  '[[1,2,3,4,5] 6]',
  '[[1,2,3,4,5][6]]',
  '[6 [1,2,3,4,5,6]]',
  '{"a":[1,2,3,4,5] "b":1}',
  '{"a":[1,2,3,4,5]},',
  '{"a":[1,2,3,4,5]}}',
  '{"a":[1,2,3,4,5]}]',
  '[1,2,3,4,5}',
  '{"a":1,"b":2]',
  '{"a":[1,2,3,4,5}}',
  '{[1,2,3,4,5,6]}',
  '{"a",[1,2,3,4,5,6]}',
  '{"a":"b":[1,2,3,4,5,6]}',
  '{"x":1,"a":2:[1,2,3,4,5,6]}',
  '["a":[1,2,3,4,5,6]]',
  '[1:2,3,4,5,6,7]',
  '{,"a":[1,2,3,4,5]}',
  '{"a":1,,"b":[1,2,3,4,5]}',
  '{"a":1,"b":[1,2,3,4,5],}',
  '["abc\n","def"]',
  '["abc","d\\xef"]',
  '[tru,false,null]',
  '\u00a0[1,2,3]',
  '[1,2,3]\u00a0',
];

describe('reading a long JSON text in pieces', () => {
  for (const text of texts) {
    it(`says what JSON.parse says: ${JSON.stringify(text)}`, async () => {
      for (const piece of [1, 2, 3, 5, 8, 13, 1000]) {
        assert.deepEqual(await read(text, piece), parsed(text), `pieces of ${piece}`);
      }
    });
  }

  it('says what JSON.parse says of any JSON, and of JSON with something changed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.json({ noUnicodeString: false }),
        fc.nat(),
        fc.constantFrom('', ',', ':', '[', ']', '{', '}', '"', '\\', ' ', '0'),
        fc.nat({ max: 2 }),
        fc.integer({ min: 1, max: 12 }),
        async (json, at, put, removed, piece) => {
          const place = at % (json.length + 1);
          const text = json.slice(0, place) + put + json.slice(place + removed);
          const mine = await read(text, piece);
          if (mine.kind === 'refused' && mine.flaw === 'sameKey') return;
          const expected = parsed(text) as { kind: string; value?: unknown };
          // Half pairs of surrogates are repaired; there is a test for those.
          if (JSON.stringify(expected.value ?? null).includes('\\ud')) return;
          assert.deepEqual(mine, expected);
        },
      ),
      { numRuns: 2000 },
    );
  });

  const refused = [
    ['deep', '['.repeat(60) + ']'.repeat(60), 'depth'],
    ['wide', `{${Array.from({ length: 1200 }, (_, index) => `"${index}":0`).join(',')}}`, 'members'],
    ['full of lists', `[${'[],'.repeat(2000)}[]]`, 'containers'],
    ['a key twice, close together', '{"a":1,"a":2}', 'sameKey'],
    ['a key twice, far apart', '{"a":[1,2,3,4,5,6],"b":[1,2,3,4,5,6],"a":1}', 'sameKey'],
    ['a key twice, spelled in two ways', '{"a":[1,2,3,4,5,6],"\\u0061":[1,2,3,4,5,6]}', 'sameKey'],
    ['a key twice, deep inside', '[[[{"x":[1,2,3,{"y":1,"y":2}]}]]]', 'sameKey'],
    ['__proto__ twice', '{"__proto__":[1,2,3,4,5,6],"__proto__":[1,2,3,4,5,6]}', 'sameKey'],
  ] as const;
  for (const [name, text, flaw] of refused) {
    it(`refuses what is ${name}`, async () => {
      for (const piece of [1, 4, 20, 10_000]) {
        assert.deepEqual(await read(text, piece), { kind: 'refused', flaw }, `pieces of ${piece}`);
      }
    });
  }

  it('takes as much as the bounds allow', async () => {
    const deep = '['.repeat(50) + ']'.repeat(50);
    const wide = `{${Array.from({ length: 1000 }, (_, index) => `"${index}":0`).join(',')}}`;
    for (const text of [deep, wide]) assert.deepEqual(await read(text), parsed(text));
  });

  it('repairs half pairs of surrogates, in texts and names', async () => {
    const long = await read(JSON.stringify([`${'x'.repeat(50)}\ud83d${'y'.repeat(50)}`]));
    assert.deepEqual(long, { kind: 'read', value: [`${'x'.repeat(50)}\ufffd${'y'.repeat(50)}`] });
    const text = String.raw`{"a\ud800":["\ud83d\ude00","x\udc00y",{"\ud800":["\ud83d"]}]}`;
    assert.deepEqual(await read(text), {
      kind: 'read',
      value: { 'a\ufffd': ['😀', 'x\ufffdy', { '\ufffd': ['\ufffd'] }] },
    });
  });

  it('pauses in a text of any shape, long strings full of quotes included', async () => {
    for (const text of [
      JSON.stringify(['"'.repeat(200_000)]),
      JSON.stringify(Array.from({ length: 50_000 }, () => [])),
      JSON.stringify({ a: Array.from({ length: 50_000 }, () => 1) }),
    ]) {
      let pauses = 0;
      const slice = new (class extends TimeSlice {
        override pause(): Promise<void> {
          pauses += 1;
          return Promise.resolve();
        }
      })();
      const bounds = { depth: 5, members: 5, containers: 100_000 };
      assert.deepEqual(await readLargeJson(text, bounds, slice), parsed(text));
      assert.ok(pauses >= 5, `${pauses} pauses`);
    }
  });
});

describe('parsing a long message', () => {
  const filler = 'x'.repeat(100);
  const rows = [
    JSON.stringify({ jsonrpc: '2.0', id: 1, result: { filler } }),
    JSON.stringify([{ jsonrpc: '2.0', id: 1, result: {} }, 3]),
    JSON.stringify({ jsonrpc: '2.0', method: 'm', params: { filler } }),
    JSON.stringify({ jsonrpc: '1.0', id: 1, result: { filler } }),
    '{"jsonrpc":"2.0","id":4,"result":{"a":1,"a":2}}',
    `{"jsonrpc":"2.0","id":5,"result":${'['.repeat(300)}${']'.repeat(300)}}`,
    `{"jsonrpc":"2.0","id":6,"result":{`,
    'no message',
    '[]',
    '3',
  ];
  for (const text of rows) {
    it(`says the same as for a short one: ${text.slice(0, 60)}`, async () => {
      const shown = (entries: Awaited<ReturnType<typeof parseLargeMessages>>): unknown =>
        entries.map((entry) =>
          entry.kind === 'message' ? entry.message : { id: entry.id, message: entry.error.message },
        );
      assert.deepEqual(shown(await parseLargeMessages(text)), shown(parseMessages(text)));
    });
  }
});
