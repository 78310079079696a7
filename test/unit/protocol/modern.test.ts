import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/base/json.ts';
import { ModernCodec } from '../../../src/protocol/wire/modern.ts';
import { describe, it } from '../../helpers/nodeTest.ts';

const codec = new ModernCodec({
  version: '2026-07-28',
  clientInfo: { name: 'test', version: '1', icons: [{ src: 'data:' }] },
  capabilities: {
    elicitation: { form: {} },
    roots: { listChanged: true },
    extensions: { 'com.example/x': {} },
  },
});
const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {
    elicitation: { form: {} },
    roots: {},
    extensions: { 'com.example/x': {} },
  },
};

const form = {
  method: 'elicitation/create',
  params: { message: 'Who?', requestedSchema: { type: 'object', properties: {} } },
};
const formRequest = {
  kind: 'elicitationForm',
  message: 'Who?',
  requestedSchema: { type: 'object', properties: {} },
};

type Outcome = ReturnType<ModernCodec['readOutcome']>;
const complete: Outcome = { kind: 'complete' };
const round = (inputRequests: unknown, requestState?: unknown): JsonObject =>
  JSON.parse(JSON.stringify({ resultType: 'input_required', inputRequests, requestState }));

const outcomes: readonly (readonly [name: string, method: string, result: JsonObject, expected: unknown])[] =
  [
    ['no type', 'tools/call', {}, complete],
    ['complete', 'tools/list', { resultType: 'complete' }, complete],
    ['an unknown type', 'tools/call', { resultType: 'task' }, 'invalid'],
    ['a type that is no text', 'tools/call', { resultType: 1 }, 'invalid'],
    ['a type that is null', 'tools/call', { resultType: null }, 'invalid'],
    [
      'a question',
      'tools/call',
      round({ who: form }, 's'),
      { kind: 'inputRequired', requests: [{ key: 'who', request: formRequest }], requestState: 's' },
    ],
    [
      'a question without state',
      'resources/read',
      round({ who: form }),
      { kind: 'inputRequired', requests: [{ key: 'who', request: formRequest }], requestState: undefined },
    ],
    [
      'state alone, however it looks',
      'prompts/get',
      round(undefined, '{"a":\u0000"é\ud83d"}'),
      { kind: 'inputRequired', requests: [], requestState: '{"a":\u0000"é\ud83d"}' },
    ],
    [
      'empty state',
      'tools/call',
      round(undefined, ''),
      { kind: 'inputRequired', requests: [], requestState: '' },
    ],
    [
      'roots without parameters',
      'tools/call',
      round({ r: { method: 'roots/list' } }),
      {
        kind: 'inputRequired',
        requests: [{ key: 'r', request: { kind: 'roots' } }],
        requestState: undefined,
      },
    ],
    ['nothing asked', 'tools/call', round(undefined), 'invalid'],
    ['a method that may not ask', 'tools/list', round({ who: form }), 'invalid'],
    ['state that is no text', 'tools/call', round({ who: form }, 1), 'invalid'],
    ['questions in a list', 'tools/call', round([form]), 'invalid'],
    ['a question that is a text', 'tools/call', round({ who: 'form' }), 'invalid'],
    ['an unknown question', 'tools/call', round({ who: { method: 'tasks/get' } }), 'invalid'],
    [
      'an undeclared question',
      'tools/call',
      round({ s: { method: 'sampling/createMessage', params: {} } }),
      'invalid',
    ],
    [
      'an undeclared mode',
      'tools/call',
      round({ u: { ...form, params: { ...form.params, mode: 'url' } } }),
      'invalid',
    ],
    ['one good and one bad question', 'tools/call', round({ a: form, b: { method: 'x' } }), 'invalid'],
    [
      'too many questions',
      'tools/call',
      round(Object.fromEntries(Array.from({ length: 33 }, (_, index) => [`q${index}`, form]))),
      'invalid',
    ],
  ];

const hints: readonly (readonly [JsonObject, object])[] = [
  [
    { ttlMs: 5, cacheScope: 'public' },
    { ttlMs: 5, scope: 'public' },
  ],
  [
    { ttlMs: 5, cacheScope: 'private' },
    { ttlMs: 5, scope: 'private' },
  ],
  [{ ttlMs: 5 }, { ttlMs: 5, scope: 'private' }],
  [
    { ttlMs: 5, cacheScope: 'everyone' },
    { ttlMs: 5, scope: 'private' },
  ],
  [
    { ttlMs: 0, cacheScope: 'public' },
    { ttlMs: 0, scope: 'public' },
  ],
  [{ ttlMs: -1 }, { ttlMs: 0, scope: 'private' }],
  [{ ttlMs: '5' }, { ttlMs: 0, scope: 'private' }],
  [{}, { ttlMs: 0, scope: 'private' }],
];

describe('ModernCodec', () => {
  it('says who we are with every request, and adds only what is asked for', () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01';
    assert.deepEqual(codec.encodeParams({ name: 'a' }, {}), { name: 'a', _meta: meta });
    assert.deepEqual(codec.encodeParams({}, { traceparent, logLevel: 'debug' }, 4), {
      _meta: { ...meta, progressToken: 4, traceparent, 'io.modelcontextprotocol/logLevel': 'debug' },
    });
    assert.deepEqual(codec.encodeParams({}, { traceparent: 'x\r\n' }), { _meta: meta });
  });

  for (const [name, method, result, expected] of outcomes)
    it(`reads a result: ${name}`, () => {
      const outcome = codec.readOutcome(method, result);
      assert.deepEqual(outcome.kind === 'invalid' ? 'invalid' : outcome, expected);
    });

  for (const [result, expected] of hints)
    it(`reads a cache hint: ${JSON.stringify(result)}`, () => {
      assert.deepEqual(codec.readCacheHint(result), expected);
    });
});
