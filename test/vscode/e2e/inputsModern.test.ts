// A modern server made with the official package asks for everything that one may ask for; answered by clicks.
import assert from 'node:assert/strict';
import { after } from 'node:test';
import { editorTest } from '../../rig/editorTest.ts';
import { chatCalls, inputCards, openedBy } from '../../rig/inputs.ts';
import { askingServer, formQuestion, modelQuestion } from '../../helpers/askingServer.ts';
import { startAskingServer } from '../../rig/servers.ts';
import { openContainer, treeRow } from '../../rig/workbench.ts';

// Every character counts: what stands decoded in it would be another link.
const link = 'https://sign-in.example.org/to?state=a%26b%2Bc+d&return=https%3A%2F%2Fexample.org%2F%3Fx%3D1';
const modern = await startAskingServer(link);
after(() => modern.close());
const audit = 'Countersign Audit';

editorTest(
  'a modern server: forms, a link, a model and folders, each accepted, declined and cancelled',
  {
    settings: {
      'countersign.rules': [{ server: '*', tool: '*', decision: 'allow' }],
      'countersign.servers': { modern: { type: 'http', url: modern.url }, rounds: askingServer('modern') },
      'countersign.shareWorkspaceFolders': { modern: true },
    },
  },
  async (editor) => {
    const { page } = editor;
    await openContainer(page, 'Countersign');
    await treeRow(page, 'modern').filter({ hasText: 'running' }).waitFor();
    const { frame, shows, press, fill } = inputCards(editor);
    const ask = chatCalls(editor);
    const call = (tool: string): Promise<() => Promise<string>> => ask(`use ${tool} {}`);

    let ended = await call('profile');
    await shows('Who are you?');
    await page.getByText('Waiting for your input in Approvals: modern · profile').first().waitFor();
    await shows('4 required fields to fill in.');
    await fill(/^Name/, 'Ada');
    await fill(/^Mail/, 'ada@example.org');
    await fill(/^Site/, 'https://ada.example/');
    await frame.getByLabel(/^Day/).fill('1985-12-10');
    await fill(/^Age/, '36');
    await frame.getByRole('checkbox', { name: /News/ }).click();
    await frame.getByRole('radio', { name: 'green' }).click();
    await frame.getByRole('combobox', { name: /Size/ }).click();
    await frame.getByRole('option', { name: 'XL', exact: true }).click();
    await frame.getByRole('checkbox', { name: 'Books' }).click();
    await press('Submit');
    const content = {
      name: 'Ada',
      mail: 'ada@example.org',
      site: 'https://ada.example/',
      day: '1985-12-10',
      moment: '2026-12-01T10:00:00+05:30',
      age: 36,
      ratio: 0.5,
      news: false,
      color: 'green',
      size: 'xl',
      topics: ['b'],
    };
    assert.ok((await ended()).includes(JSON.stringify({ it: { action: 'accept', content } })));
    for (const [button, action] of [
      ['Decline', 'decline'],
      ['Cancel', 'cancel'],
    ] as const) {
      ended = await call('profile');
      await shows('Who are you?');
      assert.equal(await frame.getByRole('textbox', { name: /^Name/ }).inputValue(), '');
      await press(button);
      assert.ok((await ended()).includes(JSON.stringify({ it: { action } })));
    }

    ended = await call('sign-in');
    await shows(link);
    assert.equal(await frame.locator('.link-host').innerText(), 'sign-in.example.org');
    assert.equal(await openedBy(editor, () => press('Open Link')), link);
    await shows('Opened in your browser.');
    await press('Retry Now');
    assert.ok((await ended()).includes(JSON.stringify({ it: { action: 'accept' } })));
    ended = await call('sign-in');
    await shows(link);
    await openedBy(editor, () => press('Open Link'));
    await press('Cancel');
    assert.ok((await ended()).includes(JSON.stringify({ it: { action: 'cancel' } })));
    ended = await call('sign-in');
    await shows(link);
    await press('Decline');
    assert.ok((await ended()).includes(JSON.stringify({ it: { action: 'decline' } })));

    ended = await call('summarise');
    await shows('Be brief.');
    await press('Edit Texts');
    await fill('Message', 'fail STOP is not here');
    await press('Ask Model');
    assert.match(await ended(), /The language model failed/);
    ended = await call('summarise');
    await shows('Be brief.');
    await press('Edit Texts');
    await fill('Message', 'hello');
    await press('Ask Model');
    await shows(/I am a scripted demo model/);
    await press('Edit Text');
    await fill('Text to send', 'A summary, by me');
    await press('Send to Server');
    assert.match(await ended(), /"text":"A summary, by me"\},"model":"demo","stopReason":"endTurn"/);
    ended = await call('summarise');
    await shows('Be brief.');
    await press('Ask Model');
    await press('Withhold');
    assert.match(await ended(), /withheld/);
    ended = await call('summarise');
    await shows('Be brief.');
    await press('Decline');
    assert.match(await ended(), /rejected/);

    // One round after the other: a name, then a plain confirmation.
    ended = await ask('use book {"room": "blue"}');
    await shows('Who books?');
    await fill(/^Name/, 'Ada');
    await press('Submit');
    await shows('Really?');
    await press('Confirm');
    assert.match(await ended(), /blue is booked for Ada/);

    ended = await call('where');
    assert.ok((await ended()).includes(`"uri":"file://${editor.workspace}"`));
    await editor.logged(audit, /input \(roots\): answered/);

    // Ten rounds of the same form: nothing that was typed is there again, and each answer stays with its round.
    const rounds = Array.from({ length: 10 }, (_, index) => ({ q: formQuestion(`Round ${index + 1}?`) }));
    ended = await ask(`use rounds_ask ${JSON.stringify({ rounds })}`);
    for (let round = 1; round <= 10; round += 1) {
      await shows(`Round ${round}?`);
      assert.equal(await frame.getByRole('textbox', { name: /name/ }).inputValue(), '');
      await fill(/name/, `answer ${round}`);
      await press('Submit');
    }
    const answers = rounds.map((_, index) => ({
      q: { action: 'accept', content: { name: `answer ${index + 1}` } },
    }));
    assert.ok((await ended()).includes(JSON.stringify(answers)));

    // A model that may use tools of the server: the person sees them, and what the model wants to use.
    const tools = [{ name: 'find', description: 'Finds', inputSchema: { type: 'object' } }];
    const withTools = modelQuestion('use find {"what": "it"}', { tools, toolChoice: { mode: 'auto' } });
    ended = await ask(`use rounds_ask ${JSON.stringify({ rounds: [{ q: withTools }] })}`);
    await shows('find');
    await press('Ask Model');
    await shows(/"what": "it"/);
    await press('Send to Server');
    assert.match(
      await ended(),
      /"type":"tool_use".*"name":"find","input":\{"what":"it"\}.*"stopReason":"toolUse"/,
    );
  },
);
