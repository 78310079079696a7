import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { NodeStreamableHTTPServerTransport, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { buildOfficialServer, type Shelf } from './officialServer.ts';

export interface OfficialHttp {
  readonly url: string;
  /** Forgets all sessions of the legacy era, as after a restart. */
  readonly forget: () => void;
  readonly close: () => Promise<void>;
}

/** The official server over streamable HTTP: stateless and modern, or with sessions and legacy. */
export async function startOfficialHttp(era: 'modern' | 'legacy'): Promise<OfficialHttp> {
  const shelf: Shelf = { grown: [], cancelled: [], announce: (server) => server.sendToolListChanged() };
  const sessions = new Map<string, NodeStreamableHTTPServerTransport>();
  const handler = createMcpHandler((context) => buildOfficialServer(context, shelf), { legacy: 'reject' });
  if (era === 'modern') {
    shelf.announce = () => {
      handler.notify.toolsChanged();
      return Promise.resolve();
    };
  }
  const modern = toNodeHandler(handler);
  const legacy = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const id = request.headers['mcp-session-id'];
    const known = typeof id === 'string' ? sessions.get(id) : undefined;
    if (id !== undefined && known === undefined) return void response.writeHead(404).end();
    if (known !== undefined) return known.handleRequest(request, response);
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (sessionId) => void sessions.set(sessionId, transport),
    });
    await buildOfficialServer(undefined, shelf).connect(transport);
    await transport.handleRequest(request, response);
  };
  const server = createServer((request, response) => {
    if (era === 'legacy') void legacy(request, response);
    else void modern(request as Parameters<typeof modern>[0], response);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', () => resolve()));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    forget: () => sessions.clear(),
    close: async () => {
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}
