import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Pool } from 'undici';
import type { TransportSource } from '../../src/client/clientOptions.ts';
import { connectClient } from '../../src/client/connectClient.ts';
import { httpSource, stdioSource } from '../../src/client/transportSources.ts';
import { noLimits } from '../../src/policy/limits.ts';
import { compilePolicy } from '../../src/policy/policy.ts';
import { startRoad } from '../helpers/road.ts';

/** One side of the comparison, connected and ready. */
export interface Contender {
  /** One call of a tool. */
  readonly call: () => Promise<unknown>;
  /** All tools; resolves with their number. */
  readonly list: () => Promise<number>;
  readonly close: () => Promise<void>;
}

export interface Contenders {
  /** The whole road: catalogue, schema, policy, record, and our client. */
  readonly road: Contender;
  /** Our client alone. */
  readonly ours: Contender;
  readonly peer: Contender;
  readonly limit: Contender;
}

const stdioServer = fileURLToPath(new URL('stdioServer.ts', import.meta.url));
const httpServer = fileURLToPath(new URL('httpServer.ts', import.meta.url));
const args = { query: 'what', limit: 10 };
const info = { name: 'bench', version: '1' };
const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': info,
  'io.modelcontextprotocol/clientCapabilities': {},
};

async function road(server: object): Promise<Contender> {
  const road = await startRoad({ servers: { bench: server }, bare: true });
  await road.running(1);
  const allow = { server: 'bench', tool: '*', decision: 'allow' };
  // The limits would ask a person after so many calls; counting goes on all the same.
  road.gate.policy = compilePolicy({ user: [allow], workspace: [], limits: noLimits });
  let turn = 0;
  return {
    call: async () => {
      const { outcome } = await road.calls.invoke({
        caller: { kind: 'chat', label: 'bench', turn: `turn ${++turn}` },
        target: { kind: 'tool', serverId: 'bench', toolName: 'tool_1' },
        arguments: args,
      });
      if (outcome.kind !== 'completed') throw new Error(`The road ended with "${outcome.kind}".`);
    },
    list: async () => {
      const [bench] = road.manager.servers;
      await bench?.refreshTools();
      // What the catalogue does with the list belongs to it, and must not burden the next one measured.
      await road.settled();
      return bench?.tools.tools.length ?? 0;
    },
    close: () => road.close(),
  };
}

async function ours(transports: TransportSource): Promise<Contender> {
  const client = await connectClient(
    {
      transports,
      clientInfo: info,
      capabilities: {},
      inputHandler: () => Promise.resolve({ kind: 'refused', code: -1, message: '' }),
    },
    AbortSignal.timeout(20_000),
  );
  return {
    call: () => client.callTool({ name: 'tool_1', arguments: args }),
    list: async () => (await client.listTools({ refresh: true })).tools.length,
    close: () => client.close(),
  };
}

async function peer(
  transport: ConstructorParameters<typeof StdioClientTransport>[0] | URL,
): Promise<Contender> {
  // Without this the official client would speak the legacy era.
  const client = new Client(info, { versionNegotiation: { mode: 'auto' } });
  await client.connect(
    transport instanceof URL
      ? new StreamableHTTPClientTransport(transport)
      : new StdioClientTransport(transport),
  );
  return {
    call: () => client.callTool({ name: 'tool_1', arguments: args }),
    list: async () => (await client.listTools()).tools.length,
    close: () => client.close(),
  };
}

/** The same messages as ours, written and read by hand. */
function requestText(id: number, method: string, params: object): string {
  return JSON.stringify({
    jsonrpc: '2.0',
    id,
    method,
    params: { ...params, _meta: { ...meta, progressToken: id } },
  });
}

interface RawPage {
  readonly tools: readonly unknown[];
  readonly nextCursor?: string;
}

type Ask = (method: string, params: object) => Promise<unknown>;

function rawContender(ask: Ask, close: () => Promise<void>): Contender {
  return {
    call: () => ask('tools/call', { name: 'tool_1', arguments: args }),
    list: async () => {
      let count = 0;
      let cursor: string | undefined;
      do {
        const page = (await ask('tools/list', cursor === undefined ? {} : { cursor })) as RawPage;
        count += page.tools.length;
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      return count;
    },
    close,
  };
}

function limitStdio(serverArgs: readonly string[]): Contender {
  const child: ChildProcessByStdio<Writable, Readable, null> = spawn(process.execPath, serverArgs, {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const waiting = new Map<number, (result: unknown) => void>();
  let id = 0;
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const answer = JSON.parse(line) as { id: number; result: unknown };
      waiting.get(answer.id)?.(answer.result);
      waiting.delete(answer.id);
    }
  });
  const ask: Ask = (method, params) =>
    new Promise((resolve) => {
      waiting.set(++id, resolve);
      child.stdin.write(`${requestText(id, method, params)}\n`);
    });
  return rawContender(ask, async () => {
    child.stdin.end();
    await once(child, 'exit');
  });
}

function limitHttp(url: URL): Contender {
  const pool = new Pool(url.origin);
  let id = 0;
  const ask: Ask = async (method, params) => {
    const { body } = await pool.request({
      path: url.pathname,
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: requestText(++id, method, params),
    });
    const text = await body.text();
    const json = text.startsWith('{') ? text : text.slice(text.indexOf('data: ') + 6);
    return (JSON.parse(json) as { result: unknown }).result;
  };
  return rawContender(ask, () => pool.close());
}

/** Everybody with a stdio server of their own. */
export async function stdioContenders(tools: number): Promise<Contenders> {
  const server = { command: process.execPath, args: [stdioServer, String(tools)] };
  return {
    road: await road(server),
    ours: await ours(stdioSource({ ...server, env: {}, cwd: process.cwd() })),
    peer: await peer(server),
    limit: limitStdio(server.args),
  };
}

/** Everybody with connections of their own to one HTTP server. */
export async function httpContenders(
  mode: 'json' | 'sse',
): Promise<Contenders & { readonly stop: () => void }> {
  const child = spawn(process.execPath, [httpServer, mode, '10'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  const url = new URL(`http://127.0.0.1:${Number(port.toString('utf8'))}/mcp`);
  return {
    road: await road({ url: url.href }),
    ours: await ours(httpSource({ url: url.href })),
    peer: await peer(url),
    limit: limitHttp(url),
    stop: () => child.kill(),
  };
}
