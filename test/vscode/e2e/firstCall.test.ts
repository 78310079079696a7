// The road end to end: a model's call, shown with its exact arguments, allowed or denied by a person.
import assert from 'node:assert/strict';
import { chatAnswers } from '../../rig/chat.ts';
import { demoSettings } from '../../rig/demo.ts';
import { editorTest } from '../../rig/editorTest.ts';
import { openContainer, treeRow } from '../../rig/workbench.ts';

editorTest(
  'a call of the published everything server is approved and answered',
  { settings: demoSettings },
  async (editor) => {
    const { page } = editor;
    await openContainer(page, 'Countersign');
    await treeRow(page, 'everything').waitFor();
    await treeRow(page, 'echo').waitFor();

    await editor.ask('@countersign echo hello');
    const approvals = editor.webview('view');
    await approvals.getByText('hello').first().waitFor();
    await editor.screenshot('test/out/first.png');
    await approvals.getByRole('button', { name: 'Allow Once' }).click();
    await chatAnswers(page).filter({ hasText: 'Echo: hello' }).waitFor();
    await editor.screenshot('test/out/second.png');
    await editor.logged('Countersign Audit', /sent .*hello.*allowed by/);
    assert.match(editor.channel('Countersign Audit'), /returned after/);
  },
);
