// Without any language model the view says what to do, and tools still run by hand.
import { approvals } from '../../rig/approvals.ts';
import { demoSettings } from '../../rig/demo.ts';
import { editorTest } from '../../rig/editorTest.ts';
import { repoRoot } from '../../rig/paths.ts';
import { clickRowAction, openContainer, treeRow } from '../../rig/workbench.ts';

editorTest(
  'no language model: the view says what to install, and tools run by hand',
  { settings: demoSettings, extensions: [repoRoot] },
  async (editor) => {
    const { page } = editor;
    await openContainer(page, 'Countersign');
    await treeRow(page, 'everything').filter({ hasText: 'running' }).waitFor();
    await page.getByText('No language model is available for chat. Install an extension').waitFor();
    // Run Tool works all the same.
    await clickRowAction(treeRow(page, 'echo'), 'Run Tool…');
    const view = approvals(editor);
    await view.frame.getByRole('textbox', { name: 'message' }).fill('by hand');
    await view.run();
    await editor.logged('Countersign Audit', /returned after .*Echo: by hand/);
  },
);
