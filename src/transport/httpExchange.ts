import type { Dispatcher } from 'undici';
import { HostError } from '../base/errors.ts';

export type HttpMethod = 'GET' | 'POST' | 'DELETE';

/** The refusal that an attempt ended with. */
export interface HttpChallenge {
  readonly status: 401 | 403;
  readonly wwwAuthenticate: string | undefined;
}

/** Why the authorization hook is asked. */
export interface AuthorizationRequest {
  readonly url: URL;
  readonly method: HttpMethod;
  /** The refusal of the attempt before, if there was one. */
  readonly challenge?: HttpChallenge;
  /** Fires when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/**
 * Gives the value of the Authorization header, or undefined to send none. May take as long as a person needs.
 * Asked again after a 401 or 403; the same value as before means that the refusal is final.
 */
export type Authorize = (request: AuthorizationRequest) => string | undefined | Promise<string | undefined>;

export interface HttpRequest {
  readonly method: HttpMethod;
  readonly url: URL;
  /** Name, value, name, value … */
  readonly headers: readonly string[];
  readonly body?: string;
}

export interface HttpHead {
  readonly status: number;
  /** One field, by its lower-case name; several of a name are joined by commas. */
  header(name: string): string | undefined;
}

/** Learns what becomes of one exchange. After `end` or `failed` nothing follows; after an abort nothing at all. */
export interface HttpSink {
  head(head: HttpHead): void;
  chunk(bytes: Uint8Array): void;
  end(): void;
  /** `network` (details: sent, whether the request may have reached the server) or `invalidArguments`. */
  failed(error: HostError): void;
}

/** What an exchange needs of its endpoint. */
export interface HttpOrigin {
  /** The only origin that the exchange may talk to. */
  readonly origin: string;
  readonly dispatcher: Dispatcher;
  readonly authorize: Authorize | undefined;
  /** Headers of every request to this origin. */
  readonly headers: readonly string[];
}

type IncomingHeaders = Readonly<Record<string, string | string[] | undefined>>;

const maxRedirects = 3;
/** Answers of the authorization hook to refusals of one request. */
const maxAuthorizations = 3;
/** Bytes that a reply which we do not want may have before its connection is given up. */
const maxDiscarded = 65_536;

/**
 * One HTTP request and its reply, across redirects within the origin and across authorization.
 * A request is sent again only after a reply that says it was not acted on (307, 308, 401, 403).
 */
export class HttpExchange implements Dispatcher.DispatchHandler {
  readonly #origin: HttpOrigin;
  readonly #request: HttpRequest;
  readonly #sink: HttpSink;
  #controller: Dispatcher.DispatchController | undefined;
  #waiting: AbortController | undefined;
  #url: URL;
  #redirects = 0;
  #authorizations = 0;
  #authorization: string | undefined;
  /** What to do when the reply that is being discarded has ended. */
  #next: (() => void) | undefined;
  #discarded = 0;
  #sent = false;
  #done = false;

  constructor(origin: HttpOrigin, request: HttpRequest, sink: HttpSink) {
    this.#origin = origin;
    this.#request = request;
    this.#sink = sink;
    this.#url = request.url;
  }

  /** Sends the request. The sink is never called before this returns. */
  start(): void {
    if (this.#origin.authorize === undefined) this.#dispatch();
    else void this.#authorize(this.#origin.authorize, undefined);
  }

  /** Ends the exchange by closing its connection. The sink hears nothing more. */
  abort(): void {
    if (this.#done) return;
    this.#done = true;
    this.#waiting?.abort();
    this.#controller?.abort(new HostError('cancelled', 'The exchange was cancelled.'));
  }

  /** Lets the rest of the reply wait where it is, until `release`. */
  hold(): void {
    if (!this.#done) this.#controller?.pause();
  }

  release(): void {
    if (!this.#done) this.#controller?.resume();
  }

  async #authorize(authorize: Authorize, challenge: HttpChallenge | undefined): Promise<void> {
    this.#waiting = new AbortController();
    const { signal } = this.#waiting;
    const before = this.#authorization;
    try {
      const request = { url: this.#url, method: this.#request.method, signal };
      this.#authorization = await authorize(challenge === undefined ? request : { ...request, challenge });
    } catch (cause) {
      if (cause instanceof HostError) return this.#fail(cause);
      return this.#fail(new HostError('unauthorized', 'Authorization failed.', { cause }));
    }
    if (challenge !== undefined && this.#authorization === before) {
      return this.#fail(refusedAuthorization(challenge));
    }
    this.#dispatch();
  }

  #dispatch(): void {
    if (this.#done) return;
    const { method, headers, body } = this.#request;
    const all = [...headers, ...this.#origin.headers];
    if (this.#authorization !== undefined) all.push('authorization', this.#authorization);
    const path = `${this.#url.pathname}${this.#url.search}`;
    const { origin, dispatcher } = this.#origin;
    dispatcher.dispatch({ origin, path, method, headers: all, body: body ?? null }, this);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    this.#sent = true;
    if (this.#done) controller.abort(new HostError('cancelled', 'The exchange was cancelled.'));
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHeaders): void {
    // 1xx is news about the request, not its reply.
    if (this.#done || status < 200) return;
    const head = new IncomingHead(status, headers);
    this.#next = this.#redirect(head) ?? this.#challenge(head);
    if (this.#next === undefined) this.#sink.head(head);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#done) return;
    if (this.#next === undefined) return this.#sink.chunk(chunk);
    this.#discarded += chunk.length;
    if (this.#discarded > maxDiscarded) controller.abort(new HostError('cancelled', 'Not wanted.'));
  }

  onResponseEnd(): void {
    if (this.#done || this.#goOn()) return;
    this.#done = true;
    this.#sink.end();
  }

  onResponseError(_: Dispatcher.DispatchController | undefined, cause: Error): void {
    if (this.#done || this.#goOn()) return;
    const error = networkError(cause, this.#sent);
    if (this.#sent) this.#fail(error);
    // Errors found before sending may come from inside `start`.
    else queueMicrotask(() => this.#fail(error));
  }

  #goOn(): boolean {
    const next = this.#next;
    if (next === undefined) return false;
    this.#next = undefined;
    this.#discarded = 0;
    next();
    return true;
  }

  #fail(error: HostError): void {
    if (this.#done) return;
    this.#done = true;
    this.#sink.failed(error);
  }

  #redirect(head: HttpHead): (() => void) | undefined {
    const target = redirectTarget(this.#request.method, head, this.#url);
    if (target === undefined || this.#redirects >= maxRedirects) return undefined;
    return () => {
      this.#redirects++;
      this.#url = target;
      this.#dispatch();
    };
  }

  #challenge(head: HttpHead): (() => void) | undefined {
    const { authorize } = this.#origin;
    const { status } = head;
    if (authorize === undefined || (status !== 401 && status !== 403)) return undefined;
    const wwwAuthenticate = head.header('www-authenticate');
    // A 403 without a challenge says nothing that another token could change.
    if (status === 403 && wwwAuthenticate === undefined) return undefined;
    if (this.#authorizations >= maxAuthorizations) return undefined;
    return () => {
      this.#authorizations++;
      void this.#authorize(authorize, { status, wwwAuthenticate });
    };
  }
}

class IncomingHead implements HttpHead {
  readonly status: number;
  readonly #headers: IncomingHeaders;

  constructor(status: number, headers: IncomingHeaders) {
    this.status = status;
    this.#headers = headers;
  }

  header(name: string): string | undefined {
    const value = Object.hasOwn(this.#headers, name) ? this.#headers[name] : undefined;
    return typeof value === 'string' ? value : value?.join(', ');
  }
}

/**
 * Where a reply sends us, if we follow: only within the origin, and a request with a body only where the
 * status says that it is to be repeated unchanged (RFC 9110, 15.4).
 */
export function redirectTarget(method: HttpMethod, head: HttpHead, from: URL): URL | undefined {
  const followed = method === 'GET' ? [301, 302, 303, 307, 308] : [307, 308];
  const location = head.header('location');
  if (!followed.includes(head.status) || location === undefined) return undefined;
  const target = URL.parse(location, from.href);
  if (target === null || target.origin !== from.origin || target.username !== '') return undefined;
  return target;
}

function refusedAuthorization({ status, wwwAuthenticate }: HttpChallenge): HostError {
  const details = wwwAuthenticate === undefined ? { status } : { status, wwwAuthenticate };
  return new HostError('unauthorized', 'The server refused the authorization.', { details });
}

function networkError(cause: Error, sent: boolean): HostError {
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.name;
  if (code === 'UND_ERR_INVALID_ARG' || code === 'UND_ERR_NOT_SUPPORTED') {
    return new HostError('invalidArguments', 'The request cannot be sent over HTTP.', { cause });
  }
  const what = sent ? 'The connection to the server broke' : 'The server cannot be reached';
  return new HostError('network', `${what} (${code}).`, { cause, details: { sent, errorCode: code } });
}
