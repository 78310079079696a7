// Results in a real window: pictures, links that are read from their server, the tab, the history.
import { approvals } from '../../rig/approvals.ts';
import { chatAnswers } from '../../rig/chat.ts';
import { editorTest } from '../../rig/editorTest.ts';
import { recordedEverything } from '../../rig/servers.ts';
import { clickRowAction, openContainer, treeRow } from '../../rig/workbench.ts';

const everything = recordedEverything();
editorTest(
  'the result of a call is drawn on its card and in a tab; its links are read when they are opened',
  { settings: { 'countersign.servers': { everything: everything.entry } } },
  async (editor) => {
    const { page } = editor;
    await openContainer(page, 'Countersign');
    await treeRow(page, 'get-tiny-image').waitFor();
    const view = approvals(editor);

    await editor.ask('@countersign use get-tiny-image {}');
    await view.shows('get-tiny-image');
    await view.allowOnce();
    const picture = view.frame.getByRole('img', { name: /^Image, image\/png/ });
    await picture.waitFor();
    await view.frame.locator('.picture img[width]').first().waitFor();
    await view.frame.getByRole('button', { name: 'Open Result' }).click();
    const tab = editor.webview('panel');
    await tab.getByRole('img', { name: /^Image, image\/png/ }).waitFor();
    await page.getByRole('tab', { name: 'Result: get-tiny-image' }).waitFor();

    await editor.ask('@countersign use get-resource-links {"count": 2}');
    await view.shows('get-resource-links');
    await view.allowOnce();
    await chatAnswers(page).filter({ hasText: 'resource links' }).first().waitFor();
    const link = view.frame.getByRole('region', { name: 'Link 2' });
    await link.getByRole('button', { name: 'Open', exact: true }).click();
    await link.getByText('Opened.').waitFor();
    await page.getByText('Resource 2: This is a plaintext resource').first().waitFor();
    await editor.logged('Countersign Audit', /"resources\/read".*sent .*resource\/dynamic\/text\/2/);

    await editor.command('Countersign: Focus on Call History View');
    const row = treeRow(page, 'get-tiny-image');
    await clickRowAction(row, 'Open Call Result');
    await page.getByRole('tab', { name: 'Result: get-tiny-image', selected: true }).waitFor();
  },
);
