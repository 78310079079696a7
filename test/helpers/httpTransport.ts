import type { HostError } from '../../src/base/errors.ts';
import type { HttpTransportOptions } from '../../src/transport/httpContext.ts';
import { createLegacySseTransport } from '../../src/transport/legacySse.ts';
import { createStreamableHttpTransport } from '../../src/transport/streamableHttp.ts';
import type {
  JsonRpcMessage,
  JsonRpcRequest,
  MessageOrigin,
  RequestId,
  Transport,
} from '../../src/transport/transport.ts';

/** What a transport has told its owner, in order. */
export type Told =
  | { readonly kind: 'message'; readonly message: JsonRpcMessage; readonly origin: MessageOrigin }
  | { readonly kind: 'requestFailed'; readonly id: RequestId; readonly error: HostError }
  | { readonly kind: 'dropped'; readonly error: HostError }
  | { readonly kind: 'closed'; readonly error: HostError | undefined };

export interface Probe {
  readonly transport: Transport;
  readonly told: readonly Told[];
  /** Resolves with the first entry, from the beginning, that fits. */
  readonly when: (fits: (told: Told) => boolean) => Promise<Told>;
  /** Sends a request and resolves with how it ended, as `summary` puts it. */
  readonly ask: (message: JsonRpcRequest, signal?: AbortSignal) => Promise<unknown>;
}

const waitMs = 5_000;

/** A started transport whose events are recorded. */
export async function openTransport(transport: Transport): Promise<Probe> {
  const told: Told[] = [];
  const waiting = new Set<(entry: Told) => void>();
  const tell = (entry: Told): void => {
    told.push(entry);
    for (const look of Array.from(waiting)) look(entry);
  };
  const when: Probe['when'] = (fits) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(look);
        reject(new Error(`Not told within ${waitMs} ms. Told: ${JSON.stringify(told.map(summary))}`));
      }, waitMs);
      const look = (entry: Told): void => {
        if (!fits(entry)) return;
        clearTimeout(timer);
        waiting.delete(look);
        resolve(entry);
      };
      const already = told.find(fits);
      waiting.add(look);
      if (already !== undefined) look(already);
    });
  await transport.start({
    message: (message, origin) => tell({ kind: 'message', message, origin }),
    requestFailed: (id, error) => tell({ kind: 'requestFailed', id, error }),
    dropped: (error) => tell({ kind: 'dropped', error }),
    closed: (error) => tell({ kind: 'closed', error }),
  });
  const ask: Probe['ask'] = async (message, signal) => {
    await transport.send(message, signal === undefined ? {} : { signal });
    return summary(await when((entry) => ends(entry, message.id)));
  };
  return { transport, told, when, ask };
}

function ends(entry: Told, id: RequestId): boolean {
  if (entry.kind === 'requestFailed') return entry.id === id;
  if (entry.kind !== 'message' || 'method' in entry.message) return false;
  return entry.message.id === id || (entry.message.id === undefined && entry.origin.requestId === id);
}

/** An entry without what differs between runs. */
export function summary(entry: Told): unknown {
  switch (entry.kind) {
    case 'message':
      return 'method' in entry.message
        ? { method: entry.message.method, origin: entry.origin }
        : 'result' in entry.message
          ? { result: entry.message.result, origin: entry.origin }
          : { error: entry.message.error, origin: entry.origin };
    case 'requestFailed':
      return { failed: entry.error.code };
    case 'dropped':
      return { dropped: entry.error.code };
    case 'closed':
      return { closed: entry.error?.code };
  }
}

/** A started Streamable HTTP transport. */
export function openHttp(options: HttpTransportOptions): Promise<Probe> {
  return openTransport(createStreamableHttpTransport(options));
}

/** A started HTTP+SSE transport. */
export function openSse(options: HttpTransportOptions): Promise<Probe> {
  return openTransport(createLegacySseTransport(options));
}

/** A request of the modern era. */
export function modernRequest(id: RequestId, method: string, params: object = {}): JsonRpcRequest {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return { jsonrpc: '2.0', id, method, params: { ...params, _meta } };
}

/** A request of the legacy era. */
export function legacyRequest(id: RequestId, method: string, params: object = {}): JsonRpcRequest {
  return { jsonrpc: '2.0', id, method, params: { ...params } };
}

/** The handshake of the legacy era, as its first request. */
export const initialize = legacyRequest('init', 'initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
});

/** Goes through the handshake of the legacy era. */
export async function handshake(probe: Probe, version: string = '2025-11-25'): Promise<void> {
  await probe.ask(initialize);
  probe.transport.useProtocol('legacy', version);
  await probe.transport.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
}
