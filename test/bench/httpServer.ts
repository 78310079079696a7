/* A server over HTTP that does as little as possible: `node httpServer.ts json|sse TOOLS`; prints its port. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerTo } from './answers.ts';

const sse = process.argv[2] === 'sse';
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const answer = request.method === 'POST' ? answerTo(Buffer.concat(chunks).toString('utf8')) : undefined;
    if (answer === undefined) response.writeHead(request.method === 'POST' ? 202 : 405).end();
    else if (sse) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(`event: message\ndata: ${answer}\n\n`);
    } else {
      const length = Buffer.byteLength(answer);
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': length }).end(answer);
    }
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
