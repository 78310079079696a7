// The road end to end: a model's call, shown with its exact arguments, allowed or denied by a person.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after } from 'node:test';
import { approvals } from '../../rig/approvals.ts';
import { chatAnswers } from '../../rig/chat.ts';
import { editorTest } from '../../rig/editorTest.ts';
import { makeTempFolder } from '../../rig/paths.ts';
import { recordedEverything, recordedFilesystem, startModernServer } from '../../rig/servers.ts';
import { waitFor } from '../../rig/waitFor.ts';
import { openContainer, treeRow } from '../../rig/workbench.ts';

const audit = 'Countersign Audit';

const everything = recordedEverything();
editorTest(
  'a call of server-everything: allowed, it is sent as shown; denied, nothing is sent and the model is told',
  { settings: { 'countersign.servers': { everything: everything.entry } } },
  async (editor) => {
    const { page } = editor;
    await openContainer(page, 'Countersign');
    await treeRow(page, 'echo').waitFor();
    const view = approvals(editor);

    await editor.ask('@countersign echo hello   world');
    await view.frame.getByText('hello   world', { exact: true }).first().waitFor();
    await view.frame.getByText('Demo Model').first().waitFor();
    assert.deepEqual(everything.calls(), [], 'nothing may be sent before a person has answered');
    await view.allowOnce();
    await chatAnswers(page).filter({ hasText: 'Echo: hello   world' }).waitFor();
    const sent = { name: 'echo', arguments: { message: 'hello   world' } };
    assert.deepEqual(everything.calls(), [sent]);
    await editor.logged(audit, /"echo".*sent .*hello {3}world.*allowed by a person/);
    await editor.logged(audit, /"echo".*returned after .*Echo: hello {3}world/);

    await editor.ask('@countersign add 2 and 40');
    await view.frame.getByText('get-sum').first().waitFor();
    await view.deny();
    await chatAnswers(page).filter({ hasText: 'denied this call' }).waitFor();
    assert.deepEqual(everything.calls(), [sent], 'a denied call must not be sent');
    await editor.logged(audit, /"get-sum".*denied by a person/);
  },
);

const folder = makeTempFolder('files');
mkdirSync(folder, { recursive: true });
writeFileSync(path.join(folder, 'old.txt'), 'before');
const filesystem = recordedFilesystem(folder);
after(() => rmSync(folder, { recursive: true, force: true }));
editorTest(
  'a call of server-filesystem writes the file only after it was allowed',
  { settings: { 'countersign.servers': { files: filesystem.entry } } },
  async (editor) => {
    const { page } = editor;
    await openContainer(page, 'Countersign');
    await treeRow(page, 'write_file').waitFor();
    const view = approvals(editor);
    const file = path.join(folder, 'old.txt');
    const input = { path: file, content: 'line one\n"line" two\n' };

    await editor.ask(`@countersign use write_file ${JSON.stringify(input)}`);
    await view.frame.getByText('"line" two').first().waitFor();
    assert.equal(readFileSync(file, 'utf8'), 'before');
    await view.deny();
    await chatAnswers(page).filter({ hasText: 'denied this call' }).waitFor();
    assert.equal(readFileSync(file, 'utf8'), 'before');
    assert.deepEqual(filesystem.calls(), []);

    await editor.ask(`@countersign use write_file ${JSON.stringify(input)}`);
    await view.frame.getByText('"line" two').first().waitFor();
    await view.allowOnce();
    await waitFor('the file to be written', () => readFileSync(file, 'utf8') === input.content);
    assert.deepEqual(filesystem.calls(), [{ name: 'write_file', arguments: input }]);
    await chatAnswers(page).filter({ hasText: 'Successfully wrote' }).waitFor();
  },
);

const modern = await startModernServer();
after(() => modern.close());
editorTest(
  'a call of a modern server over HTTP',
  { settings: { 'countersign.servers': { modern: { type: 'http', url: modern.url } } } },
  async (editor) => {
    const { page } = editor;
    await openContainer(page, 'Countersign');
    await treeRow(page, 'shout').waitFor();
    // The tool's own picture, once it is loaded.
    await treeRow(page, 'shout')
      .locator('.custom-view-tree-node-item-icon[style*="data:image/png"]')
      .waitFor();
    const view = approvals(editor);
    await editor.logged(audit, /"modern" started .*http, modern 2026-07-28/);

    await editor.ask('@countersign use shout {"text":"quiet"}');
    await view.frame.getByText('quiet', { exact: true }).first().waitFor();
    assert.deepEqual(modern.calls(), []);
    await view.deny();
    await chatAnswers(page).filter({ hasText: 'denied this call' }).waitFor();
    assert.deepEqual(modern.calls(), []);

    await editor.ask('@countersign use shout {"text":"loud"}');
    await view.frame.getByText('loud', { exact: true }).first().waitFor();
    await view.allowOnce();
    await chatAnswers(page).filter({ hasText: 'LOUD' }).waitFor();
    assert.deepEqual(modern.calls(), [{ name: 'shout', arguments: { text: 'loud' } }]);
  },
);
