import { raceAbort } from '../base/abort.ts';
import type { Clock } from '../base/clock.ts';
import { errorMessage, HostError, RpcError } from '../base/errors.ts';
import { Emitter } from '../base/event.ts';
import type { JsonObject } from '../base/json.ts';
import { errorCode } from '../protocol/errorCodes.ts';
import type { LogLevel } from '../protocol/model.ts';
import { type ClientOptions, defaultMaxRounds, defaultMaxTimeoutMs } from './clientOptions.ts';
import type { EraCheck } from './eraCheck.ts';
import { laterVersion } from './eraProbe.ts';
import { type Attempt, type RoundsResult, runInputRounds } from './inputRounds.ts';
import type { CallOptions } from './mcpClient.ts';
import { endingError, type RequestOptions, type RpcConnection } from './rpcConnection.ts';
import { readUrlElicitations, visitUrls } from './urlElicitations.ts';

const defaultTimeoutMs = 60_000;

export interface RequestRunnerOptions {
  readonly options: ClientOptions;
  readonly clock: Clock;
  readonly connection: RpcConnection;
  /** Greets a legacy HTTP server again that has forgotten its session. */
  readonly greetAgain: () => Promise<void>;
  /** Settles the connection on another modern revision. */
  readonly useVersion: (version: string) => void;
  readonly eras: EraCheck;
}

/** Sends requests with the client's limits, and once more where the protocol has a cure for the failure. */
export class RequestRunner {
  /** Asks for log messages from this severity on, with each request (modern era). */
  logLevel: LogLevel | undefined;
  /** Legacy: the page behind a URL elicitation is finished with. */
  readonly elicitationComplete = new Emitter<string>();
  readonly #setup: RequestRunnerOptions;
  #greeting: Promise<void> | undefined;
  /** Counts the sessions of a legacy HTTP server, so that late news about an old one changes nothing. */
  #session = 0;
  /** The last greeting failed: before anything else goes out there must be another one. */
  #lost = false;

  constructor(setup: RequestRunnerOptions) {
    this.#setup = setup;
  }

  /** One request. The result is raw: in the modern era it may ask for input. */
  send(
    name: string,
    params: JsonObject,
    options: CallOptions = {},
    headers?: Readonly<Record<string, string>>,
  ): Promise<JsonObject> {
    const full: RequestOptions = {
      signal: options.signal,
      timeoutMs: options.timeoutMs ?? this.#setup.options.requestTimeoutMs ?? defaultTimeoutMs,
      maxTimeoutMs: this.#maxTimeoutMs(options),
      onProgress: options.onProgress,
      callId: options.callId,
      traceparent: options.traceparent,
      onMessage: options.onMessage,
      logLevel: this.logLevel,
      headers,
    };
    const ready = this.#greeting ?? (this.#lost ? this.#greetAgain() : undefined);
    if (ready === undefined) return this.#send(name, params, full);
    return raceAbort(ready, options.signal).then(() => this.#send(name, params, full));
  }

  #send(name: string, params: JsonObject, full: RequestOptions): Promise<JsonObject> {
    const { connection } = this.#setup;
    const session = this.#session;
    return new Promise((resolve, reject) => {
      connection.begin(name, params, full, (ending, origin) => {
        if ('result' in ending) return resolve(ending.result);
        this.#cure(endingError(ending), origin?.httpStatus, session)
          .then(() => connection.request(name, params, full))
          .then(resolve, reject);
      });
    });
  }

  /** A request that the server may answer with questions (specification: MRTR). */
  async rounds(
    name: string,
    params: JsonObject,
    options: CallOptions,
    send?: (params: JsonObject, options: CallOptions) => Promise<JsonObject>,
  ): Promise<RoundsResult> {
    const { connection, clock, options: client } = this.#setup;
    const started = clock.monotonic();
    let first: Attempt;
    try {
      const result = await (send === undefined ? this.send(name, params, options) : send(params, options));
      // Nearly every call ends here.
      if (connection.codec.readOutcome(name, result).kind === 'complete') return { result, retried: false };
      first = { kind: 'result', result };
    } catch (error) {
      first = { kind: 'error', error };
    }
    return runInputRounds({
      method: name,
      params,
      first,
      codec: connection.codec,
      handler: client.inputHandler,
      clock,
      callId: options.callId,
      signal: options.signal,
      ended: connection.ended,
      maxRounds: client.maxRounds?.() ?? defaultMaxRounds,
      maxTimeoutMs: this.#maxTimeoutMs(options) - (clock.monotonic() - started),
      send: (round, maxTimeoutMs) =>
        send === undefined
          ? this.send(name, round, { ...options, maxTimeoutMs })
          : send(round, { ...options, maxTimeoutMs }),
      recover: (error) => this.#visitUrls(error, options),
    });
  }

  /** 2025-11-25 only: an error that says which pages have to be visited before the call. */
  #visitUrls(error: unknown, { callId, signal }: CallOptions): Promise<boolean> {
    const { connection, options: client } = this.#setup;
    const pages =
      connection.codec.era === 'legacy' ? readUrlElicitations(error, client.capabilities) : undefined;
    if (pages === undefined) return Promise.resolve(false);
    return visitUrls(pages, {
      handler: client.inputHandler,
      callId,
      signal: signal === undefined ? connection.ended : AbortSignal.any([signal, connection.ended]),
    });
  }

  /** Does what makes sending the same request again sensible, or throws the error. */
  async #cure(error: HostError | RpcError, httpStatus: number | undefined, session: number): Promise<void> {
    const { connection } = this.#setup;
    const { era } = connection.codec;
    // In both cases the server has not looked at the request, so nothing is done twice.
    if (era === 'legacy' && error instanceof HostError && error.code === 'sessionExpired') {
      // Requests side by side find out one after the other; the first one has seen to it.
      if (session !== this.#session) return;
      return this.#greetAgain();
    }
    if (era === 'modern' && error instanceof RpcError && error.code === errorCode.unsupportedVersion) {
      const version = laterVersion(error);
      if (version !== undefined) return this.#setup.useVersion(version);
    }
    throw (await this.#setup.eras.check(error, httpStatus)) ?? error;
  }

  /** The stream on which a legacy server speaks unasked shows that its session is gone: without a new one it stays silent. */
  sessionForgotten(): void {
    this.#greetAgain().catch((error: unknown) => {
      this.#setup.options.log?.({ level: 'warn', text: `The session is lost: ${errorMessage(error)}` });
    });
  }

  #greetAgain(): Promise<void> {
    this.#lost = true;
    this.#greeting ??= this.#setup
      .greetAgain()
      .then(
        () => {
          this.#lost = false;
          this.#session++;
        },
        async (error: unknown) => {
          throw (await this.#setup.eras.check(error, undefined)) ?? error;
        },
      )
      .finally(() => (this.#greeting = undefined));
    return this.#greeting;
  }

  #maxTimeoutMs(options: CallOptions): number {
    return options.maxTimeoutMs ?? this.#setup.options.maxRequestTimeoutMs ?? defaultMaxTimeoutMs;
  }
}
