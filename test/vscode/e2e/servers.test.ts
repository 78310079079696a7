// What a person sees of servers: bad ones by name and cause, good ones undisturbed, and how one is added.
import assert from 'node:assert/strict';
import path from 'node:path';
import { approvals } from '../../rig/approvals.ts';
import { chatAnswers } from '../../rig/chat.ts';
import { demoSettings, everythingServer } from '../../rig/demo.ts';
import { editorTest } from '../../rig/editorTest.ts';
import { fixturesFolder, nodePath } from '../../rig/paths.ts';
import { recordedEverything } from '../../rig/servers.ts';
import {
  answerInputBox,
  clickRowAction,
  openContainer,
  quickPickRow,
  runCommand,
  treeRow,
} from '../../rig/workbench.ts';

const bad = (...args: string[]) => ({
  type: 'stdio',
  command: nodePath,
  args: [path.join(fixturesFolder, 'badServers/server.mjs'), ...args],
});

editorTest(
  'bad servers are shown with their cause and the good one goes on',
  {
    settings: {
      'countersign.servers': {
        wrong: { type: 'stdio', comand: 'npx' },
        ghost: { type: 'stdio', command: 'no-such-command', env: { PATH: '/searched/here' } },
        quits: bad('exitsAtOnce'),
        frail: bad('diesInCall'),
        stubborn: bad('ignoresEnd'),
      },
    },
  },
  async (editor) => {
    const { page } = editor;
    await openContainer(page, 'Countersign');
    const says = (label: string, text: string): Promise<void> =>
      treeRow(page, label).filter({ hasText: text }).waitFor();
    await says('wrong', '"command" must be the program to start, but is missing');
    await says('ghost', 'no-such-command');
    await says('quits', 'failed');
    await says('stubborn', 'running · 1 tool');
    await editor.logged('Countersign Audit', /"ghost" failed .*\/searched\/here/);
    await editor.logged('MCP Server quits', /set FOO_KEY/);

    // A death in the middle of a call: the model is told, the server comes back, the others stay.
    await editor.ask('@countersign use frail_go {}');
    await approvals(editor).allowOnce();
    await chatAnswers(page).filter({ hasText: 'not completed' }).waitFor();
    await says('stubborn', 'running · 1 tool');
    await says('frail', 'running · 1 tool');
  },
);

editorTest(
  'a server is added from the empty view, stopped, started and its log shown',
  {},
  async (editor) => {
    const { page } = editor;
    await openContainer(page, 'Countersign');
    await page.getByText('No MCP servers are configured.').waitFor();
    await page.getByRole('button', { name: 'Add Server' }).click();
    await quickPickRow(page, 'Program (stdio)').click();
    await answerInputBox(page, `"${nodePath}" "${everythingServer}" stdio`);
    await answerInputBox(page, 'mine');
    const row = treeRow(page, 'mine');
    // What was added is shown.
    await page.locator('.monaco-list-row.selected.focused').filter({ hasText: 'mine' }).waitFor();
    await row.filter({ hasText: /running · \d+ tools/ }).waitFor();
    await clickRowAction(row, 'Stop Server');
    await row.filter({ hasText: 'stopped' }).waitFor();
    await clickRowAction(row, 'Start Server');
    await row.filter({ hasText: /running · \d+ tools/ }).waitFor();
    await clickRowAction(row, 'Show Server Log');
    await page.locator('.output-view').getByText('Starting default (STDIO) server').first().waitFor();
  },
);

const logging = { type: 'stdio', command: nodePath, args: [path.join(fixturesFolder, 'loggingServer.mjs')] };
editorTest(
  'a server is asked for its log once its channel is set to a detailed level',
  { settings: { 'countersign.servers': { talks: logging, other: logging } } },
  async (editor) => {
    const { page } = editor;
    await openContainer(page, 'Countersign');
    const row = treeRow(page, 'talks');
    await row.filter({ hasText: 'running' }).waitFor();
    await treeRow(page, 'other').filter({ hasText: 'running' }).waitFor();
    await clickRowAction(row, 'Show Server Log');
    const setLevel = async (level: string): Promise<void> => {
      await runCommand(page, 'Developer: Set Log Level...');
      await answerInputBox(page, 'MCP Server: talks');
      await quickPickRow(page, level).first().click();
    };
    await setLevel('Debug');
    await editor.logged('MCP Server talks', /\[debug\] \[own\] this server was set to debug⟦U\+202E RLO⟧/);
    // Looked at less closely again, it is asked for less.
    await setLevel('Info');
    await editor.logged('MCP Server talks', /\[info\] \[own\] this server was set to info/);
    assert.doesNotMatch(editor.channel('MCP Server other'), /this server was set/);
  },
);

const everything = recordedEverything();
editorTest(
  'a tool is run by hand, by the same road',
  {
    settings: {
      'countersign.servers': { everything: everything.entry },
    },
  },
  async (editor) => {
    const { page } = editor;
    await openContainer(page, 'Countersign');
    await clickRowAction(treeRow(page, 'get-sum'), 'Run Tool…');
    const view = approvals(editor);
    const { frame } = view;
    // What is wrong is said where it is typed, before anything runs.
    await frame.getByRole('textbox', { name: /^a( |$)/ }).fill('twenty');
    await frame.getByText('This must be a number.').waitFor();
    assert.equal(await frame.getByRole('button', { name: 'Run', exact: true }).isDisabled(), true);
    await frame.getByRole('textbox', { name: /^a( |$)/ }).fill('20');
    await frame.getByRole('textbox', { name: /^b( |$)/ }).fill('22');
    assert.deepEqual(everything.calls(), []);
    await view.run();
    await editor.webview('panel').getByText('The sum of 20 and 22 is 42.', { exact: true }).waitFor();
    assert.deepEqual(everything.calls(), [{ name: 'get-sum', arguments: { a: 20, b: 22 } }]);
  },
);

editorTest(
  "a workspace's server starts only after a person has seen and agreed to its command line",
  {
    settings: { 'countersign.servers': { everything: bad('fine') } },
    files: {
      '.vscode/settings.json': JSON.stringify({
        'countersign.servers': {
          theirs: { type: 'stdio', command: nodePath, args: [everythingServer, 'stdio'] },
          everything: { type: 'stdio', command: '/bin/evil' },
        },
      }),
    },
  },
  async (editor) => {
    const { page } = editor;
    await openContainer(page, 'Countersign');
    await treeRow(page, 'everything').filter({ hasText: 'running' }).waitFor();
    const row = treeRow(page, 'theirs');
    await row.filter({ hasText: 'not trusted yet' }).waitFor();
    // The question comes by itself, where calls are asked about too.
    const { frame } = approvals(editor);
    await frame.getByText(everythingServer).first().waitFor();
    await frame.getByRole('button', { name: 'Do Not Start' }).click();
    await editor.logged('Countersign Audit', /"theirs" was refused/);
    await row.filter({ hasText: 'not trusted yet' }).waitFor();
    await clickRowAction(row, 'Start Server');
    await frame.getByText(everythingServer).first().waitFor();
    await frame.getByRole('button', { name: 'Trust and Start' }).click();
    await row.filter({ hasText: 'running' }).waitFor();
  },
);

editorTest(
  'in Restricted Mode the servers of the workspace do not exist',
  {
    restricted: true,
    settings: demoSettings,
    files: {
      '.vscode/settings.json': JSON.stringify({
        'countersign.servers': { theirs: { type: 'stdio', command: '/bin/evil' } },
      }),
    },
  },
  async (editor) => {
    const { page } = editor;
    await openContainer(page, 'Countersign');
    await treeRow(page, 'everything').filter({ hasText: 'running' }).waitFor();
    assert.equal(await treeRow(page, 'theirs').count(), 0);
  },
);
