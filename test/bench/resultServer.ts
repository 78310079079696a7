/* A server whose tools answer with large results: `node resultServer.ts stdio|json|sse`; over HTTP it prints its port. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { resultShapes } from './resultShapes.ts';

const tools = Object.keys(resultShapes).map((name) => ({
  name,
  inputSchema: { type: 'object' },
  ...(name === 'rows_promised' && {
    outputSchema: { type: 'array', items: { type: 'object', required: ['id'] } },
  }),
}));

function resultOf(method: string, params: { readonly name?: string } | undefined): string | undefined {
  switch (method) {
    case 'initialize':
      return JSON.stringify({
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: 'results', version: '1' },
      });
    case 'tools/list':
      return JSON.stringify({ tools });
    case 'tools/call':
      return resultShapes[params?.name ?? '']?.();
    default:
      return undefined;
  }
}

function answerTo(text: string): string | undefined {
  const { id, method, params } = JSON.parse(text) as {
    id?: unknown;
    method: string;
    params?: { name?: string };
  };
  if (id === undefined) return undefined;
  const result = resultOf(method, params);
  return result === undefined
    ? JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } })
    : `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;
}

const [, , kind] = process.argv;
if (kind === 'stdio') {
  createInterface({ input: process.stdin }).on('line', (line) => {
    const answer = answerTo(line);
    if (answer !== undefined) process.stdout.write(`${answer}\n`);
  });
} else {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const answer = request.method === 'POST' ? answerTo(Buffer.concat(chunks).toString('utf8')) : undefined;
      if (answer === undefined) response.writeHead(request.method === 'POST' ? 202 : 405).end();
      else if (kind === 'sse') {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(`event: message\ndata: ${answer}\n\n`);
      } else response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
    });
  });
  server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
}
