import { isJsonObject, type JsonObject } from '../../src/base/json.ts';
import type { ClientOptions } from '../../src/client/clientOptions.ts';
import { connectClient } from '../../src/client/connectClient.ts';
import type { ConnectedClient } from '../../src/client/connectedClient.ts';
import type { JsonRpcMessage, JsonRpcRequest, Transport } from '../../src/transport/transport.ts';
import { strictlyChecked } from './checkedTransport.ts';
import { ManualClock } from './manualClock.ts';
import { PeerTransport } from './peerTransport.ts';

/** How a peer answers one method; anything else is refused with "method not found". */
export type Handlers = Readonly<
  Record<string, (request: JsonRpcRequest, peer: PeerTransport) => JsonObject | undefined>
>;

/** A peer that answers requests by method. `undefined` as an answer means: nothing yet. */
export function peerWith(handlers: Handlers, kind: Transport['kind'] = 'stdio'): PeerTransport {
  return new PeerTransport((message, peer) => {
    if (!isRequest(message)) return;
    const handler = handlers[message.method];
    if (handler === undefined) return peer.refuse(message, -32601);
    const result = handler(message, peer);
    if (result !== undefined) peer.answer(message, result);
  }, kind);
}

function isRequest(message: JsonRpcMessage): message is JsonRpcRequest {
  return 'method' in message && 'id' in message;
}

export const modernHandlers: Handlers = {
  'server/discover': () => ({
    resultType: 'complete',
    supportedVersions: ['2026-07-28'],
    capabilities: { tools: {} },
    _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'peer', version: '1' } },
    ttlMs: 0,
    cacheScope: 'private',
  }),
};

export const legacyHandlers: Handlers = {
  initialize: () => ({
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'peer', version: '1' },
  }),
};

export interface Session {
  readonly client: ConnectedClient;
  readonly peer: PeerTransport;
  readonly clock: ManualClock;
  readonly log: readonly string[];
}

/** A connected client whose time and other side belong to the test. */
export async function connectPeer(
  peer: PeerTransport,
  overrides: Partial<ClientOptions> = {},
): Promise<Session> {
  const clock = new ManualClock();
  const log: string[] = [];
  const create = (): Transport => peer;
  const client = await connectClient(
    {
      transports: strictlyChecked(
        peer.kind === 'stdio'
          ? { kind: 'stdio', create }
          : { kind: 'http', createStreamableHttp: create, createLegacySse: create },
      ),
      clientInfo: { name: 'test', version: '1' },
      capabilities: {},
      inputHandler: () => Promise.resolve({ kind: 'refused', code: -1, message: 'not expected' }),
      clock,
      random: () => 0,
      log: (line) => log.push(`${line.level}: ${line.text}`),
      ...overrides,
    },
    new AbortController().signal,
  );
  return { client, peer, clock, log };
}

/** Parameters of a message without `_meta`, for comparing. */
export function ownParams(message: JsonRpcMessage): JsonObject {
  const params = 'method' in message ? message.params : undefined;
  if (!isJsonObject(params)) return {};
  const { _meta, ...own } = params;
  return own;
}
