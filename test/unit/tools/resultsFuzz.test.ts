import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { TimeSlice } from '../../../src/base/timeSlice.ts';
import { fileOf, partText, resultText } from '../../../src/calls/resultDocuments.ts';
import { resultProblems } from '../../../src/calls/resultProblems.ts';
import type { KeptResult } from '../../../src/calls/resultShelf.ts';
import { parseMessages } from '../../../src/protocol/parseMessages.ts';
import { readCallToolResult } from '../../../src/protocol/wire/results.ts';
import { decode } from '../../../src/shared/decode.ts';
import { resultViewDecoder } from '../../../src/shared/resultView.ts';
import { checkResult } from '../../../src/tools/checkResult.ts';
import { resultForModel } from '../../../src/tools/resultForModel.ts';
import { ResultStore } from '../../../src/tools/resultStore.ts';
import { cardLimits, resultView, tabLimits } from '../../../src/tools/resultView.ts';
import { SchemaChecker } from '../../../src/tools/schemaChecker.ts';
import { anyResult } from '../../helpers/anyResult.ts';
import { describe, it } from '../../helpers/nodeTest.ts';

const checker = new SchemaChecker();
const outputSchema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };

async function keptOf(
  text: string,
  schema: object | undefined,
): Promise<KeptResult & { readonly sent: number }> {
  const [entry] = parseMessages(text);
  assert.ok(entry?.kind === 'message' && 'result' in entry.message, text.slice(0, 500));
  const { result } = entry.message;
  const raw = readCallToolResult(result);
  const checked = await checkResult(schema === undefined ? {} : { outputSchema }, raw, checker);
  const about = {
    id: 'c',
    subject: 'result',
    serverId: 's',
    launchFingerprint: undefined,
    title: 't',
  } as const;
  const { content } = result;
  assert.ok(Array.isArray(content));
  return { ...about, checked, leads: [], raw, sent: content.length };
}

describe('any result', () => {
  it('takes the whole way from the wire to person, model, record and file, and every item of it is there', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyResult,
        fc.option(fc.constant(outputSchema), { nil: undefined }),
        async (text, schema) => {
          const kept = await keptOf(text, schema);
          const { checked, sent } = kept;
          assert.equal(checked.blocks.length, sent);
          const hasValue = 'value' in checked.structured;
          for (const limits of [cardLimits, tabLimits]) {
            const view = await resultView(kept, checked, [], limits);
            assert.equal(view.parts.length, sent + (hasValue ? 1 : 0));
            const asSent: unknown = JSON.parse(JSON.stringify(view));
            const decoded = decode(resultViewDecoder, asSent);
            assert.deepEqual(decoded, { ok: true, value: asSent });
            if ((checked.lostNumbers ?? []).length > 0)
              assert.ok(view.leads.some(({ message }) => message.includes('cannot be kept exactly')));
          }
          const everything = { textBytes: 1e8, dataBytes: 1e8, acceptsData: () => true };
          const { parts, cut } = await resultForModel(checked, new ResultStore(), 'me', everything);
          assert.equal(cut, undefined);
          const words = parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
          assert.ok(words.isWellFormed());
          for (const block of checked.blocks) {
            if (block.annotations?.audience?.join() === 'user')
              assert.match(words, /meant for the user only/);
            else if (block.kind === 'text' || block.kind === 'resourceText')
              assert.ok(words.includes(block.text));
            else if (block.kind === 'broken') assert.ok(words.includes(block.reason));
            else if (block.kind === 'link') assert.ok(words.includes(block.link.uri));
            else if (block.kind === 'resourceBlob') assert.ok(words.includes(`[Content of ${block.uri}`));
            else if (block.kind === 'unknown') assert.ok(words.includes('unknown type'));
            else if (block.isUnchecked === true) assert.ok(words.includes('cannot be checked'));
            else assert.ok(parts.some((part) => part.kind === 'data' && part.data === block.data));
          }
          if (checked.structured.kind === 'missing') assert.match(words, /Failed check/);
          JSON.stringify(resultProblems(checked));
          await resultText(kept);
          for (const [place, block] of checked.blocks.entries()) {
            await partText(kept, place);
            const file = fileOf(kept, block, place);
            if (file !== undefined) assert.match(file.name, /^[^/\\]+\.\w+$/);
          }
        },
      ),
      { numRuns: 400 },
    );
  });

  const large: Readonly<Record<string, () => string>> = {
    'many small parts': () => `"content":[${'{"type":"text","text":"x"},'.repeat(9_999)}0]`,
    'a huge text': () => `"content":[{"type":"text","text":"${'x'.repeat(4_000_000)}"}]`,
    'a wide value': () => `"content":[],"structuredContent":[${'{"a":1},'.repeat(200_000)}0]`,
    'many numbers': () => `"content":[],"structuredContent":[${'0.1234567890123456,'.repeat(200_000)}0]`,
  };
  for (const [title, make] of Object.entries(large)) {
    it(`gives way often: ${title}`, async () => {
      const kept = await keptOf(`{"jsonrpc":"2.0","id":1,"result":{${make()}}}`, undefined);
      let looks = 0;
      // A slice that is never used up counts how often the work asks whether it should give way.
      const slice = new (class extends TimeSlice {
        override get isUsedUp(): boolean {
          looks += 1;
          return false;
        }
      })();
      const { raw } = kept;
      assert.ok('content' in raw);
      await checkResult({}, raw, checker, { slice });
      await resultForModel(kept.checked, new ResultStore(), 'me', undefined, slice);
      const size = make().length;
      // A million characters, copied as one text, take less than a millisecond; values and parts take far longer.
      assert.ok(
        looks >= (title === 'a huge text' ? 3 : size / 100_000),
        `${looks} looks for ${size} characters`,
      );
    });
  }
});
