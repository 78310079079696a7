// The record as a person sees it: the history of calls, the check of the journal, and what happens without a disk.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { after } from 'node:test';
import type { Locator } from 'playwright-core';
import { approvals } from '../../rig/approvals.ts';
import { chatAnswers } from '../../rig/chat.ts';
import type { Editor } from '../../rig/editor.ts';
import { editorTest } from '../../rig/editorTest.ts';
import { fixturesFolder, makeTempFolder, nodePath } from '../../rig/paths.ts';
import { recordedEverything } from '../../rig/servers.ts';
import { waitFor } from '../../rig/waitFor.ts';
import {
  answerInputBox,
  clickRowAction,
  openContainer,
  quickPickRow,
  toast,
  treeRow,
} from '../../rig/workbench.ts';

const audit = 'Countersign Audit';
const secret = 'correct-horse-9battery-staple';
const root = makeTempFolder('record');
after(() => rmSync(root, { recursive: true, force: true }));

const journalFiles = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => path.join(folder, name));
const journal = (folder: string): string =>
  journalFiles(folder)
    .map((file) => readFileSync(file, 'utf8'))
    .join('');

/** A collector that keeps what it is sent. */
const bodies: string[] = [];
const collector = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (text: string) => (body += text));
  request.on('end', () => {
    bodies.push(body);
    response.end('{}');
  });
});
await new Promise<void>((resolve) => {
  collector.listen(0, '127.0.0.1', resolve);
});
after(() => {
  collector.closeAllConnections();
  collector.close();
});
const address = collector.address();
const collectorPort = typeof address === 'object' && address !== null ? address.port : 0;

const everything = recordedEverything();
const servers = {
  everything: { ...everything.entry, env: { API_PASSWORD: secret } },
  frail: {
    type: 'stdio',
    command: nodePath,
    args: [path.join(fixturesFolder, 'badServers/server.mjs'), 'diesInCall'],
  },
};

/** A section of Countersign's container, by its title. */
function section(editor: Editor, title: string): { readonly header: Locator; readonly body: Locator } {
  const pane = editor.page.locator('.pane').filter({
    has: editor.page.locator('.pane-header h3.title').getByText(title, { exact: true }),
  });
  return { header: pane.locator('.pane-header'), body: pane.locator('.pane-body') };
}

async function unfold(editor: Editor, title: string, open: boolean): Promise<void> {
  const { header } = section(editor, title);
  if ((await header.getAttribute('aria-expanded')) !== String(open)) await header.click();
}

/** The text of the editor tab in front, as far as it is drawn. */
function tabText(editor: Editor): Locator {
  return editor.page.locator('.editor-instance .view-lines').first();
}

/** By the keyboard, because the pointer may rest on a row whose tooltip covers the others. */
async function pick(editor: Editor, label: string): Promise<void> {
  await quickPickRow(editor.page, label).first().waitFor();
  const box = editor.page.locator('.quick-input-widget .quick-input-box input');
  await box.fill(label);
  await box.press('Enter');
}

async function showsText(editor: Editor, text: string | RegExp): Promise<void> {
  const plain = async (): Promise<string> =>
    (await tabText(editor).innerText()).replaceAll('\u00a0', ' ').replaceAll(/\s+/g, ' ');
  await waitFor(`${text} in the tab`, async () => {
    const shown = await plain().catch(() => '');
    return typeof text === 'string' ? shown.includes(text) : text.test(shown);
  });
}

const kept = path.join(root, 'kept');
editorTest(
  'calls are in the history, can be found, opened, run again and exported; secrets are nowhere',
  {
    settings: {
      'countersign.servers': servers,
      'countersign.rules': [
        { server: 'everything', tool: 'get-env', decision: 'allow' },
        { server: 'frail', tool: '*', decision: 'allow' },
      ],
    },
    machineSettings: {
      'countersign.audit.folder': kept,
      'countersign.audit.otlp.endpoint': `http://127.0.0.1:${collectorPort}`,
      'countersign.audit.otlp.content': true,
    },
    // No workspace decides where the record is.
    files: { '.vscode/settings.json': JSON.stringify({ 'countersign.audit.storage': 'full' }) },
  },
  async (editor) => {
    const { page } = editor;
    await openContainer(page, 'Countersign');
    await treeRow(page, 'echo').waitFor();
    await editor.logged(audit, /"frail" started/);
    const view = approvals(editor);

    await editor.ask('@countersign echo hello history');
    await view.shows('echo');
    await view.allowOnce();
    await chatAnswers(page).filter({ hasText: 'Echo: hello history' }).waitFor();
    await editor.ask('@countersign add 2 and 40');
    await view.shows('get-sum');
    await view.deny();
    await chatAnswers(page).filter({ hasText: 'denied this call' }).waitFor();
    await editor.ask('@countersign use get-env {}\nuse frail_go {}');
    await editor.logged(audit, /"get-env".*returned after/);
    await editor.logged(audit, /"frail" · "go".*failed/);
    await editor.logged(audit, /Recording to .*journal-/);

    // The list, the newest first.
    await unfold(editor, 'Servers & Tools', false);
    await unfold(editor, 'Call History', true);
    const { body } = section(editor, 'Call History');
    const labels = (): Promise<string[]> => body.locator('.monaco-list-row .label-name').allInnerTexts();
    const lists = (...names: readonly string[]): Promise<true> =>
      waitFor(`the calls ${names.join(', ')}`, async () => {
        const now = await labels();
        return [...now].sort().join() === [...names].sort().join();
      });
    const row = (tool: string): Locator => body.getByRole('treeitem').filter({ hasText: tool });
    await lists('go', 'get-env', 'get-sum', 'echo');
    assert.equal((await labels()).at(-1), 'echo');
    await row('get-sum').filter({ hasText: 'Denied' }).waitFor();
    await row('go').filter({ hasText: 'Failed' }).waitFor();
    await row('echo').filter({ hasText: '{"message":"hello history"}' }).waitFor();

    // Found by outcome and by text.
    await editor.command('Countersign: Filter Call History…');
    await pick(editor, 'Outcome');
    await quickPickRow(page, 'Denied').click();
    await page.keyboard.press('Enter');
    await lists('get-sum');
    await editor.command('Countersign: Clear Call History Filter');
    await lists('go', 'get-env', 'get-sum', 'echo');
    await editor.command('Countersign: Filter Call History…');
    await pick(editor, 'Text');
    await answerInputBox(page, 'HELLO hist', 'Text in names');
    await lists('echo');
    await section(editor, 'Call History').header.getByText('"HELLO hist"').waitFor();

    // Opened, and run again by the same road.
    await row('echo').click();
    await showsText(editor, 'Outcome: **OK**');
    await showsText(editor, '"message": "hello history"');
    const sent = { name: 'echo', arguments: { message: 'hello history' } };
    const echoes = (): unknown[] =>
      everything.calls().filter((call) => JSON.stringify(call).includes('"echo"'));
    assert.deepEqual(echoes(), [sent]);
    await clickRowAction(row('echo'), 'Run Call Again');
    await view.frame.getByText('you (again)').first().waitFor();
    await view.shows('echo');
    assert.deepEqual(echoes(), [sent], 'nothing may be sent again before a person has answered');
    await view.allowOnce();
    await waitFor('the call to be made again', () => echoes().length === 2);
    assert.deepEqual(echoes(), [sent, sent]);
    // Only when the tab has taken the focus may the palette be opened: it closes when it loses it.
    await page.getByRole('tab', { name: 'Result: echo', selected: true }).waitFor();
    await editor.webview('panel').getByText('Echo: hello history', { exact: true }).waitFor();

    // Exported.
    await editor.command('Countersign: Export Calls…');
    await pick(editor, 'JSON');
    await pick(editor, 'All calls');
    await page.locator('.quick-input-widget').filter({ hasText: 'Export Calls' }).waitFor();
    const proposed = page.locator('.quick-input-widget .quick-input-box input');
    await waitFor('the proposed file', async () => (await proposed.inputValue()).endsWith('.json'));
    await proposed.press('Enter');
    await toast(page, 'Exported 5 calls').waitFor();
    const name = readdirSync(editor.workspace).find((file) => file.startsWith('calls-'));
    assert.ok(name !== undefined);
    const target = path.join(editor.workspace, name);
    const exported = JSON.parse(readFileSync(target, 'utf8')) as { tool: string; end: string }[];
    assert.equal(exported[0]?.tool, 'echo');
    assert.deepEqual(exported.map(({ tool, end }) => `${tool} ${end}`).sort(), [
      'echo ok',
      'echo ok',
      'get-env ok',
      'get-sum denied',
      'go failed',
    ]);
    assert.equal(statSync(target).mode & 0o777, 0o600);

    // The configured secret came back from the server, and is nowhere.
    assert.match(JSON.stringify(everything.received()), /get-env/);
    await waitFor('the collector to be sent the calls', () => bodies.join('').includes('get-env'));
    for (const text of [
      journal(kept),
      editor.channel(audit),
      readFileSync(target, 'utf8'),
      bodies.join(''),
    ]) {
      assert.match(text, /API_PASSWORD|get-env/);
      assert.ok(!text.includes(secret), 'a configured secret was written down');
    }
    assert.match(journal(kept), /\[secret:/);
  },
);

const guarded = path.join(root, 'guarded');
const plain = recordedEverything();
editorTest(
  'the journal is checked for what was done to it; while nothing can be recorded, nothing is sent',
  {
    settings: { 'countersign.servers': { everything: plain.entry } },
    machineSettings: { 'countersign.audit.folder': guarded },
  },
  async (editor) => {
    const { page } = editor;
    await openContainer(page, 'Countersign');
    await treeRow(page, 'echo').waitFor();
    const view = approvals(editor);
    const call = async (text: string): Promise<void> => {
      await editor.ask(`@countersign echo ${text}`);
      await view.frame.getByText(text, { exact: true }).first().waitFor();
      await view.allowOnce();
    };
    const sent = (text: string): object => ({ name: 'echo', arguments: { message: text } });
    await call('hello history');
    await chatAnswers(page).filter({ hasText: 'Echo: hello history' }).waitFor();

    // Checked: whole, and then not.
    await editor.command('Countersign: Verify Audit Journal');
    await showsText(editor, 'The chain is intact');
    await editor.command('Countersign: Copy Last Audit Hash');
    const [noted = ''] = await editor.logged(
      audit,
      /Record of session [0-9a-f]{12} ends with \d+, hash \S{43}/,
    );
    await editor.command('Countersign: Verify a Noted Audit Hash');
    await page.locator('.quick-input-widget').filter({ hasText: 'Verify a Noted Audit Hash' }).waitFor();
    await page.locator('.quick-input-widget .quick-input-box input').fill(noted);
    await page.keyboard.press('Enter');
    await showsText(editor, 'against 1 hash noted elsewhere');
    for (const file of journalFiles(guarded))
      writeFileSync(file, readFileSync(file, 'utf8').replace('hello history', 'jello history'));
    await editor.command('Countersign: Verify Audit Journal');
    await toast(page, 'The journal is DAMAGED').waitFor();
    await showsText(editor, /Line \d+ \(byte \d+\): record \d+ was altered/);

    // Without its folder nothing is recorded, so nothing is sent.
    renameSync(guarded, `${guarded}.gone`);
    await call('unrecorded');
    const failing = toast(page, 'The call cannot be recorded');
    await failing.first().waitFor();
    await chatAnswers(page).filter({ hasText: 'cannot be recorded' }).waitFor();
    assert.deepEqual(plain.calls(), [sent('hello history')]);
    await failing.first().getByRole('button', { name: 'Try Again' }).click();
    await editor.logged(audit, /Recording works again/);
    await editor.logged(audit, /Record of session [0-9a-f]{12} ends with \d+, hash \S{43}/);
    await call('recorded again');
    await chatAnswers(page).filter({ hasText: 'Echo: recorded again' }).waitFor();
    assert.deepEqual(plain.calls(), [sent('hello history'), sent('recorded again')]);
    assert.match(journal(guarded), /"kind":"recordingResumed"/);
    assert.match(journal(guarded), /recorded again/);
  },
);
