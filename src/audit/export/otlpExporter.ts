import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { errorMessage } from '../../base/errors.ts';
import type { Event } from '../../base/event.ts';
import { type JsonObject, isJsonObject } from '../../base/json.ts';
import type { AuditRecord } from '../events.ts';
import { type OtlpSpan, type SpanRecord, isEnd, otlpRequest, spanOf } from './otlpSpans.ts';

export interface OtlpRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
}

export interface OtlpResponse {
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** The beginning of the body. */
  readonly body: string;
}

/** Sends one request. Rejects when there is no response. Follows no redirects. */
export type OtlpPost = (request: OtlpRequest) => Promise<OtlpResponse>;

export interface OtlpSettings {
  /** Where to send; without a path, `/v1/traces` is meant. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sends arguments and results too, as they are stored. */
  readonly content: boolean;
  /** Of this extension. */
  readonly version: string;
  readonly sessionId: string;
}

export interface OtlpPorts {
  readonly post: OtlpPost;
  readonly clock: Clock;
  /** For a log; the same problem in a row is told once. */
  readonly onProblem: (message: string) => void;
}

const batchSize = 256;
const batchMs = 2_000;
const timeoutMs = 10_000;
const maximumQueue = 4_096;
const maximumOpenCalls = 2_000;
const maximumRecords = 200;
const longestPauseMs = 60_000;

/** Sends finished calls to a collector. Nothing waits for it, and whatever goes wrong here stays here. */
export class OtlpExporter implements Disposable {
  readonly #settings: OtlpSettings;
  readonly #ports: OtlpPorts;
  readonly #url: string;
  readonly #subscription: Disposable;
  #calls = new Map<string, SpanRecord[]>();
  #addresses = new Map<string, { host: string; port: number }>();
  #queue: OtlpSpan[] = [];
  #timer: Disposable | undefined;
  #sending: Promise<void> | undefined;
  #failures = 0;
  #dropped = 0;
  #problem = '';
  #abort = new AbortController();

  /** @throws TypeError if the endpoint is no http or https address */
  constructor(settings: OtlpSettings, onRecorded: Event<AuditRecord>, ports: OtlpPorts) {
    this.#settings = settings;
    this.#ports = ports;
    this.#url = tracesUrl(settings.endpoint);
    this.#subscription = onRecorded((record) => this.#take(record));
  }

  /** Spans that wait to be sent. */
  get waiting(): number {
    return this.#queue.length;
  }
  /** Spans given up, because the collector refused them or was away for too long. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Sends what waits, once; for the end of a session. Never rejects. */
  async flush(): Promise<void> {
    this.#timer?.dispose();
    this.#timer = undefined;
    await this.#sending;
    while (this.#queue.length > 0) {
      const before = this.#queue.length;
      await this.#send();
      if (this.#queue.length >= before) return;
    }
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#timer?.dispose();
    this.#abort.abort();
  }

  #take({ event, time }: AuditRecord): void {
    if (event.kind === 'serverStarted') {
      if (event.address === undefined) this.#addresses.delete(event.serverId);
      else this.#addresses.set(event.serverId, event.address);
    }
    if (!('callId' in event) || event.callId === undefined || event.kind === 'grantMade') return;
    // Events are JSON; the compiler only knows them by their members.
    const record: SpanRecord = { kind: event.kind, time, fields: event as unknown as JsonObject };
    const records = this.#calls.get(event.callId) ?? [];
    if (records.length < maximumRecords || isEnd(record)) records.push(record);
    if (!isEnd(record)) return this.#keep(event.callId, records);
    this.#calls.delete(event.callId);
    const span = spanOf(records, {
      sessionId: this.#settings.sessionId,
      content: this.#settings.content,
      address: this.#addresses.get(event.serverId),
    });
    if (span !== undefined) this.#enqueue(span);
  }

  #keep(callId: string, records: SpanRecord[]): void {
    this.#calls.set(callId, records);
    if (this.#calls.size <= maximumOpenCalls) return;
    for (const oldest of this.#calls.keys()) {
      this.#calls.delete(oldest);
      return;
    }
  }

  #enqueue(span: OtlpSpan): void {
    this.#queue.push(span);
    if (this.#queue.length > maximumQueue) {
      this.#queue.shift();
      this.#dropped++;
      this.#tell('The collector does not take spans fast enough; the oldest are given up.');
    }
    this.#schedule(this.#queue.length >= batchSize && this.#failures === 0 ? 0 : batchMs);
  }

  #schedule(ms: number): void {
    if (this.#timer !== undefined || this.#sending !== undefined) return;
    this.#timer = this.#ports.clock.after(ms, () => {
      this.#timer = undefined;
      void this.#send();
    });
  }

  #send(): Promise<void> {
    this.#sending ??= this.#sendBatch().finally(() => {
      this.#sending = undefined;
    });
    return this.#sending;
  }

  async #sendBatch(): Promise<void> {
    const batch = this.#queue.slice(0, batchSize);
    if (batch.length === 0) return;
    const pauseMs = await this.#deliver(batch);
    if (pauseMs === undefined) {
      // The queue may have lost its oldest meanwhile.
      const done = new Set(batch);
      this.#queue = this.#queue.filter((span) => !done.has(span));
      this.#failures = 0;
    } else this.#failures++;
    if (this.#queue.length > 0 && !this.#abort.signal.aborted) {
      this.#sending = undefined;
      this.#schedule(pauseMs ?? 0);
    }
  }

  /** Returns how long to wait before trying the same again, in milliseconds; `undefined` if it is settled. */
  async #deliver(batch: readonly OtlpSpan[]): Promise<number | undefined> {
    const { version, sessionId, headers } = this.#settings;
    try {
      const response = await this.#ports.post({
        url: this.#url,
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(otlpRequest(batch, { version, sessionId })),
        signal: AbortSignal.any([this.#abort.signal, AbortSignal.timeout(timeoutMs)]),
      });
      if (response.status >= 200 && response.status < 300) {
        this.#problem = '';
        this.#notePartial(response.body);
        return undefined;
      }
      this.#tell(`The collector at ${this.#url} answered with status ${response.status}.`);
      if ([429, 502, 503, 504].includes(response.status)) return this.#pause(response.retryAfter);
      this.#dropped += batch.length;
      return undefined;
    } catch (error) {
      this.#tell(`The collector at ${this.#url} cannot be reached: ${errorMessage(error)}`);
      return this.#pause(undefined);
    }
  }

  #pause(retryAfter: string | undefined): number {
    const asked = Number(retryAfter) * 1_000;
    const own = Math.min(longestPauseMs, 1_000 * 2 ** Math.min(this.#failures, 10));
    return Number.isFinite(asked) && asked > 0 ? Math.min(asked, 10 * longestPauseMs) : own;
  }

  /** A collector may take some spans and refuse others (OTLP, "Partial Success"); those are not sent again. */
  #notePartial(body: string): void {
    let answer: unknown;
    try {
      answer = JSON.parse(body);
    } catch {
      return;
    }
    const partial = isJsonObject(answer) ? answer['partialSuccess'] : undefined;
    if (!isJsonObject(partial)) return;
    const rejected = Number(partial['rejectedSpans'] ?? 0);
    if (!(rejected > 0)) return;
    this.#dropped += rejected;
    const { errorMessage: reason } = partial;
    this.#tell(
      `The collector refused ${rejected} spans: ${typeof reason === 'string' ? reason.slice(0, 200) : ''}`,
    );
  }

  #tell(problem: string): void {
    if (this.#problem === problem) return;
    this.#problem = problem;
    this.#ports.onProblem(problem);
  }
}

function tracesUrl(endpoint: string): string {
  const url = new URL(endpoint);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new TypeError('The endpoint must be an http or https address.');
  if (url.pathname === '/') url.pathname = '/v1/traces';
  return url.href;
}
