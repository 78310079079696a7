import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { NodeStreamableHTTPServerTransport, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, type EventStore, Server } from '@modelcontextprotocol/server';

export interface Peer {
  readonly url: string;
  /** Sessions that it keeps now. */
  readonly sessions: () => number;
  readonly close: () => Promise<void>;
}

/** A server with tools that behave in ways a transport has to cope with. */
function toolServer(): Server {
  const capabilities = { tools: { listChanged: true }, logging: {} };
  const server = new Server({ name: 'peer', version: '1.0.0' }, { capabilities });
  const inputSchema = { type: 'object' } as const;
  server.setRequestHandler('tools/list', () => ({
    tools: ['echo', 'progress', 'ask', 'interrupted'].map((name) => ({ name, inputSchema })),
  }));
  server.setRequestHandler('tools/call', async (request, context) => {
    const { name, arguments: args } = request.params;
    if (name === 'progress') {
      await context.mcpReq.notify({
        method: 'notifications/progress',
        params: { progressToken: 1, progress: 1 },
      });
    } else if (name === 'ask') {
      const requestedSchema = { type: 'object', properties: { ok: { type: 'boolean' } } } as const;
      const params = { mode: 'form', message: 'May I?', requestedSchema } as const;
      const { action } = await context.mcpReq.send({ method: 'elicitation/create', params });
      return { content: [{ type: 'text', text: action }] };
    } else if (name === 'interrupted') {
      context.http?.closeSSE?.();
    }
    return { content: [{ type: 'text', text: JSON.stringify(args ?? null) }] };
  });
  return server;
}

/** The official server in the modern era, with the legacy era as it offers it without sessions. */
export function startModernPeer(responseMode: 'json' | 'sse' | 'auto' = 'auto'): Promise<Peer> {
  const handler = toNodeHandler(createMcpHandler(toolServer, { responseMode }));
  return listen((request, response) => handler(request as Parameters<typeof handler>[0], response));
}

/** The official server in the legacy era, with sessions and, given a store, streams that can be resumed. */
export function startLegacyPeer(options: { resumable?: boolean; json?: boolean } = {}): Promise<Peer> {
  const sessions = new Map<string, NodeStreamableHTTPServerTransport>();
  return listen(async (request, response) => {
    const id = request.headers['mcp-session-id'];
    const known = typeof id === 'string' ? sessions.get(id) : undefined;
    if (id !== undefined && known === undefined) return void response.writeHead(404).end();
    if (known !== undefined) return known.handleRequest(request, response);
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (sessionId) => void sessions.set(sessionId, transport),
      onsessionclosed: (sessionId) => void sessions.delete(sessionId),
      enableJsonResponse: options.json === true,
      ...(options.resumable === true ? { eventStore: memoryStore(), retryInterval: 30 } : undefined),
    });
    await toolServer().connect(transport);
    await transport.handleRequest(request, response);
  }, sessions);
}

function memoryStore(): EventStore {
  const events: { id: string; streamId: string; message: Parameters<EventStore['storeEvent']>[1] }[] = [];
  return {
    storeEvent(streamId, message) {
      const id = `${streamId}/${events.length}`;
      events.push({ id, streamId, message });
      return Promise.resolve(id);
    },
    async replayEventsAfter(lastId, { send }) {
      const last = events.findIndex(({ id }) => id === lastId);
      const streamId = events[last]?.streamId ?? '';
      for (const entry of events.slice(last + 1)) {
        if (entry.streamId === streamId && 'jsonrpc' in entry.message) await send(entry.id, entry.message);
      }
      return streamId;
    },
  };
}

async function listen(
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  sessions: ReadonlyMap<string, unknown> = new Map(),
): Promise<Peer> {
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', () => resolve()));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    sessions: () => sessions.size,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The published reference server over one of its HTTP transports. */
export async function startEverything(mode: 'streamableHttp' | 'sse'): Promise<Peer> {
  const free = await listen(() => Promise.resolve());
  const { origin, port } = new URL(free.url);
  await free.close();
  const main = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'));
  const env = { ...process.env, PORT: port };
  const child: ChildProcess = spawn(process.execPath, [main, mode], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const started = Promise.withResolvers<void>();
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.toString('utf8');
    if (said.includes(port)) started.resolve();
  });
  child.once('exit', () => started.reject(new Error(`The server ended: ${said}`)));
  await started.promise;
  return {
    url: `${origin}${mode === 'sse' ? '/sse' : '/mcp'}`,
    sessions: () => Number.NaN,
    close: async () => {
      if (child.exitCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}
