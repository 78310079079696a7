import { HostError } from '../../src/base/errors.ts';
import type { JsonObject } from '../../src/base/json.ts';
import type {
  JsonRpcMessage,
  JsonRpcRequest,
  MessageOrigin,
  RequestId,
  SendOptions,
  Transport,
  TransportEvents,
} from '../../src/transport/transport.ts';

/** What the other side does with each message of ours. */
export type PeerScript = (message: JsonRpcMessage, peer: PeerTransport) => void;

/** The other side of a connection inside the test's own process, for tests that need to own time. */
export class PeerTransport implements Transport {
  readonly kind: Transport['kind'];
  readonly sent: JsonRpcMessage[] = [];
  readonly sentOptions: (SendOptions | undefined)[] = [];
  readonly protocols: string[] = [];
  script: PeerScript;
  #events: TransportEvents | undefined;
  #ended = false;

  constructor(script: PeerScript, kind: Transport['kind'] = 'stdio') {
    this.script = script;
    this.kind = kind;
  }

  /** Requests of ours, without notifications and answers. */
  get requests(): readonly JsonRpcRequest[] {
    return this.sent.filter((message): message is JsonRpcRequest => 'method' in message && 'id' in message);
  }

  start(events: TransportEvents): Promise<void> {
    this.#events = events;
    return Promise.resolve();
  }

  send(message: JsonRpcMessage, options?: SendOptions): Promise<void> {
    if (this.#ended) return Promise.reject(new HostError('closed', 'The peer is gone.'));
    // A copy, so that what a test sees is what was sent.
    const wire: JsonRpcMessage = JSON.parse(JSON.stringify(message));
    this.sent.push(wire);
    this.sentOptions.push(options);
    queueMicrotask(() => this.script(wire, this));
    return Promise.resolve();
  }

  useProtocol(era: string, version: string): void {
    this.protocols.push(`${era} ${version}`);
  }

  close(): Promise<void> {
    this.end(undefined);
    return Promise.resolve();
  }

  deliver(message: JsonRpcMessage, origin: MessageOrigin = {}): void {
    queueMicrotask(() => this.#events?.message(message, origin));
  }

  answer(request: JsonRpcMessage, result: JsonObject, origin: MessageOrigin = {}): void {
    this.deliver({ jsonrpc: '2.0', id: idOf(request), result }, origin);
  }

  refuse(request: JsonRpcMessage, code: number, data?: JsonObject, origin: MessageOrigin = {}): void {
    const error = data === undefined ? { code, message: 'refused' } : { code, message: 'refused', data };
    this.deliver({ jsonrpc: '2.0', id: idOf(request), error }, origin);
  }

  notify(method: string, params?: JsonObject, origin: MessageOrigin = {}): void {
    this.deliver({ jsonrpc: '2.0', method, ...(params === undefined ? undefined : { params }) }, origin);
  }

  fail(request: JsonRpcMessage, error: HostError): void {
    queueMicrotask(() => this.#events?.requestFailed(idOf(request), error));
  }

  end(error: HostError | undefined): void {
    if (this.#ended) return;
    this.#ended = true;
    queueMicrotask(() => this.#events?.closed(error));
  }
}

function idOf(message: JsonRpcMessage): RequestId {
  if (!('id' in message) || message.id === undefined) throw new Error('A request was expected.');
  return message.id;
}

/** Waits until everything that only waits for microtasks and immediate work is done. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => void setImmediate(resolve));
}
