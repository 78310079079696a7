import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/base/json.ts';
import { formModelOf } from '../../../src/prompts/formModel.ts';
import { typedSecrets } from '../../../src/prompts/typedSecrets.ts';
import { it } from '../../helpers/nodeTest.ts';

const string = { type: 'string' };
const whole = { not: { required: ['never'] } };
const login = { properties: { password: string, user: string } };

const rows: readonly {
  readonly name: string;
  readonly schema: JsonObject;
  readonly content: JsonObject;
  readonly warned?: boolean;
  readonly found: readonly string[];
}[] = [
  { name: 'a field', schema: { properties: { token: string } }, content: { token: 'x' }, found: ['x'] },
  { name: 'left out', schema: { properties: { token: string } }, content: {}, found: [] },
  {
    name: 'a number',
    schema: { properties: { pin: { type: 'integer' } } },
    content: { pin: 1234 },
    found: ['1234'],
  },
  {
    name: 'not a choice, and no other field',
    schema: { properties: { token: { enum: ['x'] }, secret: { type: 'boolean' }, name: string } },
    content: { token: 'x', secret: true, name: 'kim' },
    found: [],
  },
  {
    name: 'deep in a field',
    schema: { properties: { login, other: login } },
    content: { login: { user: 'kim', password: 'x' }, other: { password: ['y', 1] } },
    found: ['x', '1', 'y'],
  },
  {
    name: 'a field of which no name says what is secret',
    schema: { properties: { credentials: { type: 'object' } } },
    content: { credentials: { a: 'x', b: ['y'] } },
    found: ['y', 'x'],
  },
  {
    name: 'a name of JavaScript that nobody has typed',
    schema: JSON.parse('{"properties":{"__proto__":{"title":"Password"}}}') as JsonObject,
    content: {},
    found: [],
  },
  {
    name: 'what the words of the server ask for',
    schema: { properties: { value: string, count: { type: 'integer' } } },
    content: { value: 'x', count: 1 },
    warned: true,
    found: ['x'],
  },
  {
    name: 'an answer as one text',
    schema: { properties: login.properties, ...whole },
    content: { user: 'kim', password: 'x' },
    warned: true,
    found: ['x'],
  },
  {
    name: 'an answer as one text that asks for none',
    schema: { properties: { user: string }, ...whole },
    content: { user: 'kim' },
    found: [],
  },
];

for (const { name, schema, content, warned = false, found } of rows)
  it(name, () => assert.deepEqual(typedSecrets(formModelOf(schema), content, warned), found));
