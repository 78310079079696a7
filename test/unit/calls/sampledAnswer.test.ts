import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/base/json.ts';
import { readSampledAnswer, type SampledPart, sampledLimits } from '../../../src/calls/sampledAnswer.ts';
import { it } from '../../helpers/nodeTest.ts';

interface Row {
  readonly name: string;
  /** Texts as they stream in; an object is the use of a tool. */
  readonly parts: readonly (string | { readonly id: string })[];
  readonly params?: JsonObject;
  readonly text?: string;
  readonly uses?: readonly string[];
  readonly stopReason: string;
  /** How many parts were asked of the model. */
  readonly read?: number;
}

/** Ten words of five letters, each a token for the count below. */
const words = Array.from({ length: 10 }, (_, place) => `word${place} `);

const rows: readonly Row[] = [
  { name: 'a short answer', parts: ['Hel', 'lo'], text: 'Hello', stopReason: 'endTurn' },
  { name: 'nothing at all', parts: [], text: '', stopReason: 'endTurn' },
  {
    name: 'a stop inside one part',
    parts: ['one END two', 'three'],
    params: { stopSequences: ['END'] },
    text: 'one ',
    stopReason: 'stopSequence',
    read: 1,
  },
  {
    name: 'a stop over the border of parts',
    parts: ['one E', 'N', 'D two', 'three'],
    params: { stopSequences: ['END'] },
    text: 'one ',
    stopReason: 'stopSequence',
    read: 3,
  },
  {
    name: 'the first of several stops',
    parts: ['a b c d'],
    params: { stopSequences: ['d', 'b'] },
    text: 'a ',
    stopReason: 'stopSequence',
  },
  {
    name: 'stops that are none',
    parts: ['a b'],
    params: { stopSequences: ['', 7, null] },
    text: 'a b',
    stopReason: 'endTurn',
  },
  {
    name: 'exactly as many tokens as allowed',
    parts: words,
    params: { maxTokens: 10 },
    text: words.join(''),
    stopReason: 'endTurn',
  },
  {
    name: 'one token too many',
    parts: words,
    params: { maxTokens: 9 },
    text: words.slice(0, 9).join(''),
    stopReason: 'maxTokens',
  },
  {
    name: 'an answer without end is not read to its end',
    parts: Array.from({ length: 10_000 }, () => 'again '),
    params: { maxTokens: 3 },
    text: 'again again again ',
    stopReason: 'maxTokens',
    read: 1,
  },
  {
    name: 'half of a pair is no text',
    parts: ['\u{1f600}\u{1f600}'],
    params: { maxTokens: 1.5 },
    text: '\u{1f600}',
    stopReason: 'maxTokens',
  },
  {
    name: 'uses of tools',
    parts: [{ id: '1' }, { id: '2' }],
    uses: ['1', '2'],
    stopReason: 'toolUse',
  },
  {
    name: 'uses of tools without end are not read to their end',
    parts: Array.from({ length: 10_000 }, (_, place) => ({ id: String(place) })),
    uses: Array.from({ length: 128 }, (_, place) => String(place)),
    stopReason: 'maxTokens',
    read: 129,
  },
  {
    name: 'words and the use of a tool',
    parts: ['I look.', { id: '1' }],
    text: 'I look.',
    uses: ['1'],
    stopReason: 'toolUse',
  },
];

for (const { name, parts, params = {}, text, uses, stopReason, read } of rows) {
  it(name, async () => {
    let asked = 0;
    async function* stream(): AsyncGenerator<SampledPart> {
      for (const part of parts) {
        asked += 1;
        if (typeof part === 'string') yield { kind: 'text', text: part };
        else yield { kind: 'toolUse', id: part.id, name: 'find', input: {} };
      }
    }
    const limits = {
      ...sampledLimits({ maxTokens: 1000, ...params }),
      // Each pair of surrogates is a token, and so is each word.
      countTokens: (counted: string) =>
        Promise.resolve(
          (counted.match(/\S+\s?/gu) ?? []).length +
            (counted.match(/[\u{10000}-\u{10ffff}]/gu) ?? []).length -
            (/[\u{10000}-\u{10ffff}]/u.test(counted) ? 0.5 : 0),
        ),
    };
    const result = await readSampledAnswer(stream(), limits, 'm');
    const block = { type: 'text', text: text ?? '' };
    const toolUses = (uses ?? []).map((id) => ({ type: 'tool_use', id, name: 'find', input: {} }));
    const content = uses === undefined ? block : text === undefined ? toolUses : [block, ...toolUses];
    assert.deepEqual(result, { role: 'assistant', content, model: 'm', stopReason });
    if (read !== undefined) assert.ok(asked <= Math.max(read, 60), `${asked} parts were read`);
  });
}
