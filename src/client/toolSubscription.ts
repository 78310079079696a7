import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import { errorMessage, HostError, RpcError } from '../base/errors.ts';
import { isJsonObject } from '../base/json.ts';
import { errorCode } from '../protocol/errorCodes.ts';
import type { JsonRpcNotification, RequestId } from '../protocol/jsonRpc.ts';
import { readSubscriptionId } from '../protocol/meta.ts';
import { method } from '../protocol/methods.ts';
import type { MessageOrigin } from '../transport/transport.ts';
import type { EraCheck } from './eraCheck.ts';
import type { Hearing } from './hearing.ts';
import type { RpcConnection } from './rpcConnection.ts';

const firstWait = 1_000;
const longestWait = 60_000;
/** A stream that lived this long was sound: the next attempt comes soon again. Milliseconds. */
const soundAfter = 10_000;

export interface SubscriptionOptions {
  readonly connection: RpcConnection;
  readonly clock: Clock;
  /** 0 to below 1. */
  readonly random: () => number;
  readonly onChanged: () => void;
  /** Told whether notices reach us. */
  readonly hearing: Hearing;
  readonly eras: EraCheck;
  readonly log: (text: string) => void;
}

/** Keeps a `subscriptions/listen` stream open for tool changes (specification: subscriptions). */
export class ToolSubscription implements Disposable {
  readonly #options: SubscriptionOptions;
  readonly #stop = new AbortController();
  #id: RequestId | undefined;
  #acknowledged = false;
  #attempts = 0;
  #retry: Disposable | undefined;

  constructor(options: SubscriptionOptions) {
    this.#options = options;
  }

  start(): void {
    void this.#listen();
  }

  dispose(): void {
    this.#retry?.dispose();
    this.#stop.abort(new HostError('cancelled', 'Nobody listens any more.'));
  }

  /** Offers a notification; false when it belongs to no subscription of ours. */
  receive(notification: JsonRpcNotification, origin: MessageOrigin): boolean {
    // On HTTP the stream itself says which subscription it is.
    const id = readSubscriptionId(notification.params) ?? origin.requestId;
    if (id === undefined || id !== this.#id) return false;
    switch (notification.method) {
      case method.acknowledged:
        this.#acknowledge(notification);
        return true;
      case method.toolsChanged:
        this.#options.onChanged();
        return true;
      default:
        return false;
    }
  }

  /** The server ends a stream with this notification (specification: cancellation). */
  cancelled(requestId: unknown): void {
    if (requestId !== undefined && requestId === this.#id) {
      this.#id = undefined;
      this.#options.connection.requestFailed(
        requestId as RequestId,
        new HostError('streamEnded', 'The server ended the subscription.'),
      );
    }
  }

  #acknowledge(notification: JsonRpcNotification): void {
    if (this.#acknowledged) return;
    this.#acknowledged = true;
    const honoured = notification.params?.['notifications'];
    if (!isJsonObject(honoured) || honoured['toolsListChanged'] !== true) {
      this.#options.log('The server does not announce changes of its tools.');
      this.#options.hearing.none();
      this.#stop.abort(new HostError('cancelled', 'The subscription is of no use.'));
      return;
    }
    this.#options.hearing.opened();
  }

  async #listen(): Promise<void> {
    const { connection, clock, hearing, log } = this.#options;
    const opened = clock.monotonic();
    this.#acknowledged = false;
    const outcome = await connection.exchange(
      method.listen,
      { notifications: { toolsListChanged: true } },
      {
        signal: this.#stop.signal,
        timeoutMs: Infinity,
        maxTimeoutMs: Infinity,
        onId: (id) => (this.#id = id),
      },
    );
    this.#id = undefined;
    // The stream breaks when a server is exchanged, so this is where that shows first.
    if (outcome.kind !== 'result' && !this.#stop.signal.aborted)
      await this.#options.eras.check(
        outcome.error,
        outcome.kind === 'error' ? outcome.httpStatus : undefined,
      );
    if (this.#stop.signal.aborted || connection.ended.aborted) return;
    if (outcome.kind === 'error' && isFinal(outcome.error)) {
      log(`The server does not announce changes: ${outcome.error.message}`);
      hearing.none();
      return;
    }
    if (this.#acknowledged && clock.monotonic() - opened >= soundAfter) this.#attempts = 0;
    hearing.lost();
    const wait =
      Math.min(firstWait * 2 ** this.#attempts++, longestWait) * (0.5 + this.#options.random() / 2);
    const why = outcome.kind === 'result' ? 'ended' : `was lost (${errorMessage(outcome.error)})`;
    log(`The stream of change notices ${why}; it is opened again in ${Math.round(wait)} ms.`);
    this.#retry = clock.after(wait, () => void this.#listen());
  }
}

/** The server will not answer otherwise the next time. */
function isFinal(error: RpcError): boolean {
  return error.code === errorCode.methodNotFound || error.code === errorCode.invalidParams;
}
