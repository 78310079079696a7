import assert from 'node:assert/strict';
import { approvalPrompt } from '../../src/prompts/approvalPrompt.ts';
import { RpcError } from '../../src/base/errors.ts';
import { errorSummary } from '../../src/calls/callSummary.ts';
import { armingMs } from '../../src/shared/promptCard.ts';
import { it, answers, armed, button, heldTime, press, until, useBench } from './harness/desk.ts';
import { loadedCall, token } from './harness/gallery.ts';
import { createIssue, echo } from './harness/samples.ts';

const { open } = useBench();

it('allow: what was asked for is allowed, once the card stood in view, and without any fault of the page', async () => {
  const desk = await open();
  const time = await heldTime(desk);
  const asked = desk.queue.ask(approvalPrompt(createIssue));
  await button(desk, 'Allow Once').waitFor();
  assert.equal(await button(desk, 'Allow Once').isDisabled(), true);
  assert.equal(await button(desk, 'Deny').isDisabled(), false);
  await time.release();
  await press(desk, 'Allow Once');
  const answer = await asked;
  assert.deepEqual(answer.kind === 'allow' && [answer.arguments, answer.edited], [
    createIssue.arguments,
    false,
  ]);
  assert.ok(answer.waitedMs >= 500);
  assert.deepEqual(desk.faults, []);
  assert.deepEqual(desk.actions, []);
});

it('deny: at once, with nothing but a press', async () => {
  const desk = await open();
  const asked = desk.queue.ask(approvalPrompt(createIssue));
  await press(desk, 'Deny');
  const answer = await asked;
  assert.deepEqual(answer.kind === 'deny' && { reason: answer.reason, stop: answer.stopTurn }, {
    reason: undefined,
    stop: false,
  });
});

it('deny with a reason, and the end of the turn', async () => {
  const desk = await open();
  const asked = desk.queue.ask(approvalPrompt(createIssue));
  await press(desk, 'Deny with Options…');
  await desk.page.getByRole('textbox', { name: 'Reason for the model' }).fill('Use the other repository.');
  await press(desk, 'Deny and Stop the Turn');
  const answer = await asked;
  assert.deepEqual(answer.kind === 'deny' && { reason: answer.reason, stop: answer.stopTurn }, {
    reason: 'Use the other repository.',
    stop: true,
  });
});

it('deny all that waits from this server', async () => {
  const desk = await open();
  const mine = [desk.queue.ask(echo('a')), desk.queue.ask(echo('b'))];
  void desk.queue.ask(echo('c', 'files'));
  await desk.page.getByText('Review 2 Together').waitFor();
  await press(desk, 'Deny with Options…');
  await press(desk, 'Deny All 2 from This Server');
  assert.deepEqual(
    (await Promise.all(mine)).map(({ kind }) => kind),
    ['deny', 'deny'],
  );
  assert.deepEqual(
    desk.queue.pending.map(({ serverId }) => serverId),
    ['files'],
  );
});

it('allow and remember: the narrowest choice stands first; scope and conditions are said in words and sent', async () => {
  const desk = await open({ height: 1000 });
  const asked = desk.queue.ask(approvalPrompt(loadedCall));
  await press(desk, 'Allow and Remember…');
  const preview = desk.page.locator('.preview-line');
  assert.match(
    await preview.innerText(),
    /^For this session, allow create_issue on github with exactly these arguments/,
  );
  await desk.page.getByRole('radio', { name: 'Everywhere' }).click();
  await desk.page.getByRole('radio', { name: 'only when owner is acme and repo is site' }).click();
  assert.match(
    await preview.innerText(),
    /^Always allow create_issue on github when owner is acme and repo is site/,
  );
  await press(desk, 'Allow and Remember');
  const answer = await asked;
  assert.deepEqual(answer.kind === 'allow' && answer.grant, { scope: 'everywhere', proposalId: '1' });
});

it('a call that cannot be remembered offers no such choice', async () => {
  const desk = await open();
  void desk.queue.ask(approvalPrompt(createIssue));
  await armed(desk);
  assert.equal(await button(desk, 'Allow and Remember…').count(), 0);
});

it('arguments as a table: whole, with real line breaks, invisible characters made visible, structure kept', async () => {
  const desk = await open();
  void desk.queue.ask(approvalPrompt(createIssue));
  const rows = desk.page.locator('.table > .row');
  await rows.first().waitFor();
  assert.deepEqual(await rows.locator('> dt').allInnerTexts(), Object.keys(createIssue.arguments));
  assert.equal(await rows.nth(2).locator('dd').innerText(), 'Fix⟦U+200B ZWSP⟧ the build');
  const body = rows.nth(3);
  assert.match(await body.innerText(), /214 lines, 5,883 characters/);
  assert.equal(await body.locator('.text').innerText(), createIssue.arguments['body']);
  assert.deepEqual(await rows.nth(5).locator('li.leaf').allInnerTexts(), [
    'number\n4',
    'due\n2026-12-01',
    'owner\nkim',
    'urgent\ntrue',
  ]);
});

it('arguments as JSON: exactly what will be sent', async () => {
  const desk = await open();
  const args = { quote: '"\\', nested: [{ deep: [null, true, -0.5] }], empty: {}, n: 1e21 };
  void desk.queue.ask(approvalPrompt({ ...createIssue, arguments: args }));
  await press(desk, 'JSON');
  const json = await desk.page.locator('pre.json').textContent();
  assert.equal(json, JSON.stringify(args, null, 2));
});

it('a text of a megabyte is shown with its size, and the rest of it on demand', async () => {
  const desk = await open();
  const text = `${'x'.repeat(99)}\n`.repeat(10_000);
  void desk.queue.ask(echo(text));
  await desk.page.getByText('10,001 lines, 1,000,000 characters').waitFor();
  await press(desk, 'Show All (First 100,000 Shown)');
  assert.equal(await desk.page.locator('.text-block .text').textContent(), text);
  await press(desk, 'Open in Tab');
  await until(() => desk.actions.includes('openText everything /message'), 'the tab was asked for');
});

it('thousands of members: the first are shown, and the rest on demand', async () => {
  const desk = await open();
  const list = Array.from({ length: 450 }, (_, index) => `entry ${index}`);
  void desk.queue.ask(approvalPrompt({ ...createIssue, arguments: { list } }));
  await press(desk, 'Show 200 More of 250');
  await press(desk, 'Show 50 More of 50');
  const shown = await desk.page.locator('.tree .leaf .text').allTextContents();
  assert.deepEqual(shown, list);
});

it('what is in an argument does not look like an argument of its own', async () => {
  const desk = await open();
  const args = { options: { force: true }, path: 'a' };
  void desk.queue.ask(approvalPrompt({ ...createIssue, arguments: args }));
  const left = async (name: string): Promise<number> =>
    (await desk.page.locator('.table .key').getByText(name, { exact: true }).boundingBox())?.x ?? 0;
  await desk.page.locator('.table').waitFor();
  assert.equal(await left('path'), await left('options'));
  assert.ok((await left('force')) > (await left('options')) + 8);
});

it('deeply nested arguments are shown and allowed as they are', async () => {
  const desk = await open();
  let nested: Record<string, unknown> = { bottom: 'here' };
  for (let level = 0; level < 300; level += 1) nested = { nested };
  const args = JSON.parse(JSON.stringify(nested));
  const asked = desk.queue.ask(approvalPrompt({ ...createIssue, arguments: args }));
  await desk.page.locator('.text-block').filter({ hasText: 'bottom' }).waitFor();
  await press(desk, 'Allow Once');
  const answer = await asked;
  assert.deepEqual(answer.kind === 'allow' && answer.arguments, args);
});

it('secrets are masked everywhere until they are revealed', async () => {
  const desk = await open({ height: 1600 });
  const secret = token;
  void desk.queue.ask(approvalPrompt(loadedCall));
  void desk.queue.ask(approvalPrompt(loadedCall));
  await armed(desk);
  const page = desk.page.locator('body');
  assert.ok(!(await page.innerText()).includes(secret));
  await press(desk, 'Reveal');
  assert.ok((await page.innerText()).includes(secret));
  await press(desk, 'JSON');
  assert.ok(!(await page.innerText()).includes(secret));
  await press(desk, 'Reveal Secrets');
  assert.ok((await page.innerText()).includes(secret));
});

it('notes stand where they belong: the change first, then the call, then each argument', async () => {
  const desk = await open({ height: 1600 });
  void desk.queue.ask(approvalPrompt(loadedCall));
  await armed(desk);
  const text = await desk.page.locator('.card-body').innerText();
  const order = [
    'The tool changed after you allowed it on',
    'Asked by',
    'Claims: writes · not destructive · open world (unverified)',
    'The server comes from workspace settings.',
    '4 cautions in the arguments below',
  ].map((part) => text.indexOf(part));
  assert.ok(
    order.every((place, index) => place >= 0 && place > (order[index - 1] ?? -1)),
    String(order),
  );
  const target = desk.page.locator('.table > .row').filter({ hasText: 'target' });
  assert.match(await target.innerText(), /Leads out of the workspace/);
  assert.equal(
    await desk.page.locator('ins').first().innerText(),
    'public or private repository and notify its owner',
  );
  assert.equal(await desk.page.locator('del').first().innerText(), 'repository');
});

it('edited arguments: checked as they are typed, and allowed as typed', async () => {
  const desk = await open({ height: 1200 });
  const validateArguments = (value: object): Promise<{ path: string; message: string }[]> =>
    Promise.resolve(
      Reflect.get(value, 'title') === 'bad' ? [{ path: '/title', message: 'Not this one.' }] : [],
    );
  const asked = desk.queue.ask(approvalPrompt({ ...loadedCall, validateArguments }));
  await press(desk, 'Edit Arguments');
  const title = desk.page.getByRole('textbox', { name: 'title' });
  await title.fill('bad');
  await desk.page.getByText('Not this one.').waitFor();
  assert.equal(await button(desk, 'Allow Edited Once').isDisabled(), true);
  await title.fill('good');
  await press(desk, 'Allow Edited Once');
  const answer = await asked;
  assert.deepEqual(answer.kind === 'allow' && [answer.edited, answer.arguments], [
    true,
    { ...loadedCall.arguments, title: 'good' },
  ]);
});

it('edited as JSON: broken JSON cannot be allowed, whole JSON can', async () => {
  const desk = await open({ height: 1200 });
  const asked = desk.queue.ask(approvalPrompt(loadedCall));
  await press(desk, 'Edit Arguments');
  await press(desk, 'Edit as JSON');
  const area = desk.page.getByRole('textbox', { name: 'Arguments as JSON' });
  assert.deepEqual(JSON.parse(await area.inputValue()), loadedCall.arguments);
  await area.fill('{ "title": ');
  await desk.page.getByText('This is not JSON').waitFor();
  assert.equal(await button(desk, 'Allow Edited Once').isDisabled(), true);
  await area.fill('{ "owner": "o", "repo": "r", "title": "x", "extra": [1] }');
  await press(desk, 'Allow Edited Once');
  const answer = await asked;
  assert.deepEqual(answer.kind === 'allow' && answer.arguments, {
    owner: 'o',
    repo: 'r',
    title: 'x',
    extra: [1],
  });
});

it('edits that are discarded leave the call as it was asked', async () => {
  const desk = await open({ height: 1200 });
  const asked = desk.queue.ask(approvalPrompt(loadedCall));
  await press(desk, 'Edit Arguments');
  await desk.page.getByRole('textbox', { name: 'title' }).fill('other');
  await press(desk, 'Discard Changes');
  await press(desk, 'Allow Once');
  const answer = await asked;
  assert.deepEqual(answer.kind === 'allow' && [answer.edited, answer.arguments], [
    false,
    loadedCall.arguments,
  ]);
});

it('the keyboard that comes into the view is on the card, and on no button', async () => {
  const desk = await open();
  void desk.queue.ask(approvalPrompt(createIssue));
  await armed(desk);
  await desk.page.evaluate("window.dispatchEvent(new Event('focus'))");
  const at = await desk.page.evaluate("document.activeElement?.matches('.card .call-title')");
  assert.equal(at, true);
});

it('what would be sent has to have been in view before it can be allowed; denying needs no look', async () => {
  const desk = await open({ width: 320, height: 170 });
  const asked = desk.queue.ask(approvalPrompt(loadedCall));
  await until(() => desk.told('armed') > 0, 'the extension agrees');
  // The page's own half second began before this one.
  await desk.page.evaluate((ms) => new Promise((resolve) => setTimeout(resolve, ms)), armingMs);
  assert.equal(await button(desk, 'Allow Once').isDisabled(), true);
  assert.equal(await button(desk, 'Deny').isDisabled(), false);
  const way = button(desk, 'Arguments below ↓');
  assert.equal(await way.isVisible(), true);
  // The keys lead there first; only then do they allow.
  await desk.page.locator('.call-title').press('Control+Enter');
  await desk.page.getByText('Arguments', { exact: true }).waitFor();
  await armed(desk);
  assert.equal(await way.count(), 0);
  assert.deepEqual(answers(desk), []);
  await desk.page.locator('.call-title').press('Control+Enter');
  assert.equal((await asked).kind, 'allow');
});

it('in the boxes to edit, too, nothing is hidden: what a text box cannot show is spelled beside it', async () => {
  const desk = await open({ height: 1200 });
  const sneaky = { ...loadedCall.arguments, title: 'safe\u202Elive', milestone: { owner: 'kim\u200B' } };
  const asked = desk.queue.ask(approvalPrompt({ ...loadedCall, arguments: sneaky }));
  await desk.page.getByText(/cautions? in the arguments below/).waitFor();
  await press(desk, 'Edit Arguments');
  await desk.page.getByText('As it is sent: safe⟦U+202E RLO⟧live').waitFor();
  assert.equal(await desk.page.getByText(/cautions? in the arguments below/).isVisible(), false);
  const milestone = desk.page.getByRole('textbox', { name: 'milestone' });
  assert.match(await milestone.inputValue(), /"owner": "kim\\u200b"/);
  await desk.page.getByRole('textbox', { name: 'title' }).fill('plain');
  await desk.page.getByText('As it is sent:').waitFor({ state: 'hidden' });
  await press(desk, 'Allow Edited Once');
  const answer = await asked;
  assert.deepEqual(answer.kind === 'allow' && answer.arguments, { ...sneaky, title: 'plain' });
});

it('an edit that the last check refuses stays on the page, with what is wrong', async () => {
  const desk = await open({ height: 1200 });
  let checks = 0;
  const validateArguments = (): Promise<{ path: string; message: string }[]> => {
    checks += 1;
    return Promise.resolve(checks < 3 ? [] : [{ path: '/repo', message: 'Gone meanwhile.' }]);
  };
  void desk.queue.ask(approvalPrompt({ ...loadedCall, validateArguments }));
  await press(desk, 'Edit Arguments');
  await desk.page.getByRole('textbox', { name: 'title' }).fill('other');
  await until(() => checks === 2, 'both checks were made');
  await press(desk, 'Allow Edited Once');
  await desk.page.getByText('Gone meanwhile.').waitFor();
  await desk.page.getByText('The values are not valid. Nothing was allowed.').waitFor();
  assert.equal(desk.queue.size, 1);
  assert.equal(answers(desk).length, 1);
});

it('after the answer the card is the running call, then its result; it can be cancelled and cleared', async () => {
  const desk = await open();
  const asked = desk.queue.ask(approvalPrompt(createIssue));
  await press(desk, 'Allow Once');
  const { promptId } = await asked;
  let cancelled = 0;
  desk.board.started({
    callId: 'call',
    promptId,
    serverId: 'github',
    toolName: 'create_issue',
    caller: createIssue.caller,
    arguments: createIssue.arguments,
    cancel: () => (cancelled += 1),
  });
  desk.board.progress('call', { progress: 1, total: 4, message: 'Half \u202Eway' });
  await desk.page.getByText('Half ⟦U+202E RLO⟧way').waitFor();
  assert.equal(await desk.page.getByRole('progressbar').getAttribute('aria-valuenow'), '25');
  await press(desk, 'Cancel');
  await until(() => cancelled === 1, 'the call was told to stop');
  desk.board.finished('call', { outcome: 'ok', summary: 'issue #12', hasResult: true });
  await desk.page.locator('.result-text').filter({ hasText: 'issue #12' }).waitFor();
  await press(desk, 'Open Result');
  await until(
    () => desk.actions.includes('tell This result is no longer kept. Run the tool again to see it.'),
    'the result was asked for',
  );
  await press(desk, 'Clear Recent Calls');
  await desk.page.getByText(/^Nothing\b.*\bwaiting\b/).waitFor();
});

it('an ended call tells what the person changed, why they denied, and what the server reports', async () => {
  const desk = await open();
  const { page, board } = desk;
  const start = (callId: string, edited: boolean): void =>
    board.started({
      callId,
      serverId: 'github',
      toolName: 'create_issue',
      caller: createIssue.caller,
      arguments: {},
      edited,
      cancel() {},
    });
  const show = (place: number): Promise<void> => page.locator('.row-button').nth(place).click();
  start('failed', true);
  const error = new RpcError(-32099, 'It burns', { retryAfter: 7 });
  board.finished('failed', { outcome: 'failed', summary: errorSummary(error), hasResult: false });
  await show(0);
  await page.getByText('You changed the arguments before you allowed it.').waitFor();
  const text = page.getByRole('group', { name: 'Error' });
  assert.match(
    await text.innerText(),
    /^It burns\nProtocol error -32099 from the server\.\n[^]*"retryAfter": 7/,
  );
  void desk.queue.ask(approvalPrompt(createIssue));
  await page.getByText('1 waiting').waitFor();
  await press(desk, 'Deny with Options…');
  await page.getByRole('textbox', { name: 'Reason for the model' }).fill('wrong repository');
  await press(desk, 'Deny');
  await page.getByText('Your reason:').waitFor();
  assert.equal(
    await page.getByRole('group', { name: 'Reason that you gave' }).innerText(),
    'wrong repository',
  );
});

it('what comes in the way of a call is said on its card, read out, and taken back; it allows and refuses nothing', async () => {
  const desk = await open();
  const asked = desk.queue.ask(approvalPrompt(createIssue));
  await armed(desk);
  const said = desk.page.locator('.obstacle[role=status]');
  assert.equal(await said.innerText(), '');
  desk.setObstacle('Its server is not running.');
  await said.getByText('Its server is not running.').waitFor();
  // The buttons have moved, so they wait again; then they work.
  await armed(desk);
  desk.setObstacle(undefined);
  await until(async () => (await said.innerText()) === '', 'it is taken back');
  await armed(desk);
  await press(desk, 'Deny');
  assert.equal((await asked).kind, 'deny');
});

it('a prompt that ends by itself says when', async () => {
  const desk = await open();
  void desk.queue.ask(approvalPrompt({ ...createIssue, expiresInMs: 3_600_000 }));
  await desk.page.getByText(/^Without an answer, this ends at \d/).waitFor();
});

it('a tab of the editor is opened at the prompt that is on show', async () => {
  const desk = await open();
  void desk.queue.ask(echo('one'));
  void desk.queue.ask(echo('two'));
  await press(desk, 'Next');
  await press(desk, 'Open Approvals in Editor Tab');
  await until(() => desk.actions.includes(`openPage ${desk.queue.pending[1]?.id}`), 'the tab was asked for');
});

it('a draft is filled in from the start: problems stand where they are, and it is run or discarded', async () => {
  const desk = await open({ height: 900 });
  const draft = approvalPrompt({
    ...createIssue,
    caller: { kind: 'user', label: 'you' },
    isDraft: true,
    arguments: {},
    inputSchema: {
      type: 'object',
      properties: { title: { type: 'string' }, count: { type: 'integer', minimum: 1 } },
      required: ['title'],
    },
    validateArguments: (value) =>
      Promise.resolve(value['count'] === 0 ? [{ path: '/count', message: 'must be >= 1, but is 0' }] : []),
  });
  const asked = desk.queue.ask(draft);
  const run = button(desk, 'Run');
  await run.waitFor();
  assert.equal(await desk.page.getByText('Asked by').count(), 0);
  assert.equal(await button(desk, 'Allow Once').count(), 0);
  const title = desk.page.getByRole('textbox', { name: 'title' });
  const count = desk.page.getByRole('textbox', { name: 'count' });
  await count.fill('0');
  await title.fill('From me');
  await desk.page.getByText('must be >= 1, but is 0').first().waitFor();
  assert.equal(await run.isDisabled(), true);
  await count.fill('2');
  await press(desk, 'Run');
  const answer = await asked;
  assert.deepEqual(answer.kind === 'allow' && [answer.arguments, answer.edited], [
    { title: 'From me', count: 2 },
    true,
  ]);
  const second = desk.queue.ask(draft);
  await press(desk, 'Discard');
  assert.equal((await second).kind, 'deny');
  assert.deepEqual(desk.faults, []);
});
