// Schemas as servers really send them, and as nobody should: what is shown for each, and which answers may be sent.
import assert from 'node:assert/strict';
import type { JsonObject, JsonValue } from '../../../src/base/json.ts';
import { formPrompt } from '../../../src/prompts/formPrompt.ts';
import { shownCard } from '../../../src/prompts/shownCard.ts';
import { decode } from '../../../src/shared/decode.ts';
import { type FormField, formModel } from '../../../src/shared/formModel.ts';
import { SchemaChecker } from '../../../src/tools/schemaChecker.ts';
import { after } from 'node:test';
import { shapeRows } from './formSchemaShapes.ts';
import { valueRows } from './formSchemaValues.ts';
import { it } from '../../helpers/nodeTest.ts';

const checker = new SchemaChecker({
  workerUrl: new URL('../../../src/tools/schemaWorker.ts', import.meta.url),
});
after(() => checker.dispose());

const rows = [...valueRows, ...shapeRows];

for (const { name, schema, shown, valid = [], invalid = [] } of rows) {
  it(`${name}: ${JSON.stringify(shown).slice(0, 200)}`, async () => {
    const requestedSchema: JsonObject = typeof schema === 'string' ? JSON.parse(schema) : schema;
    const prompt = await formPrompt({ serverId: 's', message: '', requestedSchema }, checker);
    const card = prompt.content({ id: 'p', askedAt: 0 });
    assert.ok(card.kind === 'form');
    const { form } = card;
    assert.deepEqual(decode(formModel, JSON.parse(JSON.stringify(form))).ok, true);
    const seen =
      form.kind === 'fields' ? form.fields.map((field) => [field.name, wordsFor(field)]) : form.kind;
    assert.deepEqual(seen, typeof shown === 'string' ? shown : Object.entries(shown));
    const settlement = { promptId: 'p', digest: 'd', waitedMs: 0 };
    const judged = async (answer: JsonObject | string): Promise<unknown> => {
      const content: JsonObject = typeof answer === 'string' ? JSON.parse(answer) : answer;
      // Unlike a page that asks for live validation, a page that is forged sends at once: this is the last gate.
      return prompt.judge({ kind: 'submit', content }, { ...card, digest: 'd' }, settlement);
    };
    for (const answer of valid) {
      const content: unknown = typeof answer === 'string' ? JSON.parse(answer) : answer;
      const expected = { kind: 'answer', answer: { ...settlement, kind: 'accept', content } };
      assert.deepEqual(await judged(answer), expected, JSON.stringify(answer));
    }
    for (const answer of invalid) {
      const verdict = await judged(answer);
      assert.ok(
        typeof verdict === 'object' && verdict !== null && Reflect.get(verdict, 'reason') === 'invalid',
        `${JSON.stringify(answer)} is refused`,
      );
    }
  });
}

function wordsFor(field: FormField): string {
  const initial = field.initial === undefined ? '' : ` ${JSON.stringify(field.initial)}`;
  return `${field.kind}${initial}${field.required ? ', required' : ''}`;
}

it('what is too deep or too long to be shown is cut or said to be, never a silent answer', async () => {
  let deep: JsonValue = 'x';
  for (let level = 0; level < 600; level += 1) deep = [deep];
  const requestedSchema: JsonObject = { type: 'object', properties: { a: { type: 'array', default: deep } } };
  const message = 'word '.repeat(2_000_000);
  const prompt = await formPrompt({ serverId: 's', message, requestedSchema }, checker);
  const card = prompt.content({ id: 'p', askedAt: 0 });
  assert.ok(card.kind === 'form' && shownCard(card) !== undefined);
  assert.equal(card.form.kind, 'impossible');
  assert.match(card.message.slice(-40), /…\n\[9800001 more characters\]$/);
});

it('a secret is warned of where no field can: in the words of the server, and in an answer that is one text', async () => {
  const password: JsonObject = { type: 'string' };
  const rows: readonly (readonly [
    message: string,
    schema: JsonObject,
    card: boolean,
    fields: readonly boolean[],
  ])[] = [
    ['Enter your GitHub password.', { properties: { value: password } }, true, [false]],
    ['Geben Sie Ihr Passwort ein', { properties: { value: password } }, true, [false]],
    ['Enter your password', { properties: { password, name: password } }, false, [true, false]],
    ['Who are you?', { properties: { name: password } }, false, [false]],
    ['Log in', { properties: { login: { properties: { password } } } }, false, [true]],
    ['Log in', { properties: { login: { items: { properties: { 密码: password } } } } }, false, [true]],
    ['Log in', { properties: { password }, not: { required: ['x'] } }, true, []],
    ['Log in', { properties: { name: password }, not: { required: ['x'] } }, false, []],
  ];
  for (const [message, requestedSchema, warned, fields] of rows) {
    const prompt = await formPrompt({ serverId: 's', message, requestedSchema }, checker);
    const card = prompt.content({ id: 'p', askedAt: 0 });
    assert.ok(card.kind === 'form' && shownCard(card) !== undefined);
    assert.equal(card.secret === true, warned, JSON.stringify(requestedSchema));
    assert.deepEqual(card.form.kind === 'fields' ? card.form.fields.map(({ secret }) => secret) : [], fields);
  }
});

it('at least a hundred answers to schemas of more than eighty kinds', () => {
  const answers = rows.reduce((sum, { valid = [], invalid = [] }) => sum + valid.length + invalid.length, 0);
  assert.ok(rows.length >= 80 && answers >= 100, `${rows.length} schemas, ${answers} answers`);
});
