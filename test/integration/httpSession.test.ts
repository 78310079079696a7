import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import type { ClientOptions } from '../../src/client/clientOptions.ts';
import { connectClient } from '../../src/client/connectClient.ts';
import type { ConnectedClient } from '../../src/client/connectedClient.ts';
import { httpSource } from '../../src/client/transportSources.ts';
import { assertAllConform, checked } from '../helpers/checkedTransport.ts';
import { ending } from '../helpers/errors.ts';
import {
  event,
  json,
  type Received,
  result,
  type ScriptedServer,
  startServer,
  stream,
} from '../helpers/httpServer.ts';
import { describe, it } from '../helpers/nodeTest.ts';
import { until } from '../helpers/processes.ts';

/* Sessions of the legacy era that get lost while much is going on. */

interface Fake {
  readonly server: ScriptedServer;
  /** The ids of all sessions, in order. */
  readonly sessions: readonly string[];
  /** From now on no session is known. */
  forget(): void;
  /** How often a call was carried out. */
  readonly done: readonly string[];
}

interface FakeOptions {
  /** How the n-th greeting is answered, if not well; counted from 1. */
  readonly greet?: (response: ServerResponse, count: number) => boolean;
  /** How a call without its session is refused. */
  readonly refuse?: (response: ServerResponse, request: Received) => void | Promise<void>;
  readonly call?: (request: Received, response: ServerResponse) => void | Promise<void>;
  readonly remove?: (response: ServerResponse) => void;
}

async function startFake(options: FakeOptions): Promise<Fake> {
  const sessions: string[] = [];
  const done: string[] = [];
  let known: string | undefined;
  let greetings = 0;
  const server = await startServer(async (request, response) => {
    if (request.method === 'GET') return void response.writeHead(405).end();
    if (request.method === 'DELETE') {
      if (options.remove === undefined) response.writeHead(200).end();
      else options.remove(response);
      return;
    }
    const method = request.json?.['method'];
    if (method === 'server/discover') return void response.writeHead(400).end();
    if (method === 'initialize') {
      greetings++;
      if (options.greet?.(response, greetings) === true) return;
      known = `session-${sessions.length + 1}`;
      sessions.push(known);
      response.setHeader('mcp-session-id', known);
      const serverInfo = { name: 's', version: '1' };
      return json(
        response,
        result(request, { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo }),
      );
    }
    const id = request.headers['mcp-session-id'];
    if (id === undefined) {
      const error = { code: -32000, message: 'Bad Request: Mcp-Session-Id header is required' };
      return json(response, { jsonrpc: '2.0', id: null, error }, 400);
    }
    if (id !== known) {
      await options.refuse?.(response, request);
      return void response.writeHead(404).end();
    }
    // Answers of ours are never accepted: a test is about how many of them may wait.
    if (request.json?.['result'] !== undefined) return;
    if (request.json?.['id'] === undefined) return void response.writeHead(202).end();
    if (options.call !== undefined) return options.call(request, response);
    done.push(known);
    json(response, result(request, { content: [] }));
  });
  return { server, sessions, done, forget: () => (known = undefined) };
}

async function use(
  options: FakeOptions,
  run: (client: ConnectedClient, fake: Fake, log: readonly string[]) => Promise<void>,
  overrides: Partial<ClientOptions> = {},
): Promise<void> {
  const fake = await startFake(options);
  const { source, sent } = checked(httpSource({ url: fake.server.url, limits: { closeMs: 100 } }));
  const log: string[] = [];
  try {
    const client = await connectClient(
      {
        transports: source,
        clientInfo: { name: 'test', version: '1' },
        capabilities: {},
        inputHandler: () => Promise.resolve({ kind: 'refused', code: -1, message: 'not expected' }),
        log: ({ text }) => log.push(text),
        ...overrides,
      },
      AbortSignal.timeout(20_000),
    );
    try {
      await until(() => requests(fake, 'notifications/initialized') === 1);
      await run(client, fake, log);
    } finally {
      await client.close();
    }
  } finally {
    await fake.server.close();
  }
  assertAllConform(sent);
}

const requests = ({ server }: Fake, method: string): number =>
  server.received.filter(({ json: body }) => body?.['method'] === method).length;
const call = { name: 'tool', arguments: {} };
const empty = { content: [], isError: false };

describe('a legacy session', () => {
  it('lost under many calls at once is renewed once, and each call is carried out once', () =>
    use({}, async (client, fake) => {
      fake.forget();
      const results = await Promise.all(Array.from({ length: 20 }, () => client.callTool(call)));
      assert.deepEqual(
        [results, fake.sessions, fake.done],
        [
          Array.from({ length: 20 }, () => empty),
          ['session-1', 'session-2'],
          Array.from({ length: 20 }, () => 'session-2'),
        ],
      );
    }));

  it('is not renewed again for news about the old one that comes late', async () => {
    const late = Promise.withResolvers<void>();
    let refusals = 0;
    await use({ refuse: () => (++refusals === 1 ? late.promise : undefined) }, async (client, fake) => {
      fake.forget();
      const slow = client.callTool(call);
      await until(() => refusals === 1);
      // The second call finds out first, and the session is renewed for it.
      assert.deepEqual(await client.callTool(call), empty);
      late.resolve();
      assert.deepEqual([await slow, fake.sessions], [empty, ['session-1', 'session-2']]);
    });
  });

  it('is waited for by calls that begin while it is renewed', async () => {
    const held = Promise.withResolvers<void>();
    const greet: NonNullable<FakeOptions['greet']> = (response, count) => {
      if (count !== 2) return false;
      void held.promise.then(() => {
        response.setHeader('mcp-session-id', 'never-known');
        response.writeHead(503).end();
      });
      return true;
    };
    await use({ greet }, async (client, fake) => {
      fake.forget();
      const first = ending(client.callTool(call));
      await until(() => requests(fake, 'initialize') === 2);
      const second = ending(client.callTool(call));
      held.resolve();
      assert.deepEqual([await first, await second], [{ host: 'httpStatus' }, { host: 'httpStatus' }]);
      // The greeting failed. Nothing may go out without a session: the next call begins with another one.
      assert.deepEqual([await client.callTool(call), fake.sessions], [empty, ['session-1', 'session-2']]);
    });
  });

  it('that is lost again and again ends the call, and the next one tries anew', async () => {
    let loses = true;
    await use(
      {
        call: (request, response) => {
          if (loses) response.writeHead(404).end();
          else json(response, result(request, { content: [] }));
        },
      },
      async (client, fake) => {
        assert.deepEqual(await ending(client.callTool(call)), { host: 'sessionExpired' });
        loses = false;
        assert.deepEqual(await client.callTool(call), empty);
        assert.deepEqual(fake.sessions, ['session-1', 'session-2']);
      },
    );
  });

  it('ends even if the server never says so', async () => {
    const started = performance.now();
    await use({ remove: () => undefined }, async (client) => {
      await client.callTool(call);
    });
    assert.ok(performance.now() - started < 20_000);
  });

  it('cannot make us owe any number of answers', () =>
    use(
      {
        call: (request, response) => {
          stream(response);
          for (let id = 0; id < 5_000; id++)
            response.write(event({ jsonrpc: '2.0', id: `ping-${id}`, method: 'ping' }));
          response.end(event(result(request, { content: [] })));
        },
      },
      async (client, fake, log) => {
        assert.deepEqual(await client.callTool(call), empty);
        const answers = (): number =>
          fake.server.received.filter(({ json: body }) => body?.['result'] !== undefined).length;
        await until(() => answers() > 0 && log.some((text) => text.includes('asks faster')));
        assert.ok(answers() <= 256, `${answers()} answers`);
      },
    ));
});
