import { inputRequired, type McpRequestContext, ProtocolError, Server } from '@modelcontextprotocol/server';

/** What the tool `grow` changes; one for all instances of a server, as a real one would have it. */
export interface Shelf {
  readonly grown: string[];
  readonly cancelled: string[];
  /** Tells everybody who listens that the tools changed. */
  announce: (server: Server) => Promise<void>;
}

const inputSchema = { type: 'object' } as const;
const requestedSchema = {
  type: 'object' as const,
  properties: { name: { type: 'string' as const } },
  required: ['name'],
};
const tools = ['echo', 'fail', 'unknown', 'ask', 'progress', 'slow', 'grow', 'log'];

/** A server made with the official library, with a tool for each thing a client must be able to do. */
export function buildOfficialServer(_context: McpRequestContext | undefined, shelf: Shelf): Server {
  const capabilities = { tools: { listChanged: true }, resources: {}, prompts: {}, logging: {} };
  const server = new Server(
    { name: 'official', version: '2.0.0' },
    { capabilities, instructions: 'Be kind.' },
  );
  server.setRequestHandler('tools/list', () => ({
    tools: [...tools, ...shelf.grown].map((name) => ({ name, inputSchema })),
  }));
  server.setRequestHandler('resources/read', (request) => ({
    contents: [{ uri: request.params.uri, text: 'A memo.' }],
  }));
  server.setRequestHandler('prompts/get', (request) => ({
    messages: [{ role: 'user', content: { type: 'text', text: `Prompt ${request.params.name}` } }],
  }));
  server.setRequestHandler('tools/call', async (request, context) => {
    const { name, arguments: args } = request.params;
    const { inputResponses, signal, notify, _meta } = context.mcpReq;
    const text = (value: unknown) => ({
      content: [{ type: 'text' as const, text: JSON.stringify(value) }],
      structuredContent: { value },
    });
    switch (name) {
      case 'echo':
        return text(args);
      case 'fail':
        return { content: [{ type: 'text', text: 'It failed.' }], isError: true };
      case 'ask':
        return inputResponses === undefined || Object.keys(inputResponses).length === 0
          ? inputRequired({
              inputRequests: {
                who: inputRequired.elicit({ mode: 'form', message: 'Who?', requestedSchema }),
              },
              requestState: 'state é',
            })
          : text(inputResponses['who']);
      case 'progress': {
        const progressToken = _meta?.progressToken ?? 0;
        for (let progress = 1; progress <= 3; progress++)
          await notify({ method: 'notifications/progress', params: { progressToken, progress, total: 3 } });
        return text('done');
      }
      case 'slow':
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
        shelf.cancelled.push('slow');
        return text('late');
      case 'grow':
        shelf.grown.push(`grown${shelf.grown.length}`);
        await shelf.announce(server);
        return text(shelf.grown.length);
      case 'log':
        // Sent only if the client asked for as much.
        await context.mcpReq.log('debug', 'detail\n\u202Eliated', 'official');
        await context.mcpReq.log('critical', { disk: 'full' });
        return text('logged');
      case 'cancelled':
        return text(shelf.cancelled);
      default:
        throw new ProtocolError(-32602, `Unknown tool: ${name}`);
    }
  });
  return server;
}
