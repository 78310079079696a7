import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/base/json.ts';
import type { ClientCapabilities, InputResponse } from '../../../src/protocol/model.ts';
import { encodeInputResponse, readInputRequest } from '../../../src/protocol/wire/inputRequests.ts';
import { describe, it } from '../../helpers/nodeTest.ts';

const all: ClientCapabilities = { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} };
const requestedSchema = { type: 'object', properties: {} };
const form = { message: 'm', requestedSchema };
const url = { mode: 'url', message: 'm', url: 'https://example.com/a' };
const messages: readonly JsonObject[] = [];

type Row = readonly [
  name: string,
  method: string,
  params: JsonObject | undefined,
  declared: ClientCapabilities,
  expected: unknown,
];
const rows: readonly Row[] = [
  ['a form', 'elicitation/create', form, all, { kind: 'elicitationForm', ...form }],
  [
    'a form, named',
    'elicitation/create',
    { mode: 'form', ...form },
    all,
    { kind: 'elicitationForm', ...form },
  ],
  [
    'a form for a client that declared nothing particular',
    'elicitation/create',
    form,
    { elicitation: {} },
    { kind: 'elicitationForm', ...form },
  ],
  [
    'a form without a message',
    'elicitation/create',
    { requestedSchema, _meta: { a: 1 } },
    all,
    { kind: 'elicitationForm', message: '', requestedSchema, _meta: { a: 1 } },
  ],
  [
    'half a character',
    'elicitation/create',
    { message: '\ud83d', requestedSchema },
    all,
    { kind: 'elicitationForm', message: '\ufffd', requestedSchema },
  ],
  ['a form without a schema', 'elicitation/create', { message: 'm' }, all, 'invalid'],
  [
    'a form where only URLs were declared',
    'elicitation/create',
    form,
    { elicitation: { url: {} } },
    'invalid',
  ],
  [
    'a URL',
    'elicitation/create',
    { ...url, elicitationId: 'e' },
    all,
    { kind: 'elicitationUrl', message: 'm', url: url.url, elicitationId: 'e' },
  ],
  [
    'a URL where only forms were declared',
    'elicitation/create',
    url,
    { elicitation: { form: {} } },
    'invalid',
  ],
  ['a URL that is none', 'elicitation/create', { ...url, url: 'not a url' }, all, 'invalid'],
  ['an unknown mode', 'elicitation/create', { ...form, mode: 'voice' }, all, 'invalid'],
  ['no parameters', 'elicitation/create', undefined, all, 'invalid'],
  ['a question that was not declared', 'elicitation/create', form, {}, 'unsupported'],
  [
    'sampling',
    'sampling/createMessage',
    { messages, maxTokens: 1 },
    all,
    { kind: 'sampling', params: { messages, maxTokens: 1 } },
  ],
  ['sampling without messages', 'sampling/createMessage', {}, all, 'invalid'],
  [
    'sampling with tools, undeclared',
    'sampling/createMessage',
    { messages, tools: [] },
    { sampling: {} },
    'invalid',
  ],
  ['sampling, undeclared', 'sampling/createMessage', { messages }, {}, 'unsupported'],
  ['roots', 'roots/list', undefined, all, { kind: 'roots' }],
  ['roots, undeclared', 'roots/list', undefined, {}, 'unsupported'],
  ['a method of the future', 'tasks/get', {}, all, 'unsupported'],
];

const responses: readonly (readonly [Exclude<InputResponse, { kind: 'refused' }>, unknown])[] = [
  [
    { kind: 'elicitation', action: 'accept', content: { a: 1 } },
    { action: 'accept', content: { a: 1 } },
  ],
  [{ kind: 'elicitation', action: 'accept' }, { action: 'accept' }],
  [{ kind: 'elicitation', action: 'decline' }, { action: 'decline' }],
  [{ kind: 'elicitation', action: 'cancel' }, { action: 'cancel' }],
  [{ kind: 'sampling', result: { role: 'assistant' } }, { role: 'assistant' }],
  [{ kind: 'roots', roots: [{ uri: 'file:///a', name: 'a' }] }, { roots: [{ uri: 'file:///a', name: 'a' }] }],
];

describe('readInputRequest', () => {
  for (const [name, method, params, declared, expected] of rows)
    it(name, () => {
      const reading = readInputRequest(method, params, declared);
      assert.deepEqual(reading.kind === 'request' ? reading.request : reading.kind, expected);
    });
});

describe('encodeInputResponse', () => {
  for (const [response, expected] of responses)
    it(JSON.stringify(response), () => assert.deepEqual(encodeInputResponse(response), expected));
});
