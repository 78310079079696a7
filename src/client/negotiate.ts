import { abortError } from '../base/abort.ts';
import type { Clock } from '../base/clock.ts';
import { errorMessage, HostError, RpcError } from '../base/errors.ts';
import { method } from '../protocol/methods.ts';
import { eraOf, legacyVersions, modernVersions } from '../protocol/versions.ts';
import {
  encodeInitializeParams,
  LegacyCodec,
  readInitializeResult,
  type ServerIdentity,
} from '../protocol/wire/legacy.ts';
import { ModernCodec } from '../protocol/wire/modern.ts';
import type { Transport } from '../transport/transport.ts';
import type { ClientOptions } from './clientOptions.ts';
import { type EraVerdict, hasDied, isLegacyRefusal, judgeProbe, noCommonVersion } from './eraProbe.ts';
import type { RequestOptions, RpcConnection } from './rpcConnection.ts';

/** A server that has been reached, its era and version settled. */
export interface Negotiated<C extends Link> {
  readonly link: C;
  readonly identity: ServerIdentity;
}

/** A connection as negotiation sees it. `serveLegacy`: from now on the server may ask us things. */
export interface Link {
  readonly connection: RpcConnection;
  serveLegacy(): void;
}

/** What negotiation needs from outside: a way to open a fresh connection, as often as it takes. */
export interface Negotiation<C extends Link> {
  readonly options: ClientOptions;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Starts a transport and wires a connection to it. */
  readonly open: (transport: Transport) => Promise<C>;
}

/** A server behind HTTP may have to wake up first; on stdio silence is how old servers say no. */
const defaultProbeTimeoutMs = { stdio: 3_000, http: 10_000 };
const defaultHandshakeTimeoutMs = 60_000;

/**
 * Finds out how to talk to a server, and leaves it ready for requests (specification: versioning).
 * @throws HostError (`spawnFailed`, `exited`, `unsupportedVersion`, `httpStatus`, …) or RpcError
 */
export async function negotiate<C extends Link>(task: Negotiation<C>): Promise<Negotiated<C>> {
  const { transports } = task.options;
  return transports.kind === 'stdio'
    ? negotiateStdio(task, transports.create)
    : negotiateHttp(task, transports.createStreamableHttp, transports.createLegacySse);
}

async function negotiateStdio<C extends Link>(
  task: Negotiation<C>,
  create: () => Transport,
): Promise<Negotiated<C>> {
  if (task.options.knownEra?.era === 'legacy') {
    const link = await task.open(create());
    return closingOnError(link, () => greetOrProbeAgain(task, link));
  }
  const link = await task.open(create());
  return closingOnError(link, async () => {
    const verdict = await probe(task, link.connection);
    switch (verdict.kind) {
      case 'modern':
        return settleModern(task, link, verdict);
      case 'legacy': {
        // The probe may also end a server that was too slow to look at it in time.
        const greeted = verdict.restart ? undefined : await greetUnlessDead(task, link);
        if (greeted !== undefined) return greeted;
        await link.connection.transport.close();
        const fresh = await task.open(create());
        return closingOnError(fresh, () => greetOrProbeAgain(task, fresh));
      }
      case 'failed':
        throw verdict.error;
    }
  });
}

/** `undefined`: the server has ended. */
async function greetUnlessDead<C extends Link>(
  task: Negotiation<C>,
  link: C,
): Promise<Negotiated<C> | undefined> {
  try {
    return await greetOrProbeAgain(task, link);
  } catch (error) {
    if (error instanceof HostError && hasDied(error)) return undefined;
    throw error;
  }
}

/**
 * A slow modern server looks like a silent old one, and a known old one may have become modern: refusing the
 * greeting tells.
 */
async function greetOrProbeAgain<C extends Link>(task: Negotiation<C>, link: C): Promise<Negotiated<C>> {
  try {
    return await greet(task, link);
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    const verdict = await probe(task, link.connection);
    if (verdict.kind !== 'modern') throw error;
    return settleModern(task, link, verdict);
  }
}

async function negotiateHttp<C extends Link>(
  task: Negotiation<C>,
  createStreamableHttp: () => Transport,
  createLegacySse: () => Transport,
): Promise<Negotiated<C>> {
  const known = task.options.knownEra;
  if (known?.transport === 'legacySse') {
    try {
      return await connectLegacySse(task, createLegacySse);
    } catch (error) {
      // What was known may have become wrong (specification: versioning).
      if (!(error instanceof HostError) || !isLegacyRefusal(error)) throw error;
    }
  }
  const link = await task.open(createStreamableHttp());
  const first = await closingOnError(link, async () => {
    if (known?.era !== 'legacy' || known.transport === 'legacySse') {
      const verdict = await probe(task, link.connection);
      if (verdict.kind === 'modern') return settleModern(task, link, verdict);
      if (verdict.kind === 'failed') throw verdict.error;
    }
    try {
      return await greetOrProbeAgain(task, link);
    } catch (error) {
      if (error instanceof HostError && isLegacyRefusal(error)) return error;
      throw error;
    }
  });
  if (!(first instanceof HostError)) return first;
  await link.connection.transport.close();
  try {
    return await connectLegacySse(task, createLegacySse);
  } catch (error) {
    if (task.signal.aborted) throw error;
    throw new HostError(first.code, `${first.message} As an older HTTP+SSE server: ${errorMessage(error)}`, {
      cause: error,
      details: first.details,
    });
  }
}

async function connectLegacySse<C extends Link>(
  task: Negotiation<C>,
  create: () => Transport,
): Promise<Negotiated<C>> {
  const link = await task.open(create());
  return closingOnError(link, () => greet(task, link));
}

/** Milliseconds after which silence counts as an answer to the probe. */
export function probeTimeoutMs(options: ClientOptions): number {
  return options.probeTimeoutMs ?? defaultProbeTimeoutMs[options.transports.kind];
}

async function probe<C extends Link>(
  task: Negotiation<C>,
  connection: RpcConnection,
): Promise<Exclude<EraVerdict, { readonly kind: 'retry' }>> {
  let version = modernVersions[0] ?? '';
  for (let retried = false; ; retried = true) {
    connection.codec = modernCodec(task, version);
    const timeoutMs = probeTimeoutMs(task.options);
    const outcome = await connection.exchange(method.discover, {}, handshakeOptions(task, timeoutMs));
    if (task.signal.aborted) throw abortError(task.signal);
    const verdict = judgeProbe(outcome, { transport: connection.transport.kind, version, retried });
    if (verdict.kind !== 'retry') return verdict;
    version = verdict.version;
  }
}

function settleModern<C extends Link>(
  task: Negotiation<C>,
  link: C,
  verdict: Extract<EraVerdict, { readonly kind: 'modern' }>,
): Negotiated<C> {
  const { connection } = link;
  connection.codec = modernCodec(task, verdict.version);
  connection.transport.useProtocol('modern', verdict.version);
  // A server that did not describe itself may have anything; whether it has tools shows when they are listed.
  const identity = verdict.discovered ?? {
    serverInfo: undefined,
    capabilities: { tools: {}, resources: {}, prompts: {} },
    instructions: undefined,
  };
  return { link, identity };
}

/** The handshake of the legacy eras. Also used again when an HTTP server has forgotten its session. */
export async function greet<C extends Link>(
  task: Pick<Negotiation<C>, 'options' | 'signal'>,
  link: C,
): Promise<Negotiated<C>> {
  const { connection } = link;
  const version = legacyVersions[0] ?? '';
  connection.codec = new LegacyCodec(version);
  link.serveLegacy();
  const params = encodeInitializeParams(version, task.options.clientInfo, task.options.capabilities);
  const timeoutMs = task.options.handshakeTimeoutMs ?? defaultHandshakeTimeoutMs;
  const result = await connection.request(method.initialize, params, handshakeOptions(task, timeoutMs));
  const { version: settled, ...identity } = readInitializeResult(result);
  if (settled === undefined || eraOf(settled) !== 'legacy')
    throw noCommonVersion(settled === undefined ? [] : [settled]);
  connection.codec = new LegacyCodec(settled);
  connection.transport.useProtocol('legacy', settled);
  connection.notify(method.initialized);
  return { link, identity };
}

function modernCodec<C extends Link>({ options }: Negotiation<C>, version: string): ModernCodec {
  const { clientInfo, capabilities, currentCapabilities } = options;
  return new ModernCodec({ version, clientInfo, capabilities, currentCapabilities });
}

function handshakeOptions(task: { readonly signal: AbortSignal }, timeoutMs: number): RequestOptions {
  return { signal: task.signal, timeoutMs, maxTimeoutMs: timeoutMs, handshake: true };
}

async function closingOnError<T>(link: Link, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    await link.connection.transport.close();
    throw error;
  }
}
