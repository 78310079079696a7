// A model learns what is wrong by the names that it was told; who knows the tool itself, by the tool's own.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CallTarget } from '../../src/calls/callTypes.ts';
import { start, textOf } from '../helpers/callRoad.ts';

test('the names of arguments in a refusal are those of whoever called', async () => {
  const tool = {
    name: 'read',
    inputSchema: { type: 'object', properties: { 'file name': { type: 'string' } }, required: ['file name'] },
  };
  const { road, server } = await start([tool]);
  const name = road.catalogue.find('files', 'read')?.modelName ?? '';
  const refusal = async (target: CallTarget): Promise<string> => {
    const caller = { kind: 'chat', label: 'model', turn: 'turn 1' } as const;
    return textOf(await road.calls.invoke({ caller, target, arguments: {} }));
  };
  const says = "The arguments do not fit the tool's schema:\nthe arguments lacks the required property";
  assert.equal(
    await refusal({ kind: 'modelName', name }),
    `${says} "file_name" (the tool's own name: "file name")`,
  );
  const own: CallTarget = { kind: 'tool', serverId: 'files', toolName: 'read' };
  assert.equal(await refusal(own), `${says} "file name"`);
  assert.deepEqual(server.calls(), []);
});
