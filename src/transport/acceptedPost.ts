import type { Disposable } from '../base/disposable.ts';
import { HostError } from '../base/errors.ts';
import { BodyCollector } from './httpBody.ts';
import type { HttpContext } from './httpContext.ts';
import type { HttpExchange, HttpHead, HttpRequest, HttpSink } from './httpExchange.ts';
import { readRefusal, refusalError, sessionExpiredError } from './httpRefusal.ts';
import type { JsonRpcErrorResponse } from './transport.ts';

/** The outcome of a message whose HTTP reply only says whether it was taken. */
export type Acceptance =
  | { readonly kind: 'accepted' }
  | {
      readonly kind: 'refused';
      readonly error: HostError;
      /** What the server said about it, if it said so in JSON-RPC. */
      readonly answer?: JsonRpcErrorResponse;
    }
  /** We gave up waiting. */
  | { readonly kind: 'stopped' };

/** A POST or DELETE that the server only has to accept. */
export class AcceptedPost implements HttpSink {
  readonly outcome: Promise<Acceptance>;
  readonly #context: HttpContext;
  readonly #inSession: boolean;
  readonly #body: BodyCollector;
  #resolve: (acceptance: Acceptance) => void = () => {};
  #exchange: HttpExchange | undefined;
  #timer: Disposable | undefined;
  #refused: HttpHead | undefined;

  /** `inSession`: the message carries a session id, so that 404 is about the session. */
  constructor(context: HttpContext, inSession: boolean) {
    this.#context = context;
    this.#inSession = inSession;
    this.#body = new BodyCollector(context.limits.refusalBytes);
    this.outcome = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  /** Sends it. `timeoutMs`: milliseconds to wait, Infinity for as long as it takes. */
  start(request: HttpRequest, timeoutMs: number): void {
    const { endpoint, clock } = this.#context;
    if (timeoutMs !== Infinity) {
      this.#timer = clock.after(timeoutMs, () => {
        const error = new HostError('timeout', 'The server did not say in time that it accepts a message.');
        this.#refuse(error);
      });
    }
    this.#exchange = endpoint.open(request, this);
  }

  /** Gives up waiting. */
  stop(): void {
    this.#exchange?.abort();
    this.#settle({ kind: 'stopped' });
  }

  head(head: HttpHead): void {
    if (head.status >= 200 && head.status <= 299) this.#settle({ kind: 'accepted' });
    else if (this.#inSession && head.status === 404) this.#refuse(sessionExpiredError(404));
    else this.#refused = head;
  }

  chunk(bytes: Uint8Array): void {
    if (this.#refused === undefined) {
      // An accepted message needs no body; a long one is not waited for.
      if (!this.#body.push(bytes)) this.#exchange?.abort();
    } else if (!this.#body.push(bytes)) {
      this.#refuse(refusalError(this.#context.endpoint, this.#refused, this.#body));
    }
  }

  end(): void {
    if (this.#refused === undefined) return;
    const error = refusalError(this.#context.endpoint, this.#refused, this.#body);
    const answer = readRefusal(this.#body);
    this.#settle(answer === undefined ? { kind: 'refused', error } : { kind: 'refused', error, answer });
  }

  failed(error: HostError): void {
    this.#settle({ kind: 'refused', error });
  }

  #refuse(error: HostError): void {
    this.#exchange?.abort();
    this.#settle({ kind: 'refused', error });
  }

  #settle(acceptance: Acceptance): void {
    this.#timer?.dispose();
    this.#resolve(acceptance);
  }
}
