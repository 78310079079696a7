import { delay } from '../base/abort.ts';
import { HostError } from '../base/errors.ts';
import type { Acceptance } from './acceptedPost.ts';
import type { HttpContext } from './httpContext.ts';
import type { HttpHead } from './httpExchange.ts';
import { StandaloneStream } from './standaloneStream.ts';
import { type HeaderFacts, isSessionId, protocolHeaders } from './streamableHttpHeaders.ts';

/**
 * What lasts from one `initialize` to the next or to the end (2025-11-25: transports, "Session Management").
 * A new handshake gets a new one, so that late news about the old one cannot touch it.
 */
export class LegacySession {
  readonly #context: HttpContext;
  readonly #ended = new AbortController();
  #id: string | undefined;
  #version: string | undefined;
  #ready: Promise<void> | undefined;
  #accepted = false;
  #listener: StandaloneStream | undefined;

  constructor(context: HttpContext) {
    this.#context = context;
  }

  /** True when the server assigned an id. */
  get hasId(): boolean {
    return this.#id !== undefined;
  }

  /** While `notifications/initialized` is on its way: settles when other messages may follow. */
  get ready(): Promise<void> | undefined {
    return this.#ready;
  }

  /** What the headers of a message in this session depend on. */
  get facts(): HeaderFacts {
    return { kind: 'legacy', version: this.#version, sessionId: this.#id };
  }

  /** Takes the id from the reply to `initialize`, if there is one. */
  takeId(head: HttpHead): void {
    const id = head.header('mcp-session-id');
    if (id === undefined || head.status < 200 || head.status > 299) return;
    if (isSessionId(id)) this.#id = id;
    else {
      const problem = new HostError('protocolViolation', 'The session id of the server cannot be sent back.');
      this.#context.events.dropped(problem);
    }
  }

  /** The handshake settled this revision. */
  settle(version: string): void {
    this.#version = version;
    this.#listen();
  }

  /** `notifications/initialized` has been sent. */
  expectAcceptance(acceptance: Promise<Acceptance>): void {
    const accepted = acceptance.then(({ kind }) => {
      if (kind !== 'accepted') return;
      this.#accepted = true;
      this.#listen();
    });
    // A server that does not say so gets the next message nevertheless.
    const waited = delay(this.#context.clock, this.#context.limits.initializedMs, this.#ended.signal);
    this.#ready = Promise.race([accepted, waited.catch(() => undefined)]).then(() => {
      this.#ready = undefined;
    });
  }

  /** Closes what belongs to the session. The server is not told. */
  end(): void {
    this.#ended.abort();
    this.#listener?.stop();
  }

  #listen(): void {
    const settled = this.#accepted && this.#version !== undefined;
    if (!settled || this.#listener !== undefined || this.#ended.signal.aborted) return;
    this.#listener = new StandaloneStream(this.#context, () => protocolHeaders(undefined, this.facts));
    this.#listener.start();
  }
}
