import { isJsonObject, type JsonObject } from '../../src/base/json.ts';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** One request as it arrived. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The body as a JSON object; undefined if it is none. */
  readonly json: JsonObject | undefined;
  /** Resolves when the client has gone away before the reply ended. */
  readonly gone: Promise<void>;
}

export interface ScriptedServer {
  readonly url: string;
  readonly origin: string;
  readonly received: readonly Received[];
  /** Connections that are open now. */
  readonly connections: () => number;
  /** Breaks all connections. */
  readonly cut: () => void;
  readonly close: () => Promise<void>;
}

export type Script = (request: Received, response: ServerResponse) => void | Promise<void>;

/** A loopback HTTP server that answers as the script says. */
export async function startServer(script: Script, host: string = '127.0.0.1'): Promise<ScriptedServer> {
  const received: Received[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      const entry: Received = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body,
        json: objectIn(body),
        gone: new Promise((resolve) => {
          response.once('close', () => {
            if (!response.writableFinished) resolve();
          });
        }),
      };
      received.push(entry);
      void script(entry, response);
    });
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => void server.listen(0, host, () => resolve()));
  const { port } = server.address() as AddressInfo;
  const origin = host.includes(':') ? `http://[${host}]:${port}` : `http://${host}:${port}`;
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `${origin}/mcp`,
    origin,
    received,
    connections: () => sockets.size,
    cut,
    close: async () => {
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
      cut();
      await closed;
    },
  };
}

function objectIn(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Answers with one JSON body. */
export function json(response: ServerResponse, value: unknown, status: number = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

/** Begins an event stream. */
export function stream(response: ServerResponse, headers: Record<string, string> = {}): ServerResponse {
  response.writeHead(200, { 'content-type': 'text/event-stream', ...headers });
  response.flushHeaders();
  return response;
}

/** One event with a JSON-RPC message. */
export function event(value: unknown, id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: message\ndata: ${JSON.stringify(value)}\n\n`;
}

/** A successful response to a request. */
export function result(request: Received, value: unknown = {}): unknown {
  return { jsonrpc: '2.0', id: request.json?.['id'], result: value };
}

/** Waits for a condition; fails when it does not come true. */
export async function until(condition: () => boolean): Promise<void> {
  const end = performance.now() + 60_000;
  while (!condition()) {
    if (performance.now() > end) throw new Error(`Not in time: ${condition.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
