import { raceAbort, throwIfAborted } from '../base/abort.ts';
import { HostError } from '../base/errors.ts';
import { isRequest } from '../protocol/jsonRpc.ts';
import { method } from '../protocol/methods.ts';
import type { Era } from '../protocol/model.ts';
import { type Acceptance, AcceptedPost } from './acceptedPost.ts';
import { type HttpContext, type HttpGround, httpGround, type HttpTransportOptions } from './httpContext.ts';
import { LegacySession } from './legacySession.ts';
import { type MuteableEvents, muteable } from './muteableEvents.ts';
import { claimedVersion, type HeaderFacts, jsonHeaders, protocolHeaders } from './streamableHttpHeaders.ts';
import { StreamableHttpRequest } from './streamableHttpRequest.ts';
import {
  accepted,
  type JsonRpcMessage,
  type JsonRpcRequest,
  type SendOptions,
  type Transport,
  type TransportEvents,
} from './transport.ts';

/**
 * A transport for the Streamable HTTP servers of both eras. Connects to nothing before the first message.
 * @throws HostError `invalidConfiguration` for a URL or headers that cannot be used
 */
export function createStreamableHttpTransport(options: HttpTransportOptions): Transport {
  return new StreamableHttpTransport(options);
}

class StreamableHttpTransport implements Transport {
  readonly kind = 'streamableHttp';
  readonly #ground: HttpGround;
  readonly #log: (line: string) => void;
  readonly #requests = new Set<StreamableHttpRequest>();
  readonly #posts = new Set<AcceptedPost>();
  #events: MuteableEvents | undefined;
  #context: HttpContext | undefined;
  #closing: Promise<void> | undefined;
  #settled: { readonly era: Era; readonly version: string } | undefined;
  #session: LegacySession | undefined;

  constructor(options: HttpTransportOptions) {
    this.#ground = httpGround(options);
    this.#log = options.log ?? (() => {});
  }

  // oxlint-disable-next-line require-await -- there is no connection to wait for
  async start(events: TransportEvents, signal?: AbortSignal): Promise<void> {
    throwIfAborted(signal);
    if (this.#events !== undefined) throw new HostError('closed', 'A transport can be started once.');
    this.#events = muteable(events);
    this.#context = { ...this.#ground, events: this.#events };
    this.#ground.endpoint.reportIgnoredHeaders(this.#log);
  }

  send(message: JsonRpcMessage, options: SendOptions = {}): Promise<void> {
    const ready = this.#session?.ready;
    if (ready !== undefined) return this.#sendAfter(ready, message, options);
    try {
      this.#send(message, options);
      return accepted;
    } catch (error) {
      return Promise.reject(error);
    }
  }

  async #sendAfter(ready: Promise<void>, message: JsonRpcMessage, options: SendOptions): Promise<void> {
    await raceAbort(ready, options.signal);
    this.#send(message, options);
  }

  #send(message: JsonRpcMessage, options: SendOptions): void {
    throwIfAborted(options.signal);
    const context = this.#openContext();
    if (isRequest(message)) this.#request(context, message, options);
    else if ('method' in message) this.#notify(context, message);
    else void this.#post(context, message);
  }

  useProtocol(era: Era, version: string): void {
    this.#settled = { era, version };
    if (era === 'modern') this.#forgetSession();
    else this.#session?.settle(version);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const context = this.#context;
    this.#events?.mute();
    this.#session?.end();
    for (const request of Array.from(this.#requests)) request.stop();
    for (const post of Array.from(this.#posts)) post.stop();
    if (context !== undefined && this.#session?.hasId === true) {
      // 2025-11-25: transports, "Session Management". Servers may refuse; nothing depends on the answer.
      const farewell = new AcceptedPost(context, true);
      const headers = protocolHeaders(undefined, this.#session.facts);
      farewell.start(
        { method: 'DELETE', url: this.#ground.endpoint.url, headers },
        this.#ground.limits.closeMs,
      );
      await farewell.outcome;
    }
    await this.#ground.endpoint.close();
    this.#events?.end(undefined);
  }

  #openContext(): HttpContext {
    if (this.#context !== undefined && this.#closing === undefined) return this.#context;
    throw new HostError('closed', 'The connection to the server is closed.');
  }

  #request(context: HttpContext, message: JsonRpcRequest, options: SendOptions): void {
    const initialize = message.method === method.initialize;
    const session = initialize ? this.#newSession(context) : this.#session;
    const facts = this.#facts(message);
    const request = new StreamableHttpRequest(context, {
      message,
      facts,
      resumeFacts: () => session?.facts ?? facts,
      extraHeaders: options.headers === undefined ? [] : Object.entries(options.headers).flat(),
      signal: options.signal,
      onHead: (head) => {
        if (initialize) session?.takeId(head);
      },
      onFinished: () => this.#requests.delete(request),
    });
    this.#requests.add(request);
    try {
      request.start();
    } catch (error) {
      request.stop();
      throw error;
    }
  }

  #notify(context: HttpContext, message: JsonRpcMessage & { readonly method: string }): void {
    const modern = this.#facts(message).kind === 'modern';
    // 2026-07-28, "Cancellation": closing the reply stream has said it already.
    if (modern && message.method === method.cancelled) return;
    const acceptance = this.#post(context, message);
    if (modern || message.method !== method.initialized) return;
    this.#session?.expectAcceptance(acceptance);
  }

  #post(context: HttpContext, message: JsonRpcMessage): Promise<Acceptance> {
    const facts = this.#facts(message);
    if (facts.kind === 'modern' && !('method' in message)) {
      throw new HostError('protocolViolation', 'Modern servers take no responses over HTTP.');
    }
    if (this.#posts.size >= context.limits.unacceptedPosts) {
      throw new HostError('limitExceeded', 'The server asks faster than it takes our answers.');
    }
    const post = new AcceptedPost(context, facts.kind === 'legacy' && facts.sessionId !== undefined);
    this.#posts.add(post);
    const headers = [...jsonHeaders, ...protocolHeaders(message, facts)];
    const request = {
      method: 'POST',
      url: this.#ground.endpoint.url,
      headers,
      body: JSON.stringify(message),
    } as const;
    post.start(request, this.#ground.limits.acceptMs);
    return post.outcome.then((acceptance) => {
      this.#posts.delete(post);
      if (acceptance.kind === 'refused') context.events.dropped(acceptance.error);
      return acceptance;
    });
  }

  #facts(message: JsonRpcMessage): HeaderFacts {
    const version = this.#settled?.version;
    const initialize = 'method' in message && message.method === method.initialize;
    if (!initialize && (claimedVersion(message) !== undefined || this.#settled?.era === 'modern')) {
      return { kind: 'modern', version };
    }
    return this.#session?.facts ?? { kind: 'legacy', version, sessionId: undefined };
  }

  #newSession(context: HttpContext): LegacySession {
    this.#forgetSession();
    this.#session = new LegacySession(context);
    return this.#session;
  }

  #forgetSession(): void {
    this.#session?.end();
    this.#session = undefined;
  }
}
