import { abortError, throwIfAborted } from '../base/abort.ts';
import { HostError } from '../base/errors.ts';
import { isRequest } from '../protocol/jsonRpc.ts';
import type { Era } from '../protocol/model.ts';
import { type Acceptance, AcceptedPost } from './acceptedPost.ts';
import { type HttpContext, type HttpGround, httpGround, type HttpTransportOptions } from './httpContext.ts';
import { LegacySseStream } from './legacySseStream.ts';
import { type MuteableEvents, muteable } from './muteableEvents.ts';
import { jsonHeaders, protocolHeaders } from './streamableHttpHeaders.ts';
import type { JsonRpcMessage, SendOptions, Transport, TransportEvents } from './transport.ts';

/**
 * A transport for servers with the HTTP+SSE transport of 2024-11-05: one stream for all that comes, POST for all
 * that goes. When the stream ends the session is gone, so the transport ends with it.
 * @throws HostError `invalidConfiguration` for a URL or headers that cannot be used
 */
export function createLegacySseTransport(options: HttpTransportOptions): Transport {
  return new LegacySseTransport(options);
}

class LegacySseTransport implements Transport {
  readonly kind = 'legacySse';
  readonly #ground: HttpGround;
  readonly #log: (line: string) => void;
  readonly #posts = new Set<AcceptedPost>();
  #events: MuteableEvents | undefined;
  #stream: LegacySseStream | undefined;
  /** Present while messages can be sent. */
  #open: { readonly context: HttpContext; readonly target: URL } | undefined;
  #version: string | undefined;
  #ending: Promise<void> | undefined;

  constructor(options: HttpTransportOptions) {
    this.#ground = httpGround(options);
    this.#log = options.log ?? (() => {});
  }

  async start(events: TransportEvents, signal?: AbortSignal): Promise<void> {
    throwIfAborted(signal);
    if (this.#events !== undefined) throw new HostError('closed', 'A transport can be started once.');
    this.#events = muteable(events);
    this.#ground.endpoint.reportIgnoredHeaders(this.#log);
    const context = { ...this.#ground, events: this.#events };
    try {
      await this.#connect(context, signal);
    } catch (error) {
      this.#stream?.stop();
      await this.#ground.endpoint.close();
      throw error;
    }
  }

  // oxlint-disable-next-line require-await -- it rejects where a plain function would throw
  async send(message: JsonRpcMessage, options: SendOptions = {}): Promise<void> {
    throwIfAborted(options.signal);
    if (this.#open === undefined) throw new HostError('closed', 'The connection to the server is closed.');
    const { context, target } = this.#open;
    if (!isRequest(message) && this.#posts.size >= context.limits.unacceptedPosts)
      throw new HostError('limitExceeded', 'The server asks faster than it takes our answers.');
    const facts = { kind: 'legacy', version: this.#version, sessionId: undefined } as const;
    const headers = [...jsonHeaders, ...protocolHeaders(message, facts)];
    const post = new AcceptedPost(context, false);
    this.#posts.add(post);
    // The owner of a request decides how long it waits, and servers may accept it when they have answered it.
    const onAbort = (): void => post.stop();
    options.signal?.addEventListener('abort', onAbort, { once: true });
    const timeoutMs = isRequest(message) ? Infinity : this.#ground.limits.acceptMs;
    post.start({ method: 'POST', url: target, headers, body: JSON.stringify(message) }, timeoutMs);
    void post.outcome.then((acceptance) => {
      options.signal?.removeEventListener('abort', onAbort);
      this.#posts.delete(post);
      this.#report(context, message, acceptance);
    });
  }

  useProtocol(era: Era, version: string): void {
    this.#version = era === 'legacy' ? version : undefined;
  }

  close(): Promise<void> {
    return this.#end(undefined);
  }

  #report({ events }: HttpContext, message: JsonRpcMessage, acceptance: Acceptance): void {
    if (acceptance.kind !== 'refused') return;
    const { error, answer } = acceptance;
    if (!isRequest(message)) return events.dropped(error);
    if (answer === undefined) return events.requestFailed(message.id, error);
    const { id: _, ...rest } = answer;
    const status = error.details['status'];
    const origin = { requestId: message.id };
    events.message(rest, typeof status === 'number' ? { ...origin, httpStatus: status } : origin);
  }

  #end(error: HostError | undefined): Promise<void> {
    const wasOpen = this.#open !== undefined;
    this.#open = undefined;
    this.#ending ??= (async () => {
      this.#events?.mute();
      this.#stream?.stop();
      for (const post of Array.from(this.#posts)) post.stop();
      await this.#ground.endpoint.close();
      if (wasOpen) this.#events?.end(error);
    })();
    return this.#ending;
  }

  /** Opens the stream and waits for the address that messages go to. */
  #connect(context: HttpContext, signal: AbortSignal | undefined): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      const settle = (error: HostError | undefined): void => {
        timer.dispose();
        signal?.removeEventListener('abort', onAbort);
        if (error === undefined) resolve();
        else reject(error);
      };
      const onAbort = (): void => {
        if (signal !== undefined) settle(abortError(signal));
      };
      const timer = context.clock.after(this.#ground.limits.endpointMs, () => {
        settle(new HostError('timeout', 'The server did not say in time where messages go.'));
      });
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#stream = new LegacySseStream(context, {
        onTarget: (target) => {
          this.#open = { context, target };
          settle(undefined);
        },
        onEnded: (error) => {
          if (this.#open === undefined) settle(error);
          else void this.#end(error);
        },
      });
      this.#stream.start();
    });
  }
}
