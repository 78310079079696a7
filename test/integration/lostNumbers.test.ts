// What a server writes and a computer cannot hold is told to the person, to the model and to the record.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { approvalCard, start, textOf } from '../helpers/callRoad.ts';

const big = '9007199254740993';
/** A number in the spelling of the server. */
const written: unknown = (JSON as typeof JSON & { rawJSON: (text: string) => unknown }).rawJSON(big);
const line = `/structuredContent/rows/1/id is ${big}, and counts as 9007199254740992`;

test('a result with a number that is rounded comes with a failed check that names it', async () => {
  const tool = {
    name: 'count',
    inputSchema: { type: 'object' },
    reply: {
      result: {
        content: [{ type: 'text', text: `{"rows":[{"id":1},{"id":${big}}]}` }],
        structuredContent: { rows: [{ id: 1 }, { id: written }] },
      },
    },
  };
  const { road, call } = await start([tool]);
  const running = call({}, 'count');
  await road.answer(await approvalCard(road), { kind: 'allow' });
  const report = await running;
  const text = textOf(report);
  assert.ok(text.startsWith('[Failed check: the result has numbers that cannot be kept exactly'), text);
  assert.ok(text.includes(line), text);
  // Both are there: what the server wrote as text, and the value with the rounded number.
  assert.ok(text.includes(`{"rows":[{"id":1},{"id":${big}}]}`), text);
  assert.ok(text.includes('Structured content:\n{"rows":[{"id":1},{"id":9007199254740992}]}'), text);

  const kept = road.shelf.get(report.callId);
  assert.deepEqual(
    kept?.checked.lostNumbers?.map(({ written }) => written),
    [big],
  );
  const [listed] = road.board.calls;
  assert.ok(listed?.state.kind === 'finished');
  assert.equal(listed.state.outcome, 'doubtful');
  await road.audit.sync();
  const record = road.events.find((event) => event.kind === 'result');
  assert.deepEqual(record?.problems, [`Not an exact number: ${line}.`]);
  assert.ok(!('lostNumbers' in record.result));
});

test('a tool whose schema has such a number carries a flag that names it, also when only that changes', async () => {
  const tool = (maximum: unknown): object => ({
    name: 'count',
    inputSchema: { type: 'object', properties: { n: { type: 'integer', maximum } } },
  });
  const { road, server } = await start([tool(9007199254740992)]);
  assert.deepEqual(road.catalogue.find('files', 'count')?.flags, []);
  const changed = new Promise<void>((resolve) => {
    road.catalogue.onDidChange(() => {
      if (road.catalogue.find('files', 'count')?.flags.length === 1) resolve();
    });
  });
  server.setTools([tool(written)]);
  await changed;
  const [flag] = road.catalogue.find('files', 'count')?.flags ?? [];
  assert.ok(flag?.detail.includes(`/inputSchema/properties/n/maximum is ${big}`), flag?.detail);
  assert.equal(road.catalogue.find('files', 'count')?.state.kind, 'usable');
});
