import { createServer, type AddressInfo, type Socket } from 'node:net';
import { isJsonObject, type JsonObject } from '../../src/base/json.ts';

/** One request as it came over a connection. */
export interface RawRequest {
  /** The request line and the header lines. */
  readonly head: string;
  /** The body as a JSON object; empty if it is none. */
  readonly json: JsonObject;
}

export interface RawServer {
  readonly url: string;
  readonly origin: string;
  readonly requests: readonly RawRequest[];
  readonly close: () => Promise<void>;
}

/**
 * A loopback server that answers with bytes, so that replies can be wrong in ways that a library for HTTP would
 * not write. The script gets each request when it is complete.
 */
export async function startRawServer(
  script: (request: RawRequest, socket: Socket) => void,
): Promise<RawServer> {
  const requests: RawRequest[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk;
      for (;;) {
        const end = text.indexOf('\r\n\r\n');
        if (end === -1) return;
        const head = text.slice(0, end);
        const length = Number(/^content-length: *(\d+)$/im.exec(head)?.[1] ?? 0);
        if (text.length < end + 4 + length) return;
        const body = Buffer.from(text.slice(end + 4, end + 4 + length), 'latin1').toString('utf8');
        text = text.slice(end + 4 + length);
        const request = { head, json: parse(body) };
        requests.push(request);
        script(request, socket);
      }
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', () => resolve()));
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  return {
    origin,
    url: `${origin}/mcp`,
    requests,
    close: async () => {
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function parse(body: string): JsonObject {
  try {
    const value: unknown = JSON.parse(body);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** A whole reply: status line, the header lines given, length, body. */
export function rawReply(
  body: string | Uint8Array,
  headers: readonly string[] = ['Content-Type: application/json'],
  status: string = '200 OK',
): Buffer {
  const bytes = typeof body === 'string' ? Buffer.from(body, 'utf8') : Buffer.from(body);
  const lines = [`HTTP/1.1 ${status}`, ...headers, `Content-Length: ${bytes.length}`, '', ''];
  return Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), bytes]);
}
