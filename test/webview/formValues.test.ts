// What is typed into a field, and what is sent for it: all rows stand in one form, each with a field of its own.
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { JsonObject, JsonValue } from '../../src/base/json.ts';
import { type FormAnswer, formPrompt } from '../../src/prompts/formPrompt.ts';
import { SchemaChecker } from '../../src/tools/schemaChecker.ts';
import type { Desk } from './harness/bench.ts';
import { it, button, press, until, useBench } from './harness/desk.ts';

const { open } = useBench();
const checker = new SchemaChecker();

const string: JsonObject = { type: 'string' };
const integer: JsonObject = { type: 'integer' };
const number: JsonObject = { type: 'number' };
const any: JsonObject = { type: 'object' };
const left = Symbol('left as it was');
const absent = Symbol('not sent');

/** Property, what is typed into its field, and what is sent for it. */
const sent: readonly (readonly [JsonObject, string | typeof left, JsonValue | typeof absent])[] = [
  [string, 'x', 'x'],
  [string, left, absent],
  [string, '', absent],
  [string, '  spaces  ', '  spaces  '],
  [string, 'null', 'null'],
  [string, '"quoted" \\ <b>', '"quoted" \\ <b>'],
  [string, 'שלום \u202e \u{1f600}', 'שלום \u202e \u{1f600}'],
  [{ ...string, default: 'd' }, left, 'd'],
  [{ ...string, default: 'd' }, '', absent],
  [{ ...string, default: 'd' }, 'e', 'e'],
  [{ ...string, default: '' }, left, absent],
  [{ ...string, default: 'two\nlines' }, left, 'two\nlines'],
  [{ ...string, maxLength: 1000 }, 'two\nlines', 'two\nlines'],
  [{ ...string, pattern: '^\\p{L}{2}$' }, 'éß', 'éß'],
  [{ ...string, format: 'email' }, 'kim@example.org', 'kim@example.org'],
  [{ ...string, format: 'email' }, '', absent],
  [{ ...string, format: 'uri' }, 'urn:x:y', 'urn:x:y'],
  [{ ...string, format: 'date' }, '2028-02-29', '2028-02-29'],
  [{ ...string, format: 'date', default: '2028-02-29' }, left, '2028-02-29'],
  [{ ...string, format: 'date', default: '2028-02-29' }, '', absent],
  [{ ...string, format: 'date', default: '2027-02-29' }, left, absent],
  [{ ...string, format: 'date', default: 'tomorrow' }, left, absent],
  [
    { ...string, format: 'date-time', default: '2026-12-01T23:59:59.123+05:45' },
    left,
    '2026-12-01T23:59:59.123+05:45',
  ],
  [{ ...string, format: 'date-time', default: 'soon' }, left, absent],
  [{ ...string, format: 'date-time', default: '2026-12-01T10:00:00Z' }, '', absent],
  [integer, '7', 7],
  [integer, ' 7 ', 7],
  [integer, '+7', 7],
  [integer, '-7', -7],
  [integer, '007', 7],
  [integer, '-0', 0],
  [integer, '9007199254740991', 9007199254740991],
  [integer, '', absent],
  [{ ...integer, default: 0 }, left, 0],
  [{ ...integer, default: 1.5 }, left, absent],
  [{ ...integer, default: 1e21 }, left, absent],
  [{ ...integer, default: 5 }, '', absent],
  [number, '1.5', 1.5],
  [number, '.5', 0.5],
  [number, '5.', 5],
  [number, '0.1', 0.1],
  [number, '1e3', 1000],
  [number, '1E-7', 1e-7],
  [number, '-0.0', 0],
  [number, '0.30000000000000004', 0.30000000000000004],
  [number, '1.50000000000000000000', 1.5],
  [number, '123456789012345680000', 123456789012345680000],
  [{ ...number, default: 1e21 }, left, 1e21],
  [{ ...number, default: 0.1 }, left, 0.1],
  [any, '{"a": [1, null, "x"]}', { a: [1, null, 'x'] }],
  [any, '{}', {}],
  [any, '', absent],
  [{ ...any, default: { a: 1 } }, left, { a: 1 }],
  [{ type: 'array', items: { type: 'integer' } }, '[1, 2]', [1, 2]],
  [{ type: ['string', 'number'] }, '"1"', '1'],
  [{ type: ['string', 'number'] }, '1', 1],
  [{}, 'null', null],
];

/** Property, what is typed, and what is said beside the field. */
const refused: readonly (readonly [JsonObject, string, RegExp])[] = [
  [integer, '1.0', /whole number/],
  [integer, '1e3', /whole number/],
  [integer, '1.5', /whole number/],
  [integer, '1,5', /whole number/],
  [integer, '0x10', /whole number/],
  [integer, '٣', /whole number/],
  [integer, '1 000', /whole number/],
  [integer, 'NaN', /whole number/],
  [integer, '9007199254740993', /exactly/],
  [integer, '9'.repeat(400), /too large/],
  [{ ...integer, minimum: 1 }, '0', /at least 1/],
  [{ ...integer, exclusiveMaximum: 5 }, '5', /less than 5/],
  [number, '1,5', /a number/],
  [number, '--1', /a number/],
  [number, 'Infinity', /a number/],
  [number, '1e400', /too large/],
  [number, '1e-400', /exactly/],
  [number, '3.14159265358979323846', /nearest one is 3\.141592653589793/],
  [number, '9007199254740993', /exactly/],
  [{ ...number, multipleOf: 5 }, '11', /multiple of 5/],
  [{ ...string, minLength: 3 }, 'ab', /3 characters/],
  [{ ...string, maxLength: 2 }, 'abc', /2 characters/],
  [{ ...string, pattern: '^[A-Z]+$' }, 'abc', /pattern/],
  [{ ...string, format: 'email' }, 'kim@', /e-mail address/],
  [{ ...string, format: 'uri' }, 'example.org', /whole URL/],
  [{ ...string, format: 'ipv4' }, '1.2.3', /IPv4 address/],
  [any, '{', /not JSON/],
  [any, '[1,]', /not JSON/],
  [any, '{"a": 9007199254740993}', /9007199254740993 cannot be sent exactly/],
  [any, '{"a": 1e400}', /1e400 cannot be sent exactly/],
  [any, '[]', /object/],
  [{ ...any, required: ['a'] }, '{}', /'?a'?/],
];

const nameOf = (place: number): string => `field ${String(place).padStart(2, '0')}`;

function formOf(properties: readonly JsonObject[]): JsonObject {
  return {
    type: 'object',
    properties: Object.fromEntries(properties.map((property, place) => [nameOf(place), property])),
  };
}

/** What takes the keyboard in a field. */
function control(desk: Desk, place: number): Locator {
  const field = desk.page.locator('.field').nth(place);
  return field.getByRole('textbox').or(field.locator('.date-field'));
}

async function type(desk: Desk, place: number, text: string): Promise<void> {
  await control(desk, place).fill(text);
}

/** `answer` settles once the form is answered. */
async function ask(
  desk: Desk,
  requestedSchema: JsonObject,
): Promise<{ readonly answer: Promise<FormAnswer> }> {
  const prompt = await formPrompt({ serverId: 's', message: 'Fill in', requestedSchema }, checker);
  return { answer: desk.queue.ask(prompt) };
}

it(`${sent.length} fields: what is typed is what is sent`, async () => {
  const desk = await open({ height: 1200 });
  const { answer } = await ask(desk, formOf(sent.map(([property]) => property)));
  await desk.page.getByText('Fill in').first().waitFor();
  for (const [place, [, typed]] of sent.entries()) {
    if (typed === left) continue;
    // What is typed and taken back is not there.
    if (typed === '' && sent[place]?.[0]['format'] !== 'date-time')
      await type(desk, place, sent[place]?.[0]['format'] === 'date' ? '2026-01-01' : '1');
    await type(desk, place, typed);
  }
  await press(desk, 'Submit');
  const settled = await answer;
  const expected = sent.flatMap(([, , value], place) => (value === absent ? [] : [[nameOf(place), value]]));
  assert.deepEqual(settled.kind === 'accept' && settled.content, Object.fromEntries(expected));
});

it(`${refused.length} fields: what cannot be sent is said beside the field, and read out with it`, async () => {
  const desk = await open({ height: 1200 });
  await ask(desk, formOf(refused.map(([property]) => property)));
  await desk.page.getByText('Fill in').first().waitFor();
  // A few at a time: of a value with very many faults, only the first are named.
  for (let first = 0; first < refused.length; first += 8) {
    const rows = Array.from(refused.entries()).slice(first, first + 8);
    for (const [place, [, typed]] of rows) await type(desk, place, typed);
    await desk.page.keyboard.press('Tab');
    for (const [place, [, typed, words]] of rows) {
      const problem = desk.page.locator('.field').nth(place).locator('.problem:visible');
      const said = async (): Promise<string> => (await problem.allInnerTexts()).join(' ');
      await until(async () => words.test(await said()), `${typed}: ${words.source}`);
      const described = await control(desk, place).evaluate((element) =>
        element.getAttribute('aria-description'),
      );
      assert.match(described ?? '', words, typed);
      assert.equal(await button(desk, 'Submit').isDisabled(), true);
    }
    for (const [place] of rows) await type(desk, place, '');
  }
  await until(async () => !(await button(desk, 'Submit').isDisabled()), 'all can be left out');
});

it('a time is picked in the own zone and sent with its offset', async () => {
  const desk = await open();
  const { answer } = await ask(desk, formOf([{ ...string, format: 'date-time' }]));
  await type(desk, 0, '2026-07-01T12:30');
  const shown = await desk.page.getByText(/^Sent as /).innerText();
  await press(desk, 'Submit');
  const settled = await answer;
  const moment = settled.kind === 'accept' ? settled.content[nameOf(0)] : undefined;
  assert.ok(typeof moment === 'string');
  assert.equal(`Sent as ${moment}`, shown);
  const local = await desk.page.evaluate("new Date('2026-07-01T12:30').getTime()");
  assert.equal(new Date(moment).getTime(), local);
});

it('while a person types, the field keeps the keyboard and the place of the caret', async () => {
  const desk = await open();
  const { page } = desk;
  await ask(desk, {
    type: 'object',
    properties: { a: { type: 'string', pattern: '^[a-z]*$' }, b: string },
  });
  const field = page.getByRole('textbox', { name: 'a' });
  await field.click();
  await page.keyboard.type('abX');
  await page
    .locator('.problem:visible')
    .waitFor({ state: 'attached' })
    .catch(() => undefined);
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Home');
  await page.keyboard.type('z');
  await until(async () => !(await button(desk, 'Submit').isDisabled()), 'it is valid again');
  await page.keyboard.type('y');
  assert.equal(await field.inputValue(), 'zyab');
});

it('a form by keyboard alone', async () => {
  const desk = await open({ height: 1000 });
  const { page } = desk;
  const properties = {
    name: { type: 'string' },
    size: { enum: ['s', 'm', 'l'] },
    city: { enum: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] },
    topics: { type: 'array', items: { enum: ['x', 'y'] } },
    yes: { type: 'boolean' },
  };
  const { answer } = await ask(desk, {
    type: 'object',
    properties,
    required: ['name', 'size', 'city', 'topics'],
  });
  await page.getByRole('textbox', { name: /^name/ }).focus();
  await page.keyboard.type('Kim');
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await until(async () => !(await button(desk, 'Submit').isDisabled()), 'it can be sent');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  const settled = await answer;
  assert.ok(settled.kind === 'accept', JSON.stringify(settled));
  const { size, ...rest } = settled.content;
  // Arrows choose as they go; which one is first in focus is the toolkit's business.
  assert.ok(typeof size === 'string');
  assert.deepEqual(rest, { name: 'Kim', city: 'b', topics: ['y'], yes: true });
});

it('fields with names of every kind: each value reaches the server under its own name', async () => {
  const desk = await open({ height: 1400 });
  const names = [
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    '',
    ' ',
    '\u202egnp.exe',
    '\u05e9\u05dc\u05d5\u05dd',
    '\u00e9',
    'e\u0301',
    'a/b~c',
    'x.y[0]"',
    '7',
    'n'.repeat(10_000),
  ];
  const members = names.map((name) => `${JSON.stringify(name)}:{"type":"string","maxLength":9}`);
  const required = JSON.stringify(names);
  const schema = JSON.parse(
    `{"type":"object","additionalProperties":false,"properties":{${members.join(',')}},"required":${required}}`,
  ) as JsonObject;
  const { answer } = await ask(desk, schema);
  await desk.page
    .locator('.field')
    .nth(names.length - 1)
    .waitFor();
  // Names that are whole numbers come first in every JavaScript object.
  const shown = Object.keys(schema['properties'] as JsonObject);
  for (const place of shown.keys()) await type(desk, place, place === 3 ? 'much too long' : `v${place}`);
  await desk.page.locator('.field').nth(3).locator('.problem:visible').getByText('9 characters').waitFor();
  assert.equal(await button(desk, 'Submit').isDisabled(), true);
  await type(desk, 3, 'v3');
  await press(desk, 'Submit');
  const given = await answer;
  assert.ok(given.kind === 'accept');
  assert.deepEqual(
    Object.entries(given.content),
    shown.map((name, place) => [name, `v${place}`]),
  );
  assert.deepEqual(desk.faults, []);
});
