import { systemClock } from '../base/clock.ts';
import { HostError } from '../base/errors.ts';
import type {
  JsonRpcErrorResponse,
  JsonRpcNotification,
  JsonRpcRequest,
  JsonRpcResult,
} from '../protocol/jsonRpc.ts';
import { method } from '../protocol/methods.ts';
import { modernVersions } from '../protocol/versions.ts';
import { ModernCodec } from '../protocol/wire/modern.ts';
import type { Listening, MessageOrigin, Transport } from '../transport/transport.ts';
import type { ClientOptions } from './clientOptions.ts';
import type { ConnectedClient } from './connectedClient.ts';
import { EraCheck } from './eraCheck.ts';
import { isModernDescription } from './eraProbe.ts';
import { greet, type Link, negotiate, probeTimeoutMs } from './negotiate.ts';
import { ProblemLog } from './problemLog.ts';
import { ProtocolClient } from './protocolClient.ts';
import { RequestRunner } from './requestRunner.ts';
import { type ConnectionEvents, RpcConnection } from './rpcConnection.ts';
import { ServerRequests } from './serverRequests.ts';

/**
 * Reaches one server, settles era and version, and returns the client for it. One launch: when the
 * connection ends, the client is done. While connecting, a second process may be started, because the
 * probe of the modern era ends some old servers.
 * @throws HostError (`spawnFailed`, `exited`, `unsupportedVersion`, `httpStatus`, `unauthorized`, `network`,
 *   `timeout`, `cancelled`, …) or RpcError
 */
export async function connectClient(options: ClientOptions, signal: AbortSignal): Promise<ConnectedClient> {
  const clock = options.clock ?? systemClock;
  const { link, identity } = await negotiate({
    options,
    clock,
    signal,
    open: async (transport) => {
      const link = new ClientLink(options, transport);
      await transport.start(link.connection, signal);
      return link;
    },
  });
  const { connection } = link;
  const eras = new EraCheck({
    connection,
    clock,
    modernCodec: (version) => modernCodec(options, version),
    timeoutMs: probeTimeoutMs(options),
  });
  const runner = new RequestRunner({
    options,
    clock,
    connection,
    greetAgain: async () => {
      options.log?.({ level: 'info', text: 'The server forgot the session; greeting it again.' });
      await greet({ options, signal: connection.ended }, link);
      link.client?.greetedAgain();
    },
    useVersion: (version) => {
      connection.codec = modernCodec(options, version);
      connection.transport.useProtocol('modern', version);
    },
    eras,
  });
  const client = new ProtocolClient({
    options,
    clock,
    connection,
    identity,
    runner,
    eras,
    turnedOutModern: () => link.turnedOutModern,
  });
  link.client = client;
  link.onForgotten = () => runner.sessionForgotten();
  if (identity.capabilities.tools === undefined)
    options.log?.({ level: 'info', text: 'The server does not say that it has tools, so none are listed.' });
  client.start();
  return client;
}

/** One transport with its connection, and who gets what arrives. */
class ClientLink implements Link, ConnectionEvents {
  readonly connection: RpcConnection;
  /** Set when the server is ready for use. */
  client: ProtocolClient | undefined;
  /** The server has forgotten the session, although nothing was asked of it. */
  onForgotten: (() => void) | undefined;
  /** The server answered the probe of the modern era, but only after it had been taken for a legacy one. */
  turnedOutModern = false;
  readonly #options: ClientOptions;
  readonly #problems: ProblemLog;
  #requests: ServerRequests | undefined;

  constructor(options: ClientOptions, transport: Transport) {
    this.#options = options;
    const clock = options.clock ?? systemClock;
    this.#problems = new ProblemLog(clock, (text) => options.log?.({ level: 'warn', text }));
    const codec = modernCodec(options, modernVersions[0] ?? '');
    this.connection = new RpcConnection(transport, codec, clock, this);
  }

  serveLegacy(): void {
    const { capabilities, inputHandler } = this.#options;
    this.#requests ??= new ServerRequests(this.connection, capabilities, inputHandler);
  }

  notification(message: JsonRpcNotification, origin: MessageOrigin): void {
    if (message.method === method.cancelled) this.#requests?.cancelled(message.params);
    this.client?.receive(message, origin);
  }

  request(message: JsonRpcRequest, origin: MessageOrigin): void {
    if (this.#requests !== undefined) return this.#requests.receive(message, origin);
    // Modern servers ask inside results, and we may not send responses (specification: message patterns).
    this.problem(
      new HostError(
        'protocolViolation',
        `The server sent a request ("${message.method.slice(0, 100)}"); it is ignored.`,
      ),
    );
  }

  late(name: string, answer: JsonRpcResult | JsonRpcErrorResponse): void {
    if (name === method.discover && 'result' in answer)
      this.turnedOutModern ||= isModernDescription(answer.result);
  }

  listening(state: Listening): void {
    this.client?.listening(state);
    if (state === 'forgotten') this.onForgotten?.();
  }

  problem(error: HostError): void {
    this.#problems.add(error);
  }

  closed(error: HostError | undefined): void {
    this.#problems.dispose();
    this.client?.ended(error);
  }
}

function modernCodec(options: ClientOptions, version: string): ModernCodec {
  const { clientInfo, capabilities, currentCapabilities } = options;
  return new ModernCodec({ version, clientInfo, capabilities, currentCapabilities });
}
