import type { Disposable } from '../base/disposable.ts';
import { HostError } from '../base/errors.ts';
import { BodyCollector } from './httpBody.ts';
import { type HttpContext, refusalError } from './httpContext.ts';
import type { HttpExchange, HttpHead, HttpSink } from './httpExchange.ts';
import { sessionExpiredError } from './streamableHttpReply.ts';

/** The outcome of a message that has no response: accepted, or why not. */
export type Acceptance =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'refused'; readonly error: HostError }
  | { readonly kind: 'cancelled' };

/** The POST (or DELETE) of something that the server only has to accept. */
export class AcceptedPost implements HttpSink {
  readonly outcome: Promise<Acceptance>;
  readonly #context: HttpContext;
  readonly #inSession: boolean;
  readonly #body: BodyCollector;
  #resolve: (acceptance: Acceptance) => void = () => {};
  #exchange: HttpExchange | undefined;
  #timer: Disposable | undefined;
  #refused: HttpHead | undefined;

  constructor(context: HttpContext, inSession: boolean) {
    this.#context = context;
    this.#inSession = inSession;
    this.#body = new BodyCollector(context.limits.refusalBytes);
    this.outcome = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  /** Sends it, and waits at most `timeoutMs` milliseconds. */
  start(
    method: 'POST' | 'DELETE',
    headers: readonly string[],
    body: string | undefined,
    timeoutMs: number,
  ): void {
    const { endpoint, clock } = this.#context;
    const request = { method, url: endpoint.url, headers };
    this.#timer = clock.after(timeoutMs, () => {
      this.#exchange?.abort();
      const message = 'The server did not say in time that it accepts a message.';
      this.#settle({ kind: 'refused', error: new HostError('timeout', message) });
    });
    this.#exchange = endpoint.open(body === undefined ? request : { ...request, body }, this);
  }

  /** Gives up waiting. */
  stop(): void {
    this.#exchange?.abort();
    this.#settle({ kind: 'cancelled' });
  }

  head(head: HttpHead): void {
    if (head.status >= 200 && head.status <= 299) this.#settle({ kind: 'accepted' });
    else if (this.#inSession && head.status === 404) {
      this.#settle({ kind: 'refused', error: sessionExpiredError(404) });
    } else this.#refused = head;
  }

  chunk(bytes: Uint8Array): void {
    // An accepted message has no body; whatever comes is not waited for.
    if (this.#refused === undefined) this.#exchange?.abort();
    else if (!this.#body.push(bytes)) {
      this.#exchange?.abort();
      this.end();
    }
  }

  end(): void {
    if (this.#refused === undefined) return;
    this.#settle({ kind: 'refused', error: refusalError(this.#context, this.#refused, this.#body) });
  }

  failed(error: HostError): void {
    this.#settle({ kind: 'refused', error });
  }

  #settle(acceptance: Acceptance): void {
    this.#timer?.dispose();
    this.#resolve(acceptance);
  }
}
