import assert from 'node:assert/strict';
import { approvalPrompt } from '../../src/prompts/approvalPrompt.ts';
import type { Desk } from './harness/bench.ts';
import { it, answers, armed, button, heldTime, press, until, useBench } from './harness/desk.ts';
import { createIssue, echo } from './harness/samples.ts';

const { open } = useBench();

const text = (desk: Desk): Promise<string> => desk.page.locator('article').innerText();
const waiting = (desk: Desk): Promise<string[]> =>
  desk.page.locator('.list', { hasText: 'Waiting' }).locator('.row-preview').allInnerTexts();

it('calls that arrive move nothing that a person may be about to press, and steal no focus', async () => {
  const desk = await open({ height: 700 });
  void desk.queue.ask(approvalPrompt({ ...createIssue, arguments: { title: 'first' } }));
  await armed(desk);
  await button(desk, 'Allow Once').focus();
  const before = await button(desk, 'Allow Once').boundingBox();
  for (let index = 0; index < 29; index += 1) void desk.queue.ask(echo(`call ${index}`));
  // One of the very tool that is on show, too.
  void desk.queue.ask(approvalPrompt({ ...createIssue, arguments: { title: 'second' } }));
  desk.board.started({
    callId: 'r',
    serverId: 's',
    toolName: 't',
    caller: createIssue.caller,
    arguments: {},
    cancel() {},
  });
  await desk.page.getByText('1 of 31 waiting').waitFor();
  assert.deepEqual(await button(desk, 'Allow Once').boundingBox(), before);
  assert.equal(await button(desk, 'Allow Once').isDisabled(), false);
  assert.match(await text(desk), /first/);
  assert.equal(await desk.page.evaluate('document.activeElement?.textContent'), 'Allow Once');
});

it('a double press answers one call: the next one has to be looked at first', async () => {
  const desk = await open();
  const [one] = [desk.queue.ask(echo('one')), desk.queue.ask(echo('two'))];
  await armed(desk);
  const box = await button(desk, 'Allow Once').boundingBox();
  assert.ok(box !== null);
  await desk.page.mouse.dblclick(box.x + 10, box.y + 10);
  assert.equal((await one).kind, 'allow');
  await desk.page.getByText('two').first().waitFor();
  assert.equal(answers(desk).length, 1);
  assert.equal(desk.queue.size, 1);
});

it('order is kept; each answer moves on to the call that follows', async () => {
  const desk = await open();
  const asked = ['a', 'b', 'c', 'd'].map((letter) => desk.queue.ask(echo(`message ${letter}`)));
  await until(async () => (await waiting(desk)).length === 4, 'all are listed');
  assert.deepEqual(await waiting(desk), [
    'message: message a',
    'message: message b',
    'message: message c',
    'message: message d',
  ]);
  await desk.page.locator('.row-button', { hasText: 'message b' }).click();
  assert.match(await text(desk), /message b/);
  await press(desk, 'Allow Once');
  await asked[1];
  await desk.page.locator('article', { hasText: 'message c' }).waitFor();
  await press(desk, 'Next');
  await desk.page.locator('article', { hasText: 'message d' }).waitFor();
  await press(desk, 'Deny');
  await asked[3];
  await desk.page.locator('article', { hasText: 'message a' }).waitFor();
  assert.deepEqual(await waiting(desk), ['message: message a', 'message: message c']);
});

it('a call that is withdrawn under the pointer is said to be withdrawn, and no other takes its place', async () => {
  const desk = await open();
  const controller = new AbortController();
  void desk.queue.ask(echo('mine'), controller.signal);
  void desk.queue.ask(echo('other'));
  await armed(desk);
  await button(desk, 'Allow Once').hover();
  controller.abort();
  await desk.page.locator('article', { hasText: 'Withdrawn before an answer' }).waitFor();
  assert.equal(await button(desk, 'Allow Once').count(), 0);
  await desk.page.locator('.row-button', { hasText: 'other' }).click();
  await armed(desk);
});

it('a call that is withdrawn unseen makes room for the next', async () => {
  const desk = await open();
  const controller = new AbortController();
  void desk.queue.ask(echo('mine'), controller.signal);
  void desk.queue.ask(echo('other'));
  await armed(desk);
  controller.abort();
  await desk.page.locator('article', { hasText: 'other' }).waitFor();
  await desk.page.locator('.row-button', { hasText: 'Withdrawn' }).waitFor();
});

it('answered by keyboard: the keyboard goes on to the next card, but to no button of it', async () => {
  const desk = await open();
  const one = desk.queue.ask(echo('one'));
  void desk.queue.ask(echo('two'));
  await armed(desk);
  await button(desk, 'Allow Once').focus();
  await desk.page.keyboard.press('Enter');
  assert.equal((await one).kind, 'allow');
  await desk.page.locator('article', { hasText: 'two' }).waitFor();
  assert.equal(await desk.page.evaluate('document.activeElement?.tagName'), 'H2');
  await armed(desk);
  // The key is still down, or pressed again out of habit.
  await desk.page.keyboard.press('Enter');
  assert.equal(desk.queue.size, 1);
});

it('Ctrl+Enter allows once from anywhere on an armed card, and from no text field', async () => {
  const desk = await open();
  const asked = desk.queue.ask(approvalPrompt(createIssue));
  await armed(desk);
  await press(desk, 'Deny with Options…');
  await desk.page.getByRole('textbox', { name: 'Reason for the model' }).press('Control+Enter');
  await desk.page.keyboard.press('Escape');
  await armed(desk);
  assert.deepEqual(answers(desk), []);
  await desk.page.locator('h2').press('Control+Enter');
  assert.equal((await asked).kind, 'allow');
});

it('several calls of one tool are read on one card, and answered together once they were read', async () => {
  const desk = await open({ height: 700 });
  const asked = Array.from({ length: 6 }, (_, index) => desk.queue.ask(echo(`call ${index}`)));
  void desk.queue.ask(echo('elsewhere', 'files'));
  await armed(desk);
  await press(desk, 'Review 6 Together');
  const boxes = desk.page.getByRole('checkbox');
  await until(async () => (await boxes.count()) === 6, 'all six are there');
  // The last ones stand below the view: nobody can have read them.
  assert.equal(await boxes.nth(5).getAttribute('aria-disabled'), 'true');
  await desk.page.locator('.batch-item').nth(5).scrollIntoViewIfNeeded();
  await desk.page.locator('.batch-item.read').nth(5).waitFor();
  await desk.page.locator('.batch-item').nth(0).scrollIntoViewIfNeeded();
  await press(desk, 'Select All Read');
  await boxes.nth(1).click();
  await desk.page.getByText('6 calls waiting, 5 selected').waitFor();
  await press(desk, 'Allow Selected Once');
  await until(() => desk.queue.size === 2, 'five were answered');
  await desk.page.getByText('1 call waiting, 0 selected').waitFor();
  await boxes.nth(0).click();
  await press(desk, 'Deny Selected');
  const got = (await Promise.all(asked)).map((answer) =>
    answer.kind === 'allow' ? answer.arguments['message'] : answer.kind,
  );
  assert.deepEqual(got, ['call 0', 'deny', 'call 2', 'call 3', 'call 4', 'call 5']);
  assert.equal(desk.queue.size, 1);
});

it('500 waiting calls: listed in order, any can be reached and answered, and the page holds few cards', async () => {
  const desk = await open();
  const asked = Array.from({ length: 500 }, (_, index) =>
    desk.queue.ask(echo(`call ${index}`, `server ${index % 7}`)),
  );
  await desk.page.getByText('1 of 500 waiting').waitFor();
  for (const more of [100, 100, 100, 100]) await press(desk, `Show ${more} more`);
  assert.deepEqual(
    await waiting(desk),
    Array.from({ length: 500 }, (_, index) => `message: call ${index}`),
  );
  await desk.page.locator('.row-button', { hasText: 'call 499' }).click();
  await press(desk, 'Allow Once');
  const answer = await asked[499];
  assert.deepEqual(answer?.kind === 'allow' && answer.arguments, { message: 'call 499' });
  await desk.page.locator('.row-button', { hasText: 'call 250' }).click();
  await press(desk, 'Deny');
  assert.equal((await asked[250])?.kind, 'deny');
  await desk.page.getByText(/of 498 waiting/).waitFor();
  // Full cards travel only for what is looked at.
  assert.ok(desk.told('cards') < 10, `${desk.told('cards')} messages with cards`);
  assert.deepEqual(desk.faults, []);
});

it('what arrives is announced to screen readers in one sentence, and politely', async () => {
  const desk = await open();
  const live = desk.page.locator('[aria-live="polite"]').first();
  void desk.queue.ask(echo('x'));
  await until(
    async () => (await live.textContent()) === 'echo on everything waits for your answer.',
    'the first is announced',
  );
  for (let index = 0; index < 3; index += 1) void desk.queue.ask(echo('y'));
  await until(
    async () => (await live.textContent()) === '3 calls arrived. 4 waiting in all.',
    'the others are announced',
  );
});

it('a page that is loaded again shows what waits', async () => {
  const desk = await open();
  void desk.queue.ask(echo('still here'));
  await armed(desk);
  await desk.page.reload();
  await desk.page.locator('article', { hasText: 'still here' }).waitFor();
  await press(desk, 'Allow Once');
  await until(() => desk.queue.size === 0, 'it was allowed');
});

it('a prompt that comes while the pointer still rests on the last answer is shown at once', async () => {
  const desk = await open();
  const one = desk.queue.ask(echo('one'));
  await press(desk, 'Allow Once');
  const { promptId } = await one;
  const caller = createIssue.caller;
  desk.board.started({
    callId: 'c',
    promptId,
    serverId: 'everything',
    toolName: 'echo',
    caller,
    arguments: {},
    cancel() {},
  });
  await button(desk, 'Cancel').waitFor();
  await heldTime(desk);
  void desk.queue.ask(echo('two'));
  await desk.page.locator('article', { hasText: 'two' }).waitFor();
  assert.equal(await button(desk, 'Allow Once').isDisabled(), true);
});
