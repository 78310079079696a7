import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/base/json.ts';
import type { InputContext, InputHandler } from '../../../src/client/mcpClient.ts';
import type { InputRequest, InputResponse } from '../../../src/protocol/model.ts';
import type { JsonRpcMessage, Transport } from '../../../src/transport/transport.ts';
import { ending } from '../../helpers/errors.ts';
import { describe, it } from '../../helpers/nodeTest.ts';
import { messageProblems } from '../../helpers/officialSchema.ts';
import {
  connectPeer,
  type Handlers,
  legacyHandlers,
  modernHandlers,
  peerWith,
  type Session,
} from '../../helpers/peerServer.ts';
import { settle } from '../../helpers/peerTransport.ts';

const requestedSchema = { type: 'object', properties: {} };
const form = { message: 'm', requestedSchema };

interface Asked {
  readonly request: InputRequest;
  readonly context: InputContext;
  readonly answer: (response: InputResponse) => void;
}

interface Questions extends Session {
  readonly asked: readonly Asked[];
}

const silent: Handlers = { ...legacyHandlers, 'tools/call': () => undefined };

async function open(handlers: Handlers = silent, kind: Transport['kind'] = 'stdio'): Promise<Questions> {
  const asked: Asked[] = [];
  const inputHandler: InputHandler = (request, context) =>
    new Promise((answer, reject) => {
      asked.push({ request, context, answer });
      context.signal.addEventListener('abort', () => reject(context.signal.reason as Error));
    });
  const session = await connectPeer(peerWith(handlers, kind), {
    inputHandler,
    capabilities: { elicitation: { form: {}, url: {} }, roots: {} },
  });
  return { ...session, asked };
}

function answers({ peer }: Session): readonly JsonRpcMessage[] {
  const list = peer.sent.filter((message) => !('method' in message));
  assert.deepEqual(
    list.flatMap((message) => messageProblems(message, 'legacy')),
    [],
  );
  return list;
}

const accept: InputResponse = { kind: 'elicitation', action: 'accept', content: { a: 1 } };

describe('requests of legacy servers', () => {
  it('answers a ping at once', async () => {
    const session = await open();
    session.peer.deliver({ jsonrpc: '2.0', id: 'p', method: 'ping' });
    await settle();
    assert.deepEqual(answers(session), [{ jsonrpc: '2.0', id: 'p', result: {} }]);
  });

  const responses: readonly (readonly [string, JsonObject | undefined, InputResponse, object])[] = [
    ['elicitation/create', form, accept, { result: { action: 'accept', content: { a: 1 } } }],
    [
      'elicitation/create',
      form,
      { kind: 'elicitation', action: 'decline' },
      { result: { action: 'decline' } },
    ],
    [
      'roots/list',
      undefined,
      { kind: 'roots', roots: [{ uri: 'file:///a' }] },
      { result: { roots: [{ uri: 'file:///a' }] } },
    ],
    [
      'elicitation/create',
      form,
      { kind: 'refused', code: -1, message: 'no' },
      { error: { code: -1, message: 'no' } },
    ],
  ];
  for (const [method, params, response, expected] of responses)
    it(`answers ${method} with ${response.kind}`, async () => {
      const session = await open();
      session.peer.deliver({
        jsonrpc: '2.0',
        id: 7,
        method,
        ...(params === undefined ? undefined : { params }),
      });
      await settle();
      session.asked[0]?.answer(response);
      await settle();
      assert.deepEqual(answers(session), [{ jsonrpc: '2.0', id: 7, ...expected }]);
      assert.equal(session.asked[0]?.context.key, '7');
    });

  const refused: readonly (readonly [string, JsonObject, number])[] = [
    ['sampling/createMessage', { messages: [] }, -32601],
    ['tasks/list', {}, -32601],
    ['elicitation/create', { mode: 'voice', message: 'm' }, -32602],
    ['elicitation/create', {}, -32602],
  ];
  for (const [method, params, code] of refused)
    it(`refuses ${method} ${JSON.stringify(params)} without asking anybody`, async () => {
      const session = await open();
      session.peer.deliver({ jsonrpc: '2.0', id: 1, method, params });
      await settle();
      const [answer] = answers(session);
      assert.ok(answer !== undefined && 'error' in answer);
      assert.deepEqual([answer.error.code, session.asked.length], [code, 0]);
    });

  it('asks once for an id that comes twice', async () => {
    const session = await open();
    for (let time = 0; time < 2; time++)
      session.peer.deliver({ jsonrpc: '2.0', id: 1, method: 'roots/list' });
    await settle();
    assert.equal(session.asked.length, 1);
  });

  it('refuses a flood of questions', async () => {
    const session = await open();
    for (let id = 0; id < 70; id++) session.peer.deliver({ jsonrpc: '2.0', id, method: 'roots/list' });
    await settle();
    assert.deepEqual([session.asked.length, answers(session).length], [64, 6]);
  });

  it('drops a question that the server takes back, and says nothing', async () => {
    const session = await open();
    session.peer.deliver({ jsonrpc: '2.0', id: 5, method: 'elicitation/create', params: form });
    await settle();
    session.peer.notify('notifications/cancelled', { requestId: 5 });
    await settle();
    assert.deepEqual([session.asked[0]?.context.signal.aborted, answers(session)], [true, []]);
  });

  it('drops a question with the call that it belongs to, or with the connection', async () => {
    const abort = new AbortController();
    const session = await open();
    const outcome = ending(
      session.client.callTool({ name: 'a', arguments: {} }, { callId: 'c', signal: abort.signal }),
    );
    session.peer.deliver({ jsonrpc: '2.0', id: 5, method: 'elicitation/create', params: form });
    await settle();
    assert.equal(session.asked[0]?.context.callId, 'c');
    abort.abort();
    await settle();
    assert.equal(session.asked[0].context.signal.aborted, true);
    session.peer.deliver({ jsonrpc: '2.0', id: 6, method: 'elicitation/create', params: form });
    await settle();
    session.peer.end(undefined);
    await settle();
    assert.deepEqual(await outcome, { host: 'cancelled' });
    assert.deepEqual(
      session.asked.map(({ context }) => [context.callId, context.signal.aborted]),
      [
        ['c', true],
        [undefined, true],
      ],
    );
    assert.deepEqual(answers(session), []);
  });

  it('knows over HTTP which of several calls asks, and answers on its behalf', async () => {
    const http = await open(
      {
        ...silent,
        'server/discover': (request, peer) => {
          peer.refuse(request, -32600, undefined, { httpStatus: 400 });
          return undefined;
        },
      },
      'streamableHttp',
    );
    const outcomes = ['a', 'b'].map((callId) =>
      ending(http.client.callTool({ name: callId, arguments: {} }, { callId })),
    );
    await settle();
    const [, second] = http.peer.requests.filter(({ method }) => method === 'tools/call');
    assert.ok(second !== undefined);
    http.peer.deliver(
      { jsonrpc: '2.0', id: 1, method: 'elicitation/create', params: form },
      { requestId: second.id },
    );
    await settle();
    http.asked[0]?.answer(accept);
    await settle();
    assert.deepEqual(
      [http.asked[0]?.context.callId, http.peer.sentOptions.at(-1)],
      ['b', { relatedRequestId: second.id }],
    );
    http.peer.end(undefined);
    await Promise.all(outcomes);
  });

  it('stops the clock of the call while a person thinks', async () => {
    const session = await open();
    const outcome = ending(
      session.client.callTool({ name: 'a', arguments: {} }, { callId: 'c', timeoutMs: 1_000 }),
    );
    session.peer.deliver({ jsonrpc: '2.0', id: 5, method: 'elicitation/create', params: form });
    await settle();
    session.clock.advance(3_600_000);
    session.asked[0]?.answer(accept);
    await settle();
    assert.equal(answers(session).length, 1);
    session.clock.advance(1_000);
    assert.deepEqual(await outcome, { host: 'timeout' });
  });
});

describe('requests of modern servers', () => {
  it('are not answered: questions come inside results', async () => {
    const session = await open(modernHandlers);
    session.peer.deliver({ jsonrpc: '2.0', id: 5, method: 'elicitation/create', params: form });
    session.peer.deliver({ jsonrpc: '2.0', id: 6, method: 'ping' });
    await settle();
    assert.deepEqual([session.asked.length, answers(session), session.log.length], [0, [], 2]);
  });
});
