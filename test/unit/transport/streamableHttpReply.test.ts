import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  classifyReply,
  isBatch,
  judgeReplyMessage,
  meansForgottenSession,
  mediaType,
  type ReplyFacts,
  type ReplyKind,
} from '../../../src/transport/streamableHttpReply.ts';
import type { JsonRpcMessage } from '../../../src/transport/transport.ts';

const base: ReplyFacts = {
  era: 'modern',
  inSession: false,
  status: 200,
  contentType: undefined,
  contentEncoding: undefined,
  challenged: false,
};
const session = { era: 'legacy', inSession: true } as const;
const replies: readonly [facts: Partial<ReplyFacts>, kind: ReplyKind][] = [
  [{ contentType: 'application/json' }, 'json'],
  [{ contentType: 'text/event-stream' }, 'stream'],
  [{ status: 201, contentType: 'application/json' }, 'json'],
  [{ contentType: 'text/html' }, 'unusable'],
  [{}, 'unusable'],
  [{ status: 202 }, 'unusable'],
  [{ status: 204 }, 'unusable'],
  [{ contentType: 'application/json', contentEncoding: 'identity' }, 'json'],
  [{ contentType: 'application/json', contentEncoding: 'gzip' }, 'unusable'],
  [{ contentType: 'text/event-stream', contentEncoding: 'br' }, 'unusable'],
  [{ status: 301 }, 'refusal'],
  [{ status: 400, contentType: 'application/json' }, 'refusal'],
  [{ status: 401 }, 'unauthorized'],
  [{ status: 401, contentType: 'application/json' }, 'unauthorized'],
  [{ status: 403 }, 'refusal'],
  [{ status: 403, challenged: true }, 'unauthorized'],
  [{ status: 404, contentType: 'application/json' }, 'refusal'],
  [{ ...session, status: 404 }, 'sessionExpired'],
  [{ ...session, status: 404, contentType: 'application/json' }, 'sessionExpired'],
  [{ era: 'legacy', status: 404 }, 'refusal'],
  [{ ...session, status: 400 }, 'refusal'],
  [{ status: 500, contentType: 'text/html' }, 'refusal'],
  [{ status: 503, contentType: 'text/event-stream' }, 'refusal'],
];
for (const [facts, kind] of replies) {
  test(`reply ${JSON.stringify(facts)}`, () => assert.equal(classifyReply({ ...base, ...facts }), kind));
}

const forgotten: readonly [facts: Partial<ReplyFacts>, code: number, expected: boolean][] = [
  [{ ...session, status: 400 }, -32000, true],
  [{ ...session, status: 400 }, -32001, true],
  [{ ...session, status: 400 }, -32602, false],
  [{ ...session, status: 500 }, -32000, false],
  [{ era: 'legacy', status: 400 }, -32000, false],
  [{ status: 400 }, -32000, false],
];
for (const [facts, code, expected] of forgotten) {
  test(`${code} with ${JSON.stringify(facts)} ${expected ? 'means' : 'does not mean'} a forgotten session`, () => {
    const error = { jsonrpc: '2.0', error: { code, message: '' } } as const;
    assert.equal(meansForgottenSession({ ...base, ...facts }, error), expected);
  });
}

const answer: JsonRpcMessage = { jsonrpc: '2.0', id: 1, result: {} };
const messages: readonly [name: string, message: JsonRpcMessage, facts: object, kind: string][] = [
  ['our response', answer, {}, 'answer'],
  ['a response with our id as a text', { ...answer, id: '1' }, {}, 'drop'],
  ['a response to another request', { ...answer, id: 2 }, { era: 'legacy' }, 'drop'],
  ['a second response', answer, { answered: true }, 'drop'],
  ['our error', { jsonrpc: '2.0', id: 1, error: { code: 1, message: '' } }, {}, 'answer'],
  ['an error without id', { jsonrpc: '2.0', error: { code: 1, message: '' } }, {}, 'answer'],
  ['a notification', { jsonrpc: '2.0', method: 'notifications/progress' }, {}, 'pass'],
  ['a notification after the response', { jsonrpc: '2.0', method: 'x' }, { answered: true }, 'drop'],
  ['a request of a modern server', { jsonrpc: '2.0', id: 1, method: 'roots/list' }, {}, 'drop'],
  [
    'a request of a legacy server',
    { jsonrpc: '2.0', id: 1, method: 'roots/list' },
    { era: 'legacy' },
    'pass',
  ],
];
for (const [name, message, facts, kind] of messages) {
  test(`in a reply, ${name}: ${kind}`, () => {
    const verdict = judgeReplyMessage(message, { era: 'modern', requestId: 1, answered: false, ...facts });
    assert.equal(verdict.kind, kind);
  });
}

const types: readonly [header: string | undefined, type: string | undefined][] = [
  ['application/json', 'application/json'],
  ['Application/JSON; charset=utf-8', 'application/json'],
  [' text/event-stream ;x', 'text/event-stream'],
  ['', ''],
  [undefined, undefined],
];
for (const [header, type] of types) {
  test(`media type of ${String(header)}`, () => assert.equal(mediaType(header), type));
}

test('a batch is told by its bracket', () => {
  assert.deepEqual([' \n[]', '{"a":[]}', '[1]', ''].map(isBatch), [true, false, true, false]);
});
