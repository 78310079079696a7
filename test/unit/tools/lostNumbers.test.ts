import assert from 'node:assert/strict';
import { isJsonObject } from '../../../src/base/json.ts';
import { resultProblems } from '../../../src/calls/resultProblems.ts';
import { parseMessages } from '../../../src/protocol/parseMessages.ts';
import { readCallToolResult } from '../../../src/protocol/wire/results.ts';
import { readTool } from '../../../src/protocol/wire/tools.ts';
import { Catalogue } from '../../../src/tools/catalogue.ts';
import { checkResult } from '../../../src/tools/checkResult.ts';
import { resultForModel } from '../../../src/tools/resultForModel.ts';
import { ResultStore } from '../../../src/tools/resultStore.ts';
import { cardLimits, resultView } from '../../../src/tools/resultView.ts';
import { SchemaChecker } from '../../../src/tools/schemaChecker.ts';
import { describe, it } from '../../helpers/nodeTest.ts';
import { memoryStore } from './toolSamples.ts';

function resultIn(text: string): ReturnType<typeof readCallToolResult> {
  const [entry] = parseMessages(`{"jsonrpc":"2.0","id":1,"result":${text}}`);
  assert.ok(entry?.kind === 'message' && 'result' in entry.message);
  return readCallToolResult(entry.message.result);
}

describe('a number that a double cannot hold', () => {
  const says = '/structuredContent/id is 9007199254740993, and counts as 9007199254740992';

  it('in a result is a failed check for model, person and record', async () => {
    const result = resultIn('{"content":[],"structuredContent":{"id":9007199254740993}}');
    const tool = { outputSchema: { type: 'object', properties: { id: { type: 'integer' } } } };
    const checked = await checkResult(tool, result, new SchemaChecker());
    const [part] = (await resultForModel(checked, new ResultStore(), 'owner')).parts;
    assert.deepEqual(part, {
      kind: 'text',
      text: `[Failed check: the result has numbers that cannot be kept exactly:\n${says}.\nWhat came follows.]\n\nStructured content:\n{"id":9007199254740992}`,
    });
    const view = await resultView({ subject: 'result', serverId: 's', title: 't' }, checked, [], cardLimits);
    assert.deepEqual(view.leads, [
      {
        severity: 'caution',
        message: 'Failed check: the result has numbers that cannot be kept exactly.',
        details: [says],
      },
    ]);
    assert.deepEqual(resultProblems(checked), [`Not an exact number: ${says}.`]);
  });

  it('in the notes of a result that nobody is shown is no failed check', async () => {
    const checked = await checkResult(
      {},
      resultIn('{"content":[],"_meta":{"trace":9007199254740993}}'),
      new SchemaChecker(),
    );
    assert.deepEqual(resultProblems(checked), []);
    const [part] = (await resultForModel(checked, new ResultStore(), 'owner')).parts;
    assert.deepEqual(part, { kind: 'text', text: '[The tool returned nothing.]' });
  });

  it('in a schema is a flag of the tool', async () => {
    const text =
      '{"tools":[{"name":"a","inputSchema":{"type":"object","properties":{"x":{"enum":[9007199254740993]}}}}]}';
    const [entry] = parseMessages(`{"jsonrpc":"2.0","id":1,"result":${text}}`);
    assert.ok(entry?.kind === 'message' && 'result' in entry.message);
    const listed = entry.message.result['tools'];
    const [raw] = Array.isArray(listed) ? listed : [];
    assert.ok(isJsonObject(raw));
    const read = readTool(raw, 1);
    assert.ok(read.kind === 'tool');
    const catalogue = new Catalogue({ enabled: memoryStore() });
    await catalogue.setServerTools('s', { tools: [read.tool], rejected: [] });
    assert.deepEqual(catalogue.find('s', 'a')?.flags, [
      {
        kind: 'lostNumber',
        detail:
          'A number cannot be kept exactly: /inputSchema/properties/x/enum/0 is 9007199254740993, and counts as 9007199254740992.',
      },
    ]);
  });
});
