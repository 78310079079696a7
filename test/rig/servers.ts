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
  /** The tools that the server has listed last. */
  offered(): readonly Record<string, unknown>[];
}

/** Records what a stdio server receives; the server itself is started as it is. */
export function recorded(...command: readonly string[]): RecordedServer {
  const file = path.join(makeTempFolder('record'), 'input.jsonl');
  const messages = (name: string): Record<string, unknown>[] =>
    existsSync(name)
      ? readFileSync(name, 'utf8')
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line) as Record<string, unknown>)
      : [];
  const received = (): Record<string, unknown>[] => messages(file);
  return {
    entry: {
      type: 'stdio',
      command: nodePath,
      args: [path.join(fixturesFolder, 'recordingServer.mjs'), file, ...command],
    },
    received,
    calls: () => received().flatMap((message) => callParameters(message)),
    offered: () =>
      messages(`${file}.out`)
        .map(({ result }) => (result as { tools?: readonly Record<string, unknown>[] } | undefined)?.tools)
        .filter((tools) => tools !== undefined)
        .at(-1) ?? [],
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

/** Every kind of field that the specification knows, for one form. */
const profile = {
  type: 'object',
  properties: {
    name: { type: 'string', title: 'Name', minLength: 2 },
    mail: { type: 'string', format: 'email', title: 'Mail' },
    site: { type: 'string', format: 'uri', title: 'Site' },
    day: { type: 'string', format: 'date', title: 'Day' },
    moment: { type: 'string', format: 'date-time', title: 'Moment', default: '2026-12-01T10:00:00+05:30' },
    age: { type: 'integer', minimum: 18, title: 'Age' },
    ratio: { type: 'number', title: 'Ratio', default: 0.5 },
    news: { type: 'boolean', title: 'News', default: true },
    color: { type: 'string', enum: ['red', 'green'], title: 'Color' },
    size: {
      type: 'string',
      title: 'Size',
      oneOf: ['XS', 'S', 'M', 'L', 'XL', 'XXL'].map((title) => ({ const: title.toLowerCase(), title })),
    },
    topics: {
      type: 'array',
      title: 'Topics',
      minItems: 1,
      items: {
        anyOf: [
          { const: 'a', title: 'Art' },
          { const: 'b', title: 'Books' },
        ],
      },
    },
  },
  required: ['name', 'color', 'size', 'topics'],
} as const;

/**
 * Offers a tool for each thing that a server may ask for: `book` asks for a name in one round and for a plain
 * confirmation in the next, `profile` for every kind of field, `sign-in` for a visit to `page`, `summarise` for a model's
 * words, `where` for the folders. The last four return what they were given.
 */
export function startAskingServer(page = 'https://example.org/'): Promise<ModernServer> {
  const single = (
    server: McpServer,
    name: string,
    request: () => ReturnType<typeof inputRequired.elicit>,
  ) => {
    const inputSchema = fromJsonSchema<object>({ type: 'object', properties: {} });
    server.registerTool(name, { description: `Asks: ${name}`, inputSchema }, (_args, context) => {
      const { inputResponses = {} } = context.mcpReq;
      return Object.keys(inputResponses).length === 0
        ? inputRequired({ inputRequests: { it: request() } })
        : { content: [{ type: 'text', text: JSON.stringify(inputResponses) }] };
    });
  };
  return serve((server) => {
    single(server, 'profile', () =>
      inputRequired.elicit({ message: 'Who are you?', requestedSchema: profile as never }),
    );
    single(server, 'sign-in', () => inputRequired.elicitUrl({ message: 'Sign in, please.', url: page }));
    single(server, 'summarise', () =>
      inputRequired.createMessage({
        messages: [{ role: 'user', content: { type: 'text', text: 'echo a summary' } }],
        systemPrompt: 'Be brief.',
        maxTokens: 100,
        stopSequences: ['STOP'],
      }),
    );
    single(server, 'where', () => inputRequired.listRoots());
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
