import assert from 'node:assert/strict';
import { RpcError } from '../../../src/base/errors.ts';
import type { JsonObject } from '../../../src/base/json.ts';
import type { ClientOptions } from '../../../src/client/clientOptions.ts';
import { runInputRounds } from '../../../src/client/inputRounds.ts';
import type { InputContext, InputHandler } from '../../../src/client/mcpClient.ts';
import type { InputRequest, InputResponse } from '../../../src/protocol/model.ts';
import { ModernCodec } from '../../../src/protocol/wire/modern.ts';
import type { JsonRpcRequest } from '../../../src/transport/transport.ts';
import { ManualClock } from '../../helpers/manualClock.ts';
import { messageProblems } from '../../helpers/officialSchema.ts';
import { ending } from '../../helpers/errors.ts';
import { describe, it } from '../../helpers/nodeTest.ts';
import {
  connectPeer,
  type Handlers,
  modernHandlers,
  ownParams,
  peerWith,
  type Session,
} from '../../helpers/peerServer.ts';
import { settle } from '../../helpers/peerTransport.ts';

const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } };
const form = { method: 'elicitation/create', params: { message: 'Who?', requestedSchema } };
const url = {
  method: 'elicitation/create',
  params: { mode: 'url', message: 'Go', url: 'https://example.com/' },
};
const sampling = { method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } };
const roots = { method: 'roots/list' };
const required = (inputRequests?: JsonObject, requestState?: string): JsonObject => ({
  resultType: 'input_required',
  ...(inputRequests === undefined ? undefined : { inputRequests }),
  ...(requestState === undefined ? undefined : { requestState }),
});
const done: JsonObject = { resultType: 'complete', content: [{ type: 'text', text: 'done' }] };
const result = { content: [{ type: 'text', text: 'done' }], isError: false };

const declared: Partial<ClientOptions> = {
  capabilities: { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} },
};

/** Answers each kind of question with something that can be told apart. */
const helpful: InputHandler = (request) =>
  Promise.resolve(
    ((): InputResponse => {
      switch (request.kind) {
        case 'elicitationForm':
          return { kind: 'elicitation', action: 'accept', content: { name: request.message } };
        case 'elicitationUrl':
          return { kind: 'elicitation', action: 'accept' };
        case 'sampling':
          return {
            kind: 'sampling',
            result: { role: 'assistant', model: 'm', content: { type: 'text', text: 't' } },
          };
        case 'roots':
          return { kind: 'roots', roots: [{ uri: 'file:///w' }] };
      }
    })(),
  );

async function session(call: Handlers[string], overrides: Partial<ClientOptions> = {}): Promise<Session> {
  const peer = peerWith({
    ...modernHandlers,
    'tools/call': call,
    'resources/read': call,
    'prompts/get': call,
  });
  return connectPeer(peer, { ...declared, inputHandler: helpful, ...overrides });
}

/** A peer that gives one result after the other. */
function inOrder(...results: readonly JsonObject[]): Handlers[string] {
  let next = 0;
  return () => results[Math.min(next++, results.length - 1)];
}

const calls = ({ peer }: Session): readonly JsonRpcRequest[] =>
  peer.requests.filter(({ method }) => method !== 'server/discover');
const call = { name: 'tool', arguments: { a: [1, { b: null }] } };

interface Row {
  readonly name: string;
  readonly rounds: readonly JsonObject[];
  /** What the retries carry beside the original parameters. */
  readonly retries: readonly JsonObject[];
  readonly expected?: unknown;
  readonly handler?: InputHandler;
  readonly maxRounds?: number;
}

const rows: readonly Row[] = [
  {
    name: 'a form with state',
    rounds: [required({ who: form }, 's1'), done],
    retries: [
      { inputResponses: { who: { action: 'accept', content: { name: 'Who?' } } }, requestState: 's1' },
    ],
  },
  {
    name: 'a form without state sends no state',
    rounds: [required({ who: form }), done],
    retries: [{ inputResponses: { who: { action: 'accept', content: { name: 'Who?' } } } }],
  },
  {
    name: 'every kind at once, under its own key',
    rounds: [required({ f: form, u: url, s: sampling, __proto__x: roots }), done],
    retries: [
      {
        inputResponses: {
          f: { action: 'accept', content: { name: 'Who?' } },
          u: { action: 'accept' },
          s: { role: 'assistant', model: 'm', content: { type: 'text', text: 't' } },
          __proto__x: { roots: [{ uri: 'file:///w' }] },
        },
      },
    ],
  },
  {
    name: 'several rounds, each with its own state only',
    rounds: [required({ a: form }, 's1'), required({ b: roots }), required({ c: form }, 's3'), done],
    retries: [
      { inputResponses: { a: { action: 'accept', content: { name: 'Who?' } } }, requestState: 's1' },
      { inputResponses: { b: { roots: [{ uri: 'file:///w' }] } } },
      { inputResponses: { c: { action: 'accept', content: { name: 'Who?' } } }, requestState: 's3' },
    ],
  },
  {
    name: 'state that looks like anything, byte for byte',
    rounds: [required({ a: roots }, ' {"é": "\\n\u2028\u0000\ud83d"} '), done],
    retries: [
      {
        inputResponses: { a: { roots: [{ uri: 'file:///w' }] } },
        requestState: ' {"é": "\\n\u2028\u0000\ud83d"} ',
      },
    ],
  },
  ...(['decline', 'cancel'] as const).map((action): Row => ({
    name: `a person who says ${action}: the server hears of it`,
    rounds: [required({ who: form }, 's'), done],
    handler: () => Promise.resolve({ kind: 'elicitation', action }),
    retries: [{ inputResponses: { who: { action } }, requestState: 's' }],
  })),
  {
    name: 'a refusal ends the call',
    rounds: [required({ who: form }), done],
    handler: () => Promise.resolve({ kind: 'refused', code: -1, message: 'no' }),
    retries: [],
    expected: { host: 'inputRefused' },
  },
  {
    name: 'a handler that throws is a refusal',
    rounds: [required({ who: form }), done],
    handler: () => Promise.reject(new Error('broken')),
    retries: [],
    expected: { host: 'inputRefused' },
  },
  {
    name: 'an answer to another question is a refusal',
    rounds: [required({ who: form }), done],
    handler: () => Promise.resolve({ kind: 'roots', roots: [] }),
    retries: [],
    expected: { host: 'inputRefused' },
  },
  {
    name: 'as many rounds as are allowed',
    rounds: [required({ a: roots }), required({ a: roots }), done],
    maxRounds: 2,
    retries: [
      { inputResponses: { a: { roots: [{ uri: 'file:///w' }] } } },
      { inputResponses: { a: { roots: [{ uri: 'file:///w' }] } } },
    ],
  },
  {
    name: 'one round too many',
    rounds: [required({ a: roots })],
    maxRounds: 1,
    retries: [{ inputResponses: { a: { roots: [{ uri: 'file:///w' }] } } }],
    expected: { host: 'tooManyRounds' },
  },
  {
    name: 'an unknown question',
    rounds: [required({ a: { method: 'x' } })],
    retries: [],
    expected: { host: 'protocolViolation' },
  },
  {
    name: 'an unknown type of result',
    rounds: [{ resultType: 'x' }],
    retries: [],
    expected: { host: 'protocolViolation' },
  },
];

describe('input rounds', () => {
  for (const row of rows)
    it(row.name, async () => {
      const overrides: Partial<ClientOptions> = {
        ...(row.handler === undefined ? undefined : { inputHandler: row.handler }),
        maxRounds: () => row.maxRounds ?? 10,
      };
      const open = await session(inOrder(...row.rounds), overrides);
      const outcome = await ending(open.client.callTool(call));
      const sent = calls(open);
      assert.deepEqual(
        [outcome, sent.map(ownParams)],
        [row.expected ?? result, [call, ...row.retries.map((retry) => ({ ...call, ...retry }))]],
      );
      assert.equal(new Set(sent.map(({ id }) => id)).size, sent.length);
      assert.deepEqual(
        sent.flatMap((message) => messageProblems(message, 'modern')),
        [],
      );
    });

  it('takes the number of rounds as it is when the call asks', async () => {
    let rounds = 1;
    const open = await session(inOrder(required({ a: roots })), { maxRounds: () => rounds });
    const asked = async (): Promise<number> => {
      const before = calls(open).length;
      assert.deepEqual(await ending(open.client.callTool(call)), { host: 'tooManyRounds' });
      return calls(open).length - before;
    };
    assert.equal(await asked(), 2);
    rounds = 4;
    assert.equal(await asked(), 5);
  });

  it('sends nothing more once all the time is used up', async () => {
    let sent = 0;
    const rounds = runInputRounds({
      method: 'tools/call',
      params: {},
      first: { kind: 'result', result: required({ a: roots }) },
      codec: new ModernCodec({
        version: '2026-07-28',
        clientInfo: { name: 'test', version: '1' },
        capabilities: { roots: {} },
      }),
      handler: helpful,
      clock: new ManualClock(),
      callId: undefined,
      signal: undefined,
      ended: new AbortController().signal,
      maxRounds: 10,
      maxTimeoutMs: 0,
      send: () => Promise.resolve({ sent: ++sent }),
      recover: () => Promise.resolve(false),
    });
    assert.deepEqual([await ending(rounds), sent], [{ host: 'timeout' }, 0]);
  });

  it('stops after ten rounds if nothing else is said', async () => {
    const open = await session(inOrder(required({ a: roots })));
    assert.deepEqual(await ending(open.client.callTool(call)), { host: 'tooManyRounds' });
    assert.equal(calls(open).length, 11);
  });

  it('waits longer and longer when only state comes back', async () => {
    const open = await session(
      inOrder(required(undefined, 'a'), required({}, 'b'), required(undefined, 'c'), done),
    );
    const outcome = open.client.callTool(call);
    const counts: number[] = [];
    for (const wait of [0, 199, 1, 399, 1, 799, 1]) {
      open.clock.advance(wait);
      await settle();
      counts.push(calls(open).length);
    }
    assert.deepEqual(await outcome, result);
    assert.deepEqual(counts, [1, 1, 2, 2, 3, 3, 4]);
    assert.deepEqual(
      calls(open).map((message) => ownParams(message)['requestState']),
      [undefined, 'a', 'b', 'c'],
    );
    assert.deepEqual(
      calls(open).filter((message) => 'inputResponses' in ownParams(message)),
      [],
    );
  });

  it('works for resources and prompts too', async () => {
    const contents = { resultType: 'complete', contents: [{ uri: 'a:1', text: 'x' }] };
    const reading = await session(inOrder(required({ a: roots }, 's'), contents));
    assert.deepEqual(await reading.client.readResource('a:1'), { contents: contents.contents });
    const inputResponses = { a: { roots: [{ uri: 'file:///w' }] } };
    assert.deepEqual(calls(reading).map(ownParams), [
      { uri: 'a:1' },
      { uri: 'a:1', inputResponses, requestState: 's' },
    ]);
    const prompting = await session(
      inOrder(required({ a: roots }), { resultType: 'complete', messages: [] }),
    );
    assert.deepEqual(await prompting.client.getPrompt({ name: 'p', arguments: { x: '1' } }), {
      messages: [],
    });
    assert.deepEqual(calls(prompting).map(ownParams), [
      { name: 'p', arguments: { x: '1' } },
      { name: 'p', arguments: { x: '1' }, inputResponses },
    ]);
  });

  it('refuses questions where none may be asked', async () => {
    const peer = peerWith({ ...modernHandlers, 'tools/list': () => required({ a: roots }) });
    const { client } = await connectPeer(peer, declared);
    assert.deepEqual(await ending(client.listTools()), { host: 'protocolViolation' });
  });

  it('never mixes the state and answers of parallel calls', async () => {
    const waiting: (() => void)[] = [];
    const open = await session(
      (request) => {
        const { arguments: args, requestState, inputResponses } = ownParams(request);
        return requestState === undefined
          ? required(
              { q: { ...form, params: { ...form.params, message: JSON.stringify(args) } } },
              JSON.stringify(args),
            )
          : {
              resultType: 'complete',
              content: [],
              structuredContent: { args, requestState, inputResponses } as JsonObject,
            };
      },
      {
        inputHandler: async (request) => {
          await new Promise<void>((resolve) => waiting.push(resolve));
          return helpful(request, {} as InputContext);
        },
      },
    );
    const results = Array.from({ length: 20 }, (_, index) =>
      open.client.callTool({ name: 'tool', arguments: { index } }),
    );
    await settle();
    // Answered in the opposite order.
    for (const resume of waiting.toReversed()) {
      resume();
      await settle();
    }
    for (const [index, { structuredContent }] of (await Promise.all(results)).entries()) {
      const text = JSON.stringify({ index });
      assert.deepEqual(structuredContent, {
        args: { index },
        requestState: text,
        inputResponses: { q: { action: 'accept', content: { name: text } } },
      });
    }
  });

  it('tells the handler which call asks, and takes the question back with the call', async () => {
    const contexts: [InputRequest, InputContext][] = [];
    const open = await session(inOrder(required({ k: form }), done), {
      inputHandler: (request, context) => {
        contexts.push([request, context]);
        return new Promise((_resolve, reject) => {
          context.signal.addEventListener('abort', () => reject(context.signal.reason as Error));
        });
      },
    });
    const abort = new AbortController();
    const outcome = ending(open.client.callTool(call, { callId: 'c1', signal: abort.signal }));
    await settle();
    abort.abort();
    assert.deepEqual(await outcome, { host: 'cancelled' });
    assert.deepEqual(
      contexts.map(([request, { key, callId, signal }]) => [request.kind, key, callId, signal.aborted]),
      [['elicitationForm', 'k', 'c1', true]],
    );
    assert.equal(calls(open).length, 1);
  });

  it('takes all questions back when one of them is refused, or the server is gone', async () => {
    for (const end of ['refused', 'gone']) {
      const signals: AbortSignal[] = [];
      const open = await session(inOrder(required({ a: form, b: url }), done), {
        inputHandler: (request, { signal }) => {
          signals.push(signal);
          if (request.kind === 'elicitationUrl' && end === 'refused')
            return Promise.resolve({ kind: 'refused', code: -1, message: 'no' });
          return new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason as Error));
          });
        },
      });
      const outcome = ending(open.client.callTool(call));
      await settle();
      if (end === 'gone') open.peer.end(undefined);
      assert.deepEqual(await outcome, { host: end === 'gone' ? 'closed' : 'inputRefused' });
      assert.deepEqual(
        signals.map(({ aborted }) => aborted),
        [true, true],
      );
    }
  });

  it('counts only the time of the server against the limit of the call', async () => {
    let asked = 0;
    const open: Session = await session(
      (request) => {
        if ('requestState' in ownParams(request)) return undefined;
        open.clock.advance(1_000);
        return required({ a: form }, 's');
      },
      {
        inputHandler: async (request, context) => {
          asked++;
          open.clock.advance(3_600_000);
          return helpful(request, context);
        },
      },
    );
    const outcome = ending(open.client.callTool(call, { timeoutMs: 10_000, maxTimeoutMs: 5_000 }));
    await settle();
    open.clock.advance(3_999);
    await settle();
    assert.deepEqual([asked, calls(open).length], [1, 2]);
    open.clock.advance(1);
    assert.deepEqual(await outcome, { host: 'timeout' });
  });
});

describe('pages to visit before a call (2025-11-25)', () => {
  const elicitations = [
    { mode: 'url', elicitationId: 'e1', url: 'https://example.com/1', message: 'one' },
    { mode: 'url', elicitationId: 'e2', url: 'https://example.com/2', message: 'two' },
  ];
  const handlers = (data: JsonObject): Handlers => {
    let first = true;
    return {
      initialize: () => ({
        protocolVersion: '2025-11-25',
        capabilities: {},
        serverInfo: { name: 's', version: '1' },
      }),
      'tools/call': (request, peer) => {
        if (!first) return { content: [{ type: 'text', text: 'done' }] };
        first = false;
        peer.refuse(request, -32042, data);
        return undefined;
      },
    };
  };

  it('calls again when all are finished with, which the handler is asked for', async () => {
    const seen: (readonly [InputRequest, InputContext['retries']])[] = [];
    const finish: (() => void)[] = [];
    const open = await connectPeer(peerWith(handlers({ elicitations })), {
      ...declared,
      inputHandler: async (request, context) => {
        seen.push([request, context.retries]);
        await new Promise<void>((resolve) => {
          finish.push(resolve);
        });
        return { kind: 'elicitation', action: 'accept' };
      },
    });
    const outcome = open.client.callTool(call);
    await settle();
    finish[0]?.();
    await settle();
    assert.equal(calls(open).filter(({ method }) => method === 'tools/call').length, 1);
    finish[1]?.();
    assert.deepEqual(await outcome, result);
    assert.deepEqual(
      seen,
      elicitations.map(({ elicitationId, url: page, message }) => [
        { kind: 'elicitationUrl', elicitationId, url: page, message },
        true,
      ]),
    );
  });

  it('takes the other pages back when one is refused', async () => {
    const ended: boolean[] = [];
    const open = await connectPeer(peerWith(handlers({ elicitations })), {
      ...declared,
      inputHandler: async (request, { signal }) => {
        if (request.kind === 'elicitationUrl' && request.elicitationId === 'e2')
          return { kind: 'elicitation', action: 'decline' };
        await new Promise<void>((resolve) => {
          signal.addEventListener('abort', () => resolve(), { once: true });
        });
        ended.push(signal.aborted);
        return { kind: 'elicitation', action: 'cancel' };
      },
    });
    await assert.rejects(open.client.callTool(call), (error) => error instanceof RpcError);
    assert.deepEqual(ended, [true]);
  });

  const refusals: readonly (readonly [string, JsonObject, InputHandler])[] = [
    [
      'a person declines',
      { elicitations },
      () => Promise.resolve({ kind: 'elicitation', action: 'decline' }),
    ],
    ['nothing is named', {}, helpful],
    ['a form is named', { elicitations: [{ ...form.params, mode: 'form' }] }, helpful],
    ['one of them is no URL', { elicitations: [elicitations[0] ?? {}, { url: 'x' }] }, helpful],
  ];
  for (const [name, data, inputHandler] of refusals)
    it(`passes the error on when ${name}`, async () => {
      const open = await connectPeer(peerWith(handlers(data)), { ...declared, inputHandler });
      await assert.rejects(
        open.client.callTool(call),
        (error) => error instanceof RpcError && error.code === -32042,
      );
    });
});
