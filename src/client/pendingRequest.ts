import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import { HostError } from '../base/errors.ts';
import type { JsonRpcErrorResponse, JsonRpcResult, RequestId } from '../protocol/jsonRpc.ts';
import type { Progress } from '../protocol/model.ts';
import type { MessageOrigin } from '../transport/transport.ts';
import { ProgressGate } from './progressGate.ts';
import type { RequestOptions } from './rpcConnection.ts';

/** How a request ended: with an answer, or with an error of ours. */
export type Finish = (
  ending: JsonRpcResult | JsonRpcErrorResponse | HostError,
  origin: MessageOrigin | undefined,
) => void;

/** One request of ours that waits for its answer. Times are monotonic milliseconds. */
export class PendingRequest implements Disposable {
  readonly id: RequestId;
  readonly method: string;
  readonly options: RequestOptions;
  readonly finish: Finish;
  /** Ends the HTTP exchange. */
  exchange: AbortController | undefined;
  onAbort: (() => void) | undefined;
  #idleDeadline: number;
  #maxDeadline: number;
  #pausedAt: number | undefined;
  #pauses = 0;
  // Most requests end before they need any of these.
  #gate: ProgressGate | undefined;
  #inputs: Set<AbortController> | undefined;

  constructor(id: RequestId, method: string, options: RequestOptions, finish: Finish, now: number) {
    this.id = id;
    this.method = method;
    this.options = options;
    this.finish = finish;
    this.#idleDeadline = now + options.timeoutMs;
    this.#maxDeadline = now + options.maxTimeoutMs;
  }

  /** When to give up, as things stand. */
  get deadline(): number {
    return this.#pauses > 0 ? Infinity : Math.min(this.#idleDeadline, this.#maxDeadline);
  }

  progress(progress: Progress, clock: Clock): void {
    this.#gate ??= new ProgressGate(clock, this.options.onProgress);
    if (this.#gate.accept(progress)) this.#idleDeadline = clock.monotonic() + this.options.timeoutMs;
  }

  /** A person is being asked: time does not count. May be nested. */
  pause(now: number): void {
    if (this.#pauses++ === 0) this.#pausedAt = now;
  }

  resume(now: number): void {
    if (--this.#pauses > 0 || this.#pausedAt === undefined) return;
    const paused = now - this.#pausedAt;
    this.#pausedAt = undefined;
    this.#idleDeadline += paused;
    this.#maxDeadline += paused;
  }

  /** Aborts the controller when this request ends: what was asked for its sake is of no use any more. */
  own(input: AbortController): void {
    this.#inputs ??= new Set();
    this.#inputs.add(input);
  }

  disown(input: AbortController): void {
    this.#inputs?.delete(input);
  }

  timeoutError(now: number): HostError {
    const overMax = this.#maxDeadline <= now;
    const limit = overMax ? this.options.maxTimeoutMs : this.options.timeoutMs;
    const what = overMax ? 'in all' : 'without an answer or progress';
    return new HostError(
      'timeout',
      `The server did not finish "${this.method}": ${seconds(limit)} ${what}.`,
      {
        details: { method: this.method, limitMs: limit },
      },
    );
  }

  dispose(): void {
    if (this.onAbort !== undefined) this.options.signal?.removeEventListener('abort', this.onAbort);
    this.#gate?.dispose();
    for (const input of this.#inputs ?? [])
      input.abort(new HostError('cancelled', 'The request that asked has ended.'));
  }
}

function seconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}
