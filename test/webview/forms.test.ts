import assert from 'node:assert/strict';
import type { JsonObject } from '../../src/base/json.ts';
import { type FormAnswer, formPrompt } from '../../src/prompts/formPrompt.ts';
import { SchemaChecker } from '../../src/tools/schemaChecker.ts';
import type { Desk } from './harness/bench.ts';
import { it, answers, button, press, until, useBench } from './harness/desk.ts';
import { everyField } from './harness/gallery.ts';

const { open } = useBench();
const checker = new SchemaChecker();
const call = { callId: 'c', toolName: 'create_issue', caller: { kind: 'chat', label: 'model' } } as const;

async function ask(
  desk: Desk,
  requestedSchema: JsonObject,
  message = 'Why',
  signal?: AbortSignal,
): Promise<FormAnswer> {
  return desk.queue.ask(
    await formPrompt({ serverId: 'shop', message, requestedSchema, call }, checker),
    signal,
  );
}

const submitIsOff = async (desk: Desk): Promise<boolean> => button(desk, 'Submit').isDisabled();

it('every kind of field: what is seen is what is sent, and only whole answers can be sent', async () => {
  const desk = await open({ height: 1800 });
  const { page } = desk;
  const asked = ask(desk, everyField);
  await page.getByText('4 required fields to fill in.').waitFor();
  assert.equal(await submitIsOff(desk), true);
  assert.equal(await page.getByRole('radio', { checked: true }).count(), 0);
  assert.equal(await page.locator('vscode-dropdown .selected-value').innerText(), 'Choose…');
  await page.getByRole('textbox', { name: /Display name/ }).fill('Kim');
  await page.getByRole('radio', { name: 'Green' }).click();
  await page.getByRole('combobox', { name: /city/ }).click();
  await page.getByRole('option', { name: 'Lima' }).click();
  await page.getByRole('checkbox', { name: 'Books' }).click();
  await page.getByRole('textbox', { name: /age/ }).fill('42');
  await page.getByRole('textbox', { name: /ratio/ }).fill('0.5');
  await page.getByRole('checkbox', { name: /Send me news/ }).click();
  await page.getByLabel(/^day/).fill('2026-12-24');
  await page.getByRole('textbox', { name: /extra/ }).fill('{"a": "b"}');
  await press(desk, 'Submit');
  const answer = await asked;
  assert.deepEqual(answer.kind === 'accept' && answer.content, {
    name: 'Kim',
    email: 'kim@example.com',
    age: 42,
    ratio: 0.5,
    subscribe: false,
    color: 'green',
    city: 'Lima',
    topics: ['b'],
    day: '2026-12-24',
    moment: '2026-12-01T10:00:00Z',
    extra: { a: 'b' },
  });
  assert.deepEqual(desk.faults, []);
});

it('what is wrong is said beside the field, and nothing can be sent until it is right', async () => {
  const desk = await open({ height: 1200 });
  const { page } = desk;
  const properties = {
    mail: { type: 'string', format: 'email' },
    count: { type: 'integer', minimum: 1 },
    code: { type: 'string', pattern: '^[A-Z]{3}$' },
  };
  void ask(desk, { type: 'object', properties });
  const field = (name: string) => page.locator('.field').filter({ hasText: name });
  for (const [name, bad, good] of [
    ['mail', 'nobody', 'kim@example.com'],
    ['count', '1.5', '2'],
    ['count', '0', '2'],
    ['count', '9007199254740993', '2'],
    ['count', 'two', '2'],
    ['code', 'abc', 'ABC'],
  ] as const) {
    await page.getByRole('textbox', { name }).fill(bad);
    await field(name).locator('.problem:visible').waitFor();
    assert.equal(await submitIsOff(desk), true, `${name}: ${bad}`);
    await page.getByRole('textbox', { name }).fill(good);
    await field(name).locator('.problem:visible').waitFor({ state: 'detached' });
    await until(async () => !(await submitIsOff(desk)), `${name}: ${good} can be sent`);
  }
});

it('what is wrong is said although other fields are still empty or wrong themselves', async () => {
  const desk = await open({ height: 1200 });
  const { page } = desk;
  const properties = {
    mail: { type: 'string', format: 'email' },
    count: { type: 'integer', minimum: 1 },
    name: { type: 'string' },
  };
  void ask(desk, { type: 'object', properties, required: ['name'] });
  const problem = (name: string) =>
    page.locator('.field').filter({ hasText: name }).locator('.problem:visible');
  await page.getByRole('textbox', { name: 'mail' }).fill('nobody');
  await problem('mail').waitFor();
  await page.getByText('1 required field to fill in. 1 value to correct.').waitFor();
  await page.getByRole('textbox', { name: 'count' }).fill('one');
  await problem('count').getByText('whole number').waitFor();
  await problem('mail').waitFor();
  await page.getByText('1 required field to fill in. 2 values to correct.').waitFor();
  await page.getByRole('textbox', { name: 'count' }).fill('0');
  await problem('count').getByText('at least 1').waitFor();
  assert.equal(await problem('name').count(), 0);
  await page.getByRole('textbox', { name: 'mail' }).fill('kim@example.org');
  await page.getByRole('textbox', { name: 'count' }).fill('1');
  await page.getByText('1 required field to fill in.', { exact: true }).waitFor();
  assert.equal(await page.locator('.problem:visible').count(), 0);
});

it('an empty schema is a plain question', async () => {
  const desk = await open();
  const asked = ask(desk, { type: 'object', properties: {} }, 'Delete it?');
  assert.equal(await desk.page.getByRole('textbox').count(), 0);
  await press(desk, 'Confirm');
  const answer = await asked;
  assert.deepEqual(answer.kind === 'accept' && answer.content, {});
});

it('a schema beyond a form is answered as JSON, checked all the same', async () => {
  const desk = await open();
  const { page } = desk;
  const requestedSchema = {
    type: 'object',
    properties: { kind: { type: 'string' } },
    oneOf: [{ required: ['kind'] }, { required: ['other'] }],
  };
  const asked = ask(desk, requestedSchema);
  const area = page.getByRole('textbox', { name: 'Answer as JSON' });
  await area.fill('{"neither": 1}');
  await page.locator('.json-input .problem:visible').waitFor();
  assert.equal(await submitIsOff(desk), true);
  await area.fill('{"other": [1, {"deep": true}]}');
  await press(desk, 'Submit');
  const answer = await asked;
  assert.deepEqual(answer.kind === 'accept' && answer.content, { other: [1, { deep: true }] });
});

it('a schema that is none can be declined or cancelled, and says why', async () => {
  const desk = await open();
  const asked = ask(desk, { type: 'object', properties: { a: { type: 'nonsense' } } });
  await desk.page.getByText('This form cannot be answered.').waitFor();
  assert.equal(await button(desk, 'Submit').count(), 0);
  await press(desk, 'Decline');
  assert.equal((await asked).kind, 'decline');
});

for (const { name, act, expected } of [
  { name: 'Decline', act: (desk: Desk) => press(desk, 'Decline'), expected: 'decline' },
  { name: 'Cancel', act: (desk: Desk) => press(desk, 'Cancel'), expected: 'cancel' },
  {
    name: 'Escape in a field',
    act: (desk: Desk) => desk.page.getByRole('textbox', { name: 'a' }).press('Escape'),
    expected: 'cancel',
  },
] as const) {
  it(`${name} is ${expected}, and nothing of what was typed leaves the page`, async () => {
    const desk = await open();
    const asked = ask(desk, { type: 'object', properties: { a: { type: 'string' } } });
    await desk.page.getByRole('textbox', { name: 'a' }).fill('typed in vain');
    await act(desk);
    assert.equal((await asked).kind, expected);
    assert.ok(!JSON.stringify(answers(desk)).includes('typed in vain'));
  });
}

it('Escape in an open drop-down closes that and nothing else', async () => {
  const desk = await open();
  void ask(desk, { type: 'object', properties: { city: { enum: ['a', 'b', 'c', 'd', 'e', 'f'] } } });
  await desk.page.getByRole('combobox').click();
  await desk.page.keyboard.press('Escape');
  await desk.page.getByRole('option').first().waitFor({ state: 'hidden' });
  assert.equal(desk.queue.size, 1);
});

it('Enter in a field sends nothing', async () => {
  const desk = await open();
  void ask(desk, { type: 'object', properties: { a: { type: 'string' } } });
  const field = desk.page.getByRole('textbox', { name: 'a' });
  await field.fill('x');
  await until(async () => !(await submitIsOff(desk)), 'it could be sent');
  await field.press('Enter');
  await field.press('Control+Enter');
  assert.deepEqual(answers(desk), []);
});

it('optional choices can be taken back, and are then left out', async () => {
  const desk = await open();
  const asked = ask(desk, {
    type: 'object',
    properties: { size: { enum: ['s', 'm'] }, note: { type: 'string' } },
  });
  await desk.page.getByRole('radio', { name: 's' }).click();
  await press(desk, 'Clear choice');
  await until(
    async () => (await desk.page.getByRole('radio', { checked: true }).count()) === 0,
    'nothing is chosen',
  );
  await press(desk, 'Submit');
  const answer = await asked;
  assert.deepEqual(answer.kind === 'accept' && answer.content, {});
});

it('the same form ten times in a row, and two servers at once: no answer leaks into another', async () => {
  const desk = await open();
  const schema = { type: 'object', properties: { a: { type: 'string' } } };
  for (let round = 0; round < 10; round += 1) {
    const asked = ask(desk, schema, `Round ${round}`);
    await desk.page.getByText(`Round ${round}`).first().waitFor();
    const field = desk.page.getByRole('textbox', { name: 'a' });
    assert.equal(await field.inputValue(), '');
    await field.fill(`answer ${round}`);
    await press(desk, 'Submit');
    const answer = await asked;
    assert.deepEqual(answer.kind === 'accept' && answer.content, { a: `answer ${round}` });
  }
  const both = [ask(desk, schema, 'First of two'), ask(desk, schema, 'Second of two')];
  await desk.page.getByText('First of two').first().waitFor();
  await desk.page.getByRole('textbox', { name: 'a' }).fill('for the first');
  await press(desk, 'Next');
  await desk.page.locator('article', { hasText: 'Second of two' }).waitFor();
  assert.equal(await desk.page.getByRole('textbox', { name: 'a' }).inputValue(), '');
  await press(desk, 'Previous');
  assert.equal(await desk.page.getByRole('textbox', { name: 'a' }).inputValue(), 'for the first');
  await press(desk, 'Submit');
  const first = await both[0];
  assert.deepEqual(first?.kind === 'accept' && first.content, { a: 'for the first' });
});

it('a form that is left while it is being checked is whole when the person comes back', async () => {
  const desk = await open();
  const { page } = desk;
  const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };
  const asked = ask(desk, schema, 'First of two');
  void ask(desk, schema, 'Second of two');
  const field = page.getByRole('textbox', { name: /^a/ });
  for (let round = 0; round < 5; round += 1) {
    await page.locator('article', { hasText: 'First of two' }).waitFor();
    await field.fill(`typed ${round}`);
    await press(desk, 'Next');
    await page.locator('article', { hasText: 'Second of two' }).waitFor();
    await until(() => desk.told('checked') > round, 'what was typed was checked');
    desk.session.setVisible(false);
    desk.session.setVisible(true);
    await press(desk, 'Previous');
  }
  await press(desk, 'Submit');
  const answer = await asked;
  assert.deepEqual(answer.kind === 'accept' && answer.content, { a: 'typed 4' });
});

it('a form whose call was cancelled or whose server died goes away and is named among the recent calls', async () => {
  const desk = await open();
  const controller = new AbortController();
  const asked = ask(
    desk,
    { type: 'object', properties: { a: { type: 'string' } } },
    'Why',
    controller.signal,
  );
  await desk.page.getByRole('textbox', { name: 'a' }).fill('half');
  controller.abort();
  const answer = await asked;
  assert.deepEqual(answer.kind === 'cancel' && answer.cause, 'aborted');
  await desk.page.locator('article', { hasText: 'Withdrawn before an answer' }).waitFor();
});

it('a form of a hundred fields, with long and right-to-left texts, can be filled in and sent', async () => {
  const desk = await open();
  const names = Array.from({ length: 100 }, (_, index) => `field ${index}`);
  const properties = Object.fromEntries(
    names.map((name) => [
      name,
      { type: 'string', title: `${name} ${'שלום '.repeat(10)}`, description: 'long '.repeat(200) },
    ]),
  );
  const asked = ask(desk, { type: 'object', properties, required: names });
  const fields = desk.page.getByRole('textbox');
  await until(async () => (await fields.count()) === 100, 'all are there');
  for (let index = 0; index < 100; index += 1) await fields.nth(index).fill(`v${index}`);
  await press(desk, 'Submit');
  const answer = await asked;
  assert.deepEqual(
    answer.kind === 'accept' && answer.content,
    Object.fromEntries(names.map((name, index) => [name, `v${index}`])),
  );
});

it('names that mean something to programs are names like others', async () => {
  const desk = await open();
  const schema: JsonObject = JSON.parse(
    '{"type":"object","properties":{"__proto__":{"type":"string","default":"p"},"constructor":{"type":"integer","default":1},"a/b~c":{"type":"boolean"}}}',
  );
  const asked = ask(desk, schema);
  await press(desk, 'Submit');
  const answer = await asked;
  assert.equal(
    answer.kind === 'accept' && JSON.stringify(answer.content),
    '{"__proto__":"p","constructor":1,"a/b~c":false}',
  );
});

it('a field that is left empty says so without moving what is being pressed', async () => {
  const desk = await open();
  const { page } = desk;
  const properties = { name: { type: 'string' }, yes: { type: 'boolean' } };
  void ask(desk, { type: 'object', properties, required: ['name'] });
  await page.getByRole('textbox', { name: /name/ }).focus();
  const box = await page.getByRole('checkbox', { name: 'yes' }).boundingBox();
  assert.ok(box !== null);
  await page.mouse.move(box.x + 8, box.y + 8);
  await page.mouse.down();
  assert.deepEqual(await page.getByRole('checkbox', { name: 'yes' }).boundingBox(), box);
  await page.mouse.up();
  await page.getByText('This is required.').waitFor();
  assert.equal(await page.getByRole('checkbox', { name: 'yes' }).isChecked(), true);
});

it('what the server proposes is in sight, also where it is wrong or a secret, and only that is sent', async () => {
  const desk = await open({ height: 1400 });
  const { page } = desk;
  const asked = ask(desk, {
    type: 'object',
    properties: {
      token: { type: 'string', default: 'proposed' },
      password: { type: 'string' },
      pin: { type: 'integer' },
      count: { type: 'integer', maximum: 5, default: 9 },
      code: { type: 'string', pattern: '^[A-Z]+$', default: 'abc' },
      list: { type: 'array', maxItems: 1, items: { enum: ['x', 'y'] }, default: ['x', 'y'] },
      sure: { enum: ['del', 'keep'], enumNames: ['Yes', 'Yes'] },
    },
  });
  const problem = (name: string) =>
    page.locator('.field').filter({ hasText: name }).locator('.problem:visible');
  for (const name of ['count', 'code', 'list']) await problem(name).waitFor();
  await page.getByText('3 values to correct.').waitFor();
  assert.equal(await submitIsOff(desk), true);
  const type = (name: string) => page.getByRole('textbox', { name }).getAttribute('type');
  assert.deepEqual(
    [
      await type('token'),
      await page
        .getByLabel(/^password/)
        .last()
        .getAttribute('type'),
      await page.getByLabel(/^pin/).last().getAttribute('type'),
    ],
    ['text', 'password', 'password'],
  );
  assert.equal(await page.getByText('Servers must not ask').count(), 3);
  await page.getByRole('textbox', { name: 'count' }).fill('5');
  await page.getByRole('textbox', { name: 'code' }).fill('');
  await page.getByRole('checkbox', { name: 'x' }).click();
  await page.getByRole('radio', { name: 'Yes ("keep")' }).click();
  await press(desk, 'Submit');
  const answer = await asked;
  assert.deepEqual(answer.kind === 'accept' && answer.content, {
    token: 'proposed',
    count: 5,
    list: ['y'],
    sure: 'keep',
  });
});

it('a secret that the words of the server ask for, and a question that a plain yes cannot answer', async () => {
  const desk = await open();
  const { page } = desk;
  const asked = ask(desk, { type: 'object', minProperties: 1 }, 'Paste your API key');
  const warning = page.getByText('Servers must not ask');
  await warning.waitFor();
  assert.equal(await button(desk, 'Confirm').count(), 0);
  await page.getByRole('textbox', { name: 'Answer as JSON' }).fill('{"any": 1}');
  await press(desk, 'Submit');
  const answer = await asked;
  assert.deepEqual(answer.kind === 'accept' && answer.content, { any: 1 });
  assert.deepEqual(desk.faults, []);
});
