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
  #id: string | undefined;
  #version: string | undefined;
  #gate: { readonly ready: Promise<void>; readonly release: () => void } | undefined;
  #accepted = false;
  #ended = false;
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
    return this.#gate?.ready;
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
    const gate = Promise.withResolvers<void>();
    const release = (): void => {
      timer.dispose();
      this.#gate = undefined;
      gate.resolve();
    };
    // A server that does not say so gets the next message nevertheless.
    const timer = this.#context.clock.after(this.#context.limits.initializedMs, release);
    this.#gate = { ready: gate.promise, release };
    void acceptance.then(({ kind }) => {
      release();
      this.#accepted ||= kind === 'accepted';
      this.#listen();
    });
  }

  /** Closes what belongs to the session. The server is not told. */
  end(): void {
    this.#ended = true;
    this.#gate?.release();
    this.#listener?.stop();
  }

  #listen(): void {
    const settled = this.#accepted && this.#version !== undefined;
    if (!settled || this.#listener !== undefined || this.#ended) return;
    this.#listener = new StandaloneStream(this.#context, () => protocolHeaders(undefined, this.facts));
    this.#listener.start();
  }
}
