// The rig's own proof: what the other editor tests rely on works with a small extension of the rig.
import assert from 'node:assert/strict';
import { chatAnswers } from '../../rig/chat.ts';
import { buildFixture } from '../../rig/bundle.ts';
import { editorTest } from '../../rig/editorTest.ts';
import { openContainer, toast, treeRow } from '../../rig/workbench.ts';

const own = 'countersign-demo.rig-extension';
const extensions = [await buildFixture('rig-extension'), await buildFixture('demo-model')];

editorTest('rig: views, webview, commands and channels', { extensions }, async (editor) => {
  const { page } = editor;
  await openContainer(page, 'Rig Extension');
  await treeRow(page, 'beta').waitFor();

  const frame = editor.webview('view', own);
  await frame.getByRole('textbox', { name: 'Name' }).fill('Ada');
  await frame.getByRole('button', { name: 'Send' }).click();
  await frame.getByText('host heard "Ada"').waitFor();

  await editor.command('Rig: Say Hello');
  await toast(page, 'Hello from the rig').waitFor();
  await editor.logged('Rig Log', /hello/, own);
  assert.match(editor.channel('Rig Log', own), /page said "Ada"/);
});

editorTest('rig: a chat participant is answered by the scripted model', { extensions }, async (editor) => {
  await editor.ask('@righelper what can you do?');
  await chatAnswers(editor.page).filter({ hasText: 'I am a scripted demo model' }).waitFor();
  await editor.logged('Demo Model', /request .*what can you do/, 'countersign-demo.demo-model');
});
