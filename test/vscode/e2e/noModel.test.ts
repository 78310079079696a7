// Without any language model the chat says what to do, and tools still run by hand.
import { chatView, sendChat } from '../../rig/chat.ts';
import { demoSettings } from '../../rig/demo.ts';
import { editorTest } from '../../rig/editorTest.ts';
import { repoRoot } from '../../rig/paths.ts';
import { openContainer, runCommand, treeRow } from '../../rig/workbench.ts';

editorTest(
  'no language model: the chat says what to install',
  { settings: demoSettings, extensions: [repoRoot] },
  async (editor) => {
    const { page } = editor;
    await openContainer(page, 'Countersign');
    await treeRow(page, 'everything').filter({ hasText: 'running' }).waitFor();
    await runCommand(page, 'Chat: Open Chat');
    await sendChat(page, '@countersign echo hello');
    await chatView(page).getByText('No language model is available').waitFor();
  },
);
