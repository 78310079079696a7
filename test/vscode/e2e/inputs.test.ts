// What servers ask for in the middle of a call, answered by clicks: forms, links, a model's words, in both eras.
import assert from 'node:assert/strict';
import { after } from 'node:test';
import { approvals } from '../../rig/approvals.ts';
import { chatAnswers } from '../../rig/chat.ts';
import { editorTest } from '../../rig/editorTest.ts';
import { recordedEverything, startAskingServer } from '../../rig/servers.ts';
import { openContainer, treeRow } from '../../rig/workbench.ts';

// The calls themselves are allowed by the user's rule, so that only what the server asks waits.
const allowAll = { 'countersign.rules': [{ server: '*', tool: '*', decision: 'allow' }] };
const audit = 'Countersign Audit';

const everything = recordedEverything();
editorTest(
  'server-everything (legacy) asks for a form, a link and a model',
  { settings: { ...allowAll, 'countersign.servers': { everything: everything.entry } } },
  async (editor) => {
    const { page } = editor;
    await openContainer(page, 'Countersign');
    await treeRow(page, 'everything').filter({ hasText: 'running' }).waitFor();
    const { frame } = approvals(editor);
    const press = (name: string): Promise<void> => frame.getByRole('button', { name, exact: true }).click();

    await editor.ask('@countersign use trigger-elicitation-request {}');
    await frame.getByText('Please provide inputs for the following fields').first().waitFor();
    await frame.getByRole('textbox', { name: 'String (required) name' }).fill('Ada Lovelace');
    await frame.getByRole('textbox', { name: 'String with email format email' }).fill('ada@example.org');
    await press('Submit');
    await chatAnswers(page).filter({ hasText: 'Ada Lovelace' }).waitFor();
    await editor.logged(audit, /input \(elicitationForm\): accept, by a person/);
    const answer = everything
      .received()
      .map((message) => message['result'] as { content?: { name?: string; integer?: number } } | undefined)
      .find((result) => result?.content?.name !== undefined);
    // Defaults that the person left are part of the answer; empty optional fields are not.
    assert.equal(answer?.content?.integer, 42);
    assert.ok(!('homepage' in (answer.content ?? {})));

    await editor.ask('@countersign use trigger-elicitation-request {}');
    await frame.getByText('Please provide inputs for the following fields').first().waitFor();
    await press('Decline');
    await editor.logged(audit, /input \(elicitationForm\): decline, by a person/);

    await editor.ask(
      '@countersign use trigger-url-elicitation {"url":"https://example.com/sign-in?x=1","message":"Sign in, please"}',
    );
    await frame.getByText('https://example.com/sign-in?x=1').first().waitFor();
    await press('Cancel');
    await editor.logged(audit, /input \(elicitationUrl\): cancel, by a person/);

    await editor.ask(
      '@countersign use trigger-sampling-request {"prompt":"echo from the server","maxTokens":50}',
    );
    await frame
      .getByText(/echo from the server/)
      .first()
      .waitFor();
    await press('Ask Model');
    await frame.getByRole('button', { name: /^Send to/ }).click();
    await editor.logged(audit, /input \(sampling\): answered, by a person/);
  },
);

const modern = await startAskingServer();
after(() => modern.close());
editorTest(
  'a modern server asks in rounds, over HTTP',
  { settings: { ...allowAll, 'countersign.servers': { modern: { type: 'http', url: modern.url } } } },
  async (editor) => {
    const { page } = editor;
    await openContainer(page, 'Countersign');
    await treeRow(page, 'modern').filter({ hasText: 'running' }).waitFor();
    await editor.logged(audit, /"modern" started .*modern 2026-07-28/);
    const { frame } = approvals(editor);
    const press = (name: string): Promise<void> => frame.getByRole('button', { name, exact: true }).click();

    await editor.ask('@countersign use book {"room":"blue"}');
    await frame.getByText('Who books?').first().waitFor();
    await frame.getByRole('textbox', { name: /Name/ }).fill('Grace');
    await press('Submit');
    await frame.getByText('Really?').first().waitFor();
    await press('Confirm');
    await chatAnswers(page).filter({ hasText: 'blue is booked for Grace' }).waitFor();
  },
);
