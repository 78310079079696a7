// More tools than a model takes at once: it searches and calls what it found, by the same road.
import assert from 'node:assert/strict';
import { scriptServer } from '../../helpers/scriptServer.ts';
import { approvals } from '../../rig/approvals.ts';
import { chatAnswers } from '../../rig/chat.ts';
import { editorTest } from '../../rig/editorTest.ts';
import { openContainer, treeRow } from '../../rig/workbench.ts';

const inputSchema = { type: 'object', properties: { text: { type: 'string' } } };
const impossible = { type: 'object', properties: { text: { type: 'string' } }, allOf: [false] };
const many = scriptServer([
  ...Array.from({ length: 40 }, (_, index) => ({
    name: `invoice_broken_${index}`,
    description: 'Sends the invoice of a month',
    inputSchema: impossible,
  })),
  ...Array.from({ length: 140 }, (_, index) => ({
    name: `send_${index}`,
    description: index === 77 ? 'Sends the invoice of a month' : 'Sends something',
    inputSchema,
  })),
]);

editorTest(
  'a model searches very many tools and calls what it found',
  { settings: { 'countersign.servers': { many: many.entry } } },
  async (editor) => {
    const { page } = editor;
    await openContainer(page, 'Countersign');
    await treeRow(page, 'many').filter({ hasText: 'running · 180 tools' }).waitFor();
    await page.getByText('Models search the 140 tools instead of getting a list').waitFor();
    await editor.ask('@countersign use search_tools {"query": "send invoice month", "limit": 1}');
    await chatAnswers(page).filter({ hasText: '"name":"many_send_77"' }).waitFor();
    await editor.ask('@countersign use call_tool {"name": "many_send_77", "arguments": {"text": "May"}}');
    await approvals(editor).allowOnce();
    await chatAnswers(page).filter({ hasText: 'did send_77' }).waitFor();
    assert.deepEqual(many.calls(), [{ name: 'send_77', arguments: { text: 'May' } }]);
  },
);
