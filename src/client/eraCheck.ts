import type { Clock } from '../base/clock.ts';
import { HostError, RpcError } from '../base/errors.ts';
import { errorCode, isModernErrorCode } from '../protocol/errorCodes.ts';
import { method } from '../protocol/methods.ts';
import type { Era } from '../protocol/model.ts';
import { modernVersions } from '../protocol/versions.ts';
import type { WireCodec } from '../protocol/wire/codec.ts';
import type { Transport } from '../transport/transport.ts';
import { isLegacyRefusal, judgeProbe, type ProbeFacts } from './eraProbe.ts';
import type { ExchangeOutcome, RpcConnection } from './rpcConnection.ts';

/** What was settled with a server before it refused something. */
export interface SettledFacts {
  readonly era: Era;
  readonly transport: Transport['kind'];
}

/** Errors of a server that say something about the request itself, not about how it was put. */
const ordinaryCodes: ReadonlySet<number> = new Set([errorCode.invalidParams, errorCode.internalError]);

/**
 * True when a refusal looks as if it came from a server of the other era: what is known of a server holds until it fails
 * (specification: versioning, "Backward Compatibility"). Only a reason to ask; ordinary errors may look the same. Pure.
 */
export function raisesDoubt(
  error: HostError | RpcError,
  httpStatus: number | undefined,
  { era, transport }: SettledFacts,
): boolean {
  if (transport === 'legacySse') return false;
  if (error instanceof HostError) return era === 'modern' && isLegacyRefusal(error);
  const { code } = error;
  if (era === 'legacy') {
    // A modern server says −32602 to a request without `_meta`.
    return isModernErrorCode(code) || (httpStatus === 400 && code === errorCode.invalidParams);
  }
  if (code === errorCode.unsupportedVersion) return true;
  // 404 with −32601 is how a modern server says that it has no such method (streamable HTTP).
  if (isModernErrorCode(code) || (httpStatus === 404 && code === errorCode.methodNotFound)) return false;
  if (httpStatus !== undefined && httpStatus >= 500) return false;
  return (httpStatus !== undefined && httpStatus >= 400) || !ordinaryCodes.has(code);
}

/** True when the end of another `server/discover` shows that the server is not of the era any more. Pure; total. */
export function isOtherEra(outcome: ExchangeOutcome, era: Era, facts: ProbeFacts): boolean {
  const verdict = judgeProbe(outcome, facts);
  if (era === 'legacy') return verdict.kind === 'modern' || verdict.kind === 'retry';
  if (verdict.kind === 'failed')
    return verdict.error instanceof HostError && verdict.error.code === 'unsupportedVersion';
  // Silence or a broken connection shows nothing here: the server may be busy with the calls that it has.
  return verdict.kind === 'legacy' && (outcome.kind !== 'failed' || isLegacyRefusal(outcome.error));
}

/** At most one question in this time: a server may refuse as often as it likes. Milliseconds. */
const spacingMs = 10_000;

export interface EraCheckOptions {
  readonly connection: RpcConnection;
  readonly clock: Clock;
  readonly modernCodec: (version: string) => WireCodec;
  /** Milliseconds. */
  readonly timeoutMs: number;
}

/**
 * Finds out whether a server in use has been exchanged for one of the other era, behind the same address or pipe. Such a
 * connection ends: whoever opened it has to find out anew how to talk to the server, and nothing is sent again.
 */
export class EraCheck {
  readonly #options: EraCheckOptions;
  #running: Promise<HostError | undefined> | undefined;
  #last = -Infinity;

  constructor(options: EraCheckOptions) {
    this.#options = options;
  }

  /** The error that the connection has ended with, if the server has been exchanged. Never rejects. */
  async check(error: unknown, httpStatus: number | undefined): Promise<HostError | undefined> {
    const { connection, clock } = this.#options;
    const facts = { era: connection.codec.era, transport: connection.transport.kind };
    if (!(error instanceof HostError || error instanceof RpcError)) return undefined;
    if (!raisesDoubt(error, httpStatus, facts)) return undefined;
    if (this.#running === undefined && clock.monotonic() - this.#last < spacingMs) return undefined;
    this.#running ??= this.#ask(facts).finally(() => {
      this.#running = undefined;
      this.#last = clock.monotonic();
    });
    return this.#running;
  }

  async #ask({ era, transport }: SettledFacts): Promise<HostError | undefined> {
    const { connection, modernCodec, timeoutMs } = this.#options;
    const version = modernVersions[0] ?? '';
    const outcome = await connection.exchange(
      method.discover,
      {},
      { timeoutMs, maxTimeoutMs: timeoutMs, handshake: true, codec: modernCodec(version) },
    );
    if (!isOtherEra(outcome, era, { transport, version, retried: false })) return undefined;
    const spoken = connection.codec.version;
    const error = new HostError(
      'unsupportedVersion',
      `The server has been exchanged: it no longer speaks protocol version ${spoken}, as it did, so it has to be connected to anew. Nothing is sent again by itself.`,
      { details: { before: spoken } },
    );
    await connection.end(error);
    return error;
  }
}
