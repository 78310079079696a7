import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { toNodeHandler } from '@modelcontextprotocol/node';
import {
  acceptedContent,
  createMcpHandler,
  fromJsonSchema,
  inputRequired,
  McpServer,
} from '@modelcontextprotocol/server';
import { everythingServer } from './demo.ts';
import { fixturesFolder, makeTempFolder, nodePath, repoRoot } from './paths.ts';

/** A configured stdio server whose input is copied into a file. */
export interface RecordedServer {
  /** The entry for `countersign.servers`. */
  readonly entry: object;
  /** The messages that the server has received so far. */
  received(): readonly Record<string, unknown>[];
  /** The parameters of the `tools/call` requests among them, without `_meta`. */
  calls(): readonly unknown[];
}

/** Records what a stdio server receives; the server itself is started as it is. */
export function recorded(...command: readonly string[]): RecordedServer {
  const file = path.join(makeTempFolder('record'), 'input.jsonl');
  const received = (): Record<string, unknown>[] =>
    existsSync(file)
      ? readFileSync(file, 'utf8')
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line) as Record<string, unknown>)
      : [];
  return {
    entry: {
      type: 'stdio',
      command: nodePath,
      args: [path.join(fixturesFolder, 'recordingServer.mjs'), file, ...command],
    },
    received,
    calls: () => received().flatMap((message) => callParameters(message)),
  };
}

export const recordedEverything = (): RecordedServer => recorded(nodePath, everythingServer, 'stdio');

/** The published file system server on one folder. */
export function recordedFilesystem(folder: string): RecordedServer {
  const program = path.join(repoRoot, 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js');
  return recorded(nodePath, program, folder);
}

/** A modern server made with the official server package, over HTTP on loopback. */
export interface ModernServer {
  readonly url: string;
  calls(): readonly unknown[];
  close(): Promise<void>;
}

/** A picture of one red pixel. */
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';

/** Offers `shout`, which returns its text in capitals. Answers modern requests only. */
export function startModernServer(): Promise<ModernServer> {
  return serve((server) => {
    server.registerTool(
      'shout',
      {
        title: 'Shout',
        icons: [{ src: `data:image/png;base64,${pixel}`, mimeType: 'image/png' }],
        description: 'Returns the text in capitals',
        inputSchema: fromJsonSchema<{ text: string }>({
          type: 'object',
          properties: { text: { type: 'string' } },
          required: ['text'],
        }),
      },
      ({ text }) => ({ content: [{ type: 'text', text: text.toUpperCase() }] }),
    );
  });
}

/** Offers `book`, which asks for a name in one round and for a plain confirmation in the next. */
export function startAskingServer(): Promise<ModernServer> {
  return serve((server) => {
    server.registerTool(
      'book',
      {
        description: 'Books a room',
        inputSchema: fromJsonSchema<{ room: string }>({
          type: 'object',
          properties: { room: { type: 'string' } },
          required: ['room'],
        }),
      },
      ({ room }, context) => {
        const state = context.mcpReq.requestState<string>();
        const named = acceptedContent<{ name: string }>(context.mcpReq.inputResponses, 'who');
        if (state === undefined && named === undefined) {
          const who = inputRequired.elicit({
            message: 'Who books?',
            requestedSchema: {
              type: 'object',
              properties: { name: { type: 'string', title: 'Name', minLength: 1 } },
              required: ['name'],
            },
          });
          return inputRequired({ inputRequests: { who } });
        }
        const sure = acceptedContent(context.mcpReq.inputResponses, 'sure');
        if (sure === undefined) {
          const question = inputRequired.elicit({
            message: 'Really?',
            requestedSchema: { type: 'object', properties: {} },
          });
          return inputRequired({ inputRequests: { sure: question }, requestState: named?.name ?? '' });
        }
        return { content: [{ type: 'text', text: `${room} is booked for ${state ?? ''}` }] };
      },
    );
  });
}

async function serve(register: (server: McpServer) => void): Promise<ModernServer> {
  const bodies: Record<string, unknown>[] = [];
  const handler = createMcpHandler(
    () => {
      const server = new McpServer({ name: 'modern', version: '1.0.0' });
      register(server);
      return server;
    },
    { legacy: 'reject' },
  );
  const node = toNodeHandler(handler);
  const http = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      const body = text === '' ? undefined : (JSON.parse(text) as Record<string, unknown>);
      if (body !== undefined) bodies.push(body);
      // The types of the package and of Node differ only in how they write "may be absent".
      void node(request as Parameters<typeof node>[0], response, body);
    });
  });
  await new Promise<void>((resolve) => {
    http.listen(0, '127.0.0.1', resolve);
  });
  const address = http.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}/mcp`,
    calls: () => bodies.flatMap((message) => callParameters(message)),
    async close() {
      http.closeAllConnections();
      await new Promise((resolve) => {
        http.close(resolve);
      });
    },
  };
}

function callParameters(message: Record<string, unknown>): object[] {
  if (message['method'] !== 'tools/call') return [];
  const { _meta, ...params } = message['params'] as Record<string, unknown>;
  return [params];
}
