// Every tool of the published server-everything (legacy) that asks for something in the middle of a call, by clicks.
import assert from 'node:assert/strict';
import type { Editor } from '../../rig/editor.ts';
import { editorTest } from '../../rig/editorTest.ts';
import { type InputCards, chatCalls, inputCards, openedBy } from '../../rig/inputs.ts';
import { recordedEverything } from '../../rig/servers.ts';
import { openContainer, treeRow } from '../../rig/workbench.ts';

const everything = recordedEverything();
const audit = 'Countersign Audit';

const settings = {
  // The calls themselves are allowed by the user's rule, so that only what the server asks waits.
  'countersign.rules': [{ server: '*', tool: '*', decision: 'allow' }],
  'countersign.limits': { identicalCallsPerTurn: 0 },
  'countersign.servers': { everything: everything.entry },
};
const link = 'https://sign-in.example.org/to?state=a%26b';

/** What the two tests below call. */
const covered = ['trigger-elicitation-request', 'trigger-sampling-request', 'trigger-url-elicitation'];

interface Begun extends InputCards {
  /** Asks for a call; what it returns waits for the end, and is what the model was given. */
  readonly call: (tool: string, args?: object) => Promise<() => Promise<string>>;
}

async function begin(editor: Editor): Promise<Begun> {
  await openContainer(editor.page, 'Countersign');
  await treeRow(editor.page, 'everything').filter({ hasText: 'running' }).waitFor();
  const ask = chatCalls(editor);
  return { ...inputCards(editor), call: (tool, args = {}) => ask(`use ${tool} ${JSON.stringify(args)}`) };
}

editorTest(
  'server-everything (legacy): forms and links, each accepted, declined and cancelled',
  { settings },
  async (editor) => {
    const { frame, shows, press, fill, call } = await begin(editor);

    // Each tool that asks for something is called here, but one that can only be called as a task, which is set aside.
    // Variants that need tasks of the client, and folders that are not shared, are not offered.
    const asking = everything.offered().filter(({ name, description, execution }) => {
      const isTask = (execution as { readonly taskSupport?: string } | undefined)?.taskSupport === 'required';
      return !isTask && /elicit|sampl|\broots?\b/i.test(`${String(name)} ${String(description)}`);
    });
    assert.deepEqual(asking.map(({ name }) => String(name)).toSorted(), covered);

    let ended = await call('trigger-elicitation-request');
    await shows('Please provide inputs for the following fields');
    await fill('String (required) name', 'Ada Lovelace');
    await fill('String with email format email', 'nobody');
    await frame.locator('.field', { hasText: 'email format' }).locator('.problem:visible').waitFor();
    await fill('String with email format email', 'ada@example.org');
    await frame.getByRole('checkbox', { name: /^Boolean/ }).click();
    await frame.getByLabel(/^String with date format/).fill('1985-12-10');
    await fill(/^Integer/, '7');
    await frame.getByRole('combobox', { name: /^Untitled Single Select/ }).click();
    await frame.getByRole('option', { name: 'Ross' }).click();
    await frame.getByRole('checkbox', { name: 'Piano' }).click();
    await frame.getByRole('radio', { name: 'Wonder Woman' }).click();
    await frame.getByRole('checkbox', { name: 'Trout' }).click();
    await frame.getByRole('radio', { name: 'Fish', exact: true }).click();
    await press('Submit');
    assert.match(await ended(), /Ada Lovelace/);
    await editor.logged(audit, /input \(elicitationForm\): accept, by a person/);
    const answer = everything
      .received()
      .map((message) => message['result'] as { readonly content?: { readonly name?: string } } | undefined)
      .find((result) => result?.content?.name !== undefined);
    // Defaults that the person left are part of the answer; empty optional fields are not.
    assert.deepEqual(answer, {
      action: 'accept',
      content: {
        name: 'Ada Lovelace',
        check: true,
        firstLine: 'It was a dark and stormy night.',
        email: 'ada@example.org',
        birthdate: '1985-12-10',
        integer: 7,
        number: 3.14,
        untitledSingleSelectEnum: 'Ross',
        untitledMultipleSelectEnum: ['Guitar', 'Piano'],
        titledSingleSelectEnum: 'hero-3',
        titledMultipleSelectEnum: ['fish-1', 'fish-3'],
        legacyTitledEnum: 'pet-4',
      },
    });
    ended = await call('trigger-elicitation-request');
    await shows('Please provide inputs for the following fields');
    assert.equal(await frame.getByRole('textbox', { name: 'String (required) name' }).inputValue(), '');
    await press('Decline');
    assert.match(await ended(), /User declined to provide/);
    ended = await call('trigger-elicitation-request');
    await shows('Please provide inputs for the following fields');
    // Escape is Cancel.
    await frame.getByRole('textbox', { name: 'String (required) name' }).press('Escape');
    assert.match(await ended(), /User cancelled the elicitation dialog/);

    ended = await call('trigger-url-elicitation', { url: link, message: 'Sign in, please' });
    await shows(link);
    // This server waits for the consent only.
    assert.equal(await openedBy(editor, () => press('Open Link')), link);
    assert.match(await ended(), /User completed the URL elicitation flow/);
    ended = await call('trigger-url-elicitation', { url: link });
    await shows(link);
    await press('Decline');
    assert.match(await ended(), /User declined to open the URL/);
    ended = await call('trigger-url-elicitation', { url: link });
    await shows(link);
    await press('Cancel');
    assert.match(await ended(), /User cancelled the URL elicitation/);
  },
);

editorTest(
  'server-everything (legacy): the error -32042, and a model, each accepted, declined and cancelled',
  { settings },
  async (editor) => {
    const { shows, press, call } = await begin(editor);

    // The error -32042: a page first, then the same call again.
    const first = 'https://modelcontextprotocol.io';
    let ended = await call('trigger-url-elicitation', { url: link, errorPath: true });
    await shows(first);
    assert.equal(await openedBy(editor, () => press('Open Link')), `${first}/`);
    await shows('Opened in your browser.');
    await press('Retry Now');
    await shows(link);
    await press('Cancel');
    assert.match(await ended(), /User cancelled the URL elicitation/);
    ended = await call('trigger-url-elicitation', { url: link, errorPath: true });
    await shows(first);
    await openedBy(editor, () => press('Open Link'));
    await press('Cancel');
    assert.match(await ended(), /requires browser-based authorization/);

    const sample = { prompt: 'echo from the server', maxTokens: 50 };
    ended = await call('trigger-sampling-request', sample);
    await shows(/echo from the server/);
    await press('Ask Model');
    await press('Send to Server');
    assert.match(await ended(), /LLM sampling result/);
    await editor.logged(audit, /input \(sampling\): answered, by a person/);
    ended = await call('trigger-sampling-request', sample);
    await shows(/echo from the server/);
    await press('Ask Model');
    await press('Withhold');
    assert.match(await ended(), /withheld/);
    for (const button of ['Decline', 'Cancel']) {
      ended = await call('trigger-sampling-request', sample);
      await shows(/echo from the server/);
      await press(button);
      assert.match(await ended(), /rejected/);
    }
  },
);
