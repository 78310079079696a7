// Workspace folders for servers that may know of them, and forms in the life of a window.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { askingServer, formQuestion } from '../../helpers/askingServer.ts';
import { editorTest } from '../../rig/editorTest.ts';
import { chatCalls, inputCards } from '../../rig/inputs.ts';
import { recordedEverything } from '../../rig/servers.ts';
import { waitFor } from '../../rig/waitFor.ts';
import { openContainer, treeRow } from '../../rig/workbench.ts';

const told = recordedEverything();
const untold = recordedEverything();
const audit = 'Countersign Audit';
const workspaceFile = 'some.code-workspace';
const folders = (...names: readonly string[]): string =>
  JSON.stringify({ folders: names.map((name) => ({ path: name })), settings: {} });

editorTest(
  'folders are shared with the servers that the user names, and changes of them are announced',
  {
    workspaceFile,
    files: { [workspaceFile]: folders('one'), 'one/a.txt': 'a', 'two ü/b.txt': 'b' },
    settings: {
      'countersign.rules': [{ server: '*', tool: '*', decision: 'allow' }],
      'countersign.servers': { told: told.entry, untold: untold.entry },
      'countersign.shareWorkspaceFolders': { told: true },
    },
  },
  async (editor) => {
    const { page } = editor;
    await openContainer(page, 'Countersign');
    for (const name of ['told', 'untold']) await editor.logged(audit, new RegExp(`"${name}" started`));
    const roots = (): unknown =>
      told
        .received()
        .flatMap((message) => (message['result'] as { readonly roots?: unknown } | undefined)?.roots ?? [])
        .at(-1);
    const announced = (server: typeof told): number =>
      server.received().filter(({ method }) => method === 'notifications/roots/list_changed').length;

    const listed = await chatCalls(editor)('use get-roots-list {}');
    const one = new URL(`file://${editor.workspace}/one`).href;
    assert.ok((await listed()).includes(`URI: ${one}`));
    assert.equal(announced(told), 0);

    writeFileSync(path.join(editor.workspace, workspaceFile), folders('one', 'two ü'));
    await waitFor('the change to be announced', () => announced(told) > 0);
    const two = new URL(`file://${editor.workspace}/two ü`).href;
    await waitFor('the new folder to be known', () => JSON.stringify(roots() ?? '').includes(two));
    assert.equal(announced(untold), 0);
    assert.ok(untold.received().every(({ params }) => !JSON.stringify(params ?? {}).includes('"roots"')));
  },
);

const rooms = { rounds: [{ q: formQuestion('Which room?') }] };
editorTest(
  'two servers at once, a call stopped and a server ended while its form is open, and a window that is left',
  {
    settings: {
      'countersign.rules': [{ server: '*', tool: '*', decision: 'allow' }],
      'countersign.servers': { one: askingServer('legacy'), two: askingServer('modern') },
    },
  },
  async (editor) => {
    const { page } = editor;
    await openContainer(page, 'Countersign');
    for (const name of ['one', 'two']) await treeRow(page, name).filter({ hasText: 'running' }).waitFor();
    const { frame, shows, press, fill } = inputCards(editor);
    const name = frame.getByRole('textbox', { name: /name/ });
    const ask = chatCalls(editor);

    // Two at once, from one turn: what is typed into the first stays there, also while the view is out of sight.
    const both = await ask(`use one_ask ${JSON.stringify(rooms)}\nuse two_ask ${JSON.stringify(rooms)}`);
    await shows('Which room?');
    await frame.getByText('1 of 2').first().waitFor();
    const firstServer = await frame.locator('article .server-id').first().innerText();
    await fill(/name/, `for ${firstServer}`);
    await press('Next');
    await waitFor('the other form', async () => (await name.inputValue()) === '');
    await fill(/name/, 'for the other');
    await openContainer(page, /Explorer/);
    await openContainer(page, 'Countersign');
    await press('Previous');
    await waitFor('what was typed', async () => (await name.inputValue()) === `for ${firstServer}`);
    await press('Submit');
    await waitFor('the other form', async () => (await name.inputValue()) === 'for the other');
    await press('Submit');
    const text = await both();
    assert.ok(text.includes(`for ${firstServer}`) && text.includes('for the other'), text);

    // A call that is stopped in the chat takes its form along.
    await editor.ask(`@countersign use one_ask ${JSON.stringify(rooms)}`);
    await shows('Which room?');
    await fill(/name/, 'typed in vain');
    await page
      .getByRole('button', { name: /^(Cancel|Stop Response)/ })
      .first()
      .click();
    await editor.logged(audit, /input \(elicitationForm\): cancel/);
    await frame.getByRole('textbox', { name: /name/ }).waitFor({ state: 'hidden' });

    // A server that ends while its form is open: the form is withdrawn, the call fails, the model is told.
    // (The turn that was stopped before has no answer of the tools.)
    const dying = await ask(`use two_ask ${JSON.stringify({ ...rooms, manner: 'die' })}`);
    await dying();
    await frame.getByRole('textbox', { name: /name/ }).waitFor({ state: 'hidden' });

    // A window that is loaded anew has no forms: the answer was cancel, and nothing that was typed is kept.
    await editor.ask(`@countersign use one_ask ${JSON.stringify(rooms)}`);
    await shows('Which room?');
    await fill(/name/, 'gone with the window');
    await editor.reload();
    await openContainer(page, 'Countersign');
    await treeRow(page, 'one').filter({ hasText: 'running' }).waitFor();
    await waitFor('an empty view', async () => (await frame.getByRole('textbox').count()) === 0);
  },
);
