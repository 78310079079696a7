import { HostError } from '../base/errors.ts';
import type { Disposable } from '../base/disposable.ts';
import type { Era } from '../protocol/model.ts';
import type { ParsedMessage } from '../protocol/parseMessages.ts';
import { BodyCollector } from './httpBody.ts';
import type { HttpContext } from './httpContext.ts';
import { readRefusal, refusalError, sessionExpiredError } from './httpRefusal.ts';
import type { HttpExchange, HttpHead, HttpSink } from './httpExchange.ts';
import { LastEventId } from './lastEventId.ts';
import { LegacyEventStream } from './legacyEventStream.ts';
import { MessageQueue } from './messageQueue.ts';
import { type SseEvent, SseReader } from './sseReader.ts';
import { type HeaderFacts, jsonHeaders, protocolHeaders } from './streamableHttpHeaders.ts';
import {
  classifyReply,
  isBatch,
  judgeReplyMessage,
  meansForgottenSession,
  type ReplyFacts,
  replyFacts,
} from './streamableHttpReply.ts';
import type { JsonRpcMessage, JsonRpcRequest, MessageOrigin } from './transport.ts';

/** The part of the reply that is being read. */
type Reading =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'stream'; readonly reader: SseReader }
  | { readonly kind: 'json'; readonly body: BodyCollector }
  | {
      readonly kind: 'refusal';
      readonly head: HttpHead;
      readonly facts: ReplyFacts;
      readonly body: BodyCollector;
    };

export interface RequestParts {
  readonly message: JsonRpcRequest;
  readonly facts: HeaderFacts;
  /** As `facts`, with what the reply has added to the session. */
  readonly resumeFacts: () => HeaderFacts;
  readonly extraHeaders: readonly string[];
  readonly signal: AbortSignal | undefined;
  /** Called with the head of the reply, before anything is reported. */
  readonly onHead: (head: HttpHead) => void;
  /** Called once, when nothing of the request is left. */
  readonly onFinished: (request: StreamableHttpRequest) => void;
}

/** One of our requests: its POST, its reply as JSON or as a stream and, in the legacy era, the stream's resumption. */
export class StreamableHttpRequest implements HttpSink {
  readonly #context: HttpContext;
  readonly #parts: RequestParts;
  readonly #origin: MessageOrigin;
  readonly #onAbort = (): void => this.stop();
  readonly #queue = new MessageQueue({
    hold: () => (this.#resumed ?? this.#exchange)?.hold(),
    release: () => (this.#resumed ?? this.#exchange)?.release(),
    flooded: (error) => this.#fail(error),
  });
  #exchange: HttpExchange | undefined;
  #resumed: LegacyEventStream | undefined;
  #reading: Reading = { kind: 'nothing' };
  #ids: LastEventId | undefined;
  #linger: Disposable | undefined;
  #answered = false;
  #finished = false;

  constructor(context: HttpContext, parts: RequestParts) {
    this.#context = context;
    this.#parts = parts;
    this.#origin = { requestId: parts.message.id };
  }

  /** Sends the request. @throws HostError `invalidArguments` when a header cannot carry its value */
  start(): void {
    const { message, facts, extraHeaders, signal } = this.#parts;
    const headers = [...jsonHeaders, ...protocolHeaders(message, facts), ...extraHeaders];
    signal?.addEventListener('abort', this.#onAbort, { once: true });
    const { endpoint } = this.#context;
    const body = JSON.stringify(message);
    this.#exchange = endpoint.open({ method: 'POST', url: endpoint.url, headers, body }, this);
  }

  /** Closes the reply stream and reports nothing more: in the modern era this cancels the request. */
  stop(): void {
    if (this.#finished) return;
    this.#finished = true;
    this.#parts.signal?.removeEventListener('abort', this.#onAbort);
    this.#linger?.dispose();
    this.#queue.stop();
    this.#exchange?.abort();
    this.#resumed?.stop();
    this.#parts.onFinished(this);
  }

  head(head: HttpHead): void {
    this.#parts.onHead(head);
    const { facts } = this.#parts;
    const { limits } = this.#context;
    const inSession = facts.kind === 'legacy' && facts.sessionId !== undefined;
    const reply = replyFacts(head, facts.kind, inSession);
    switch (classifyReply(reply)) {
      case 'stream':
        this.#reading = { kind: 'stream', reader: this.#newReader() };
        return;
      case 'json':
        this.#reading = { kind: 'json', body: new BodyCollector(limits.bodyBytes) };
        return;
      case 'refusal':
      case 'unusable':
        this.#reading = {
          kind: 'refusal',
          head,
          facts: reply,
          body: new BodyCollector(limits.refusalBytes),
        };
        return;
      case 'unauthorized':
        return this.#fail(refusalError(this.#context.endpoint, head, undefined));
      case 'sessionExpired':
        return this.#fail(sessionExpiredError(head.status));
    }
  }

  chunk(bytes: Uint8Array): void {
    switch (this.#reading.kind) {
      case 'stream': {
        const { reader } = this.#reading;
        return this.#queue.feed(bytes.length, (from, to) => this.#read(reader, bytes.subarray(from, to)));
      }
      case 'json':
        if (this.#reading.body.push(bytes)) return;
        return this.#fail(new HostError('messageTooLarge', 'The body of the reply is too large.'));
      case 'refusal':
        if (this.#reading.body.push(bytes)) return;
        return this.#fail(refusalError(this.#context.endpoint, this.#reading.head, this.#reading.body));
      case 'nothing':
    }
  }

  end(): void {
    switch (this.#reading.kind) {
      case 'json':
        return this.#endOfJson(this.#reading.body);
      case 'refusal':
        return this.#endOfRefusal(this.#reading);
      case 'stream':
      case 'nothing':
        return this.#queue.afterwards(() => this.#endOfStream(undefined));
    }
  }

  failed(error: HostError): void {
    if (this.#reading.kind === 'stream') this.#queue.afterwards(() => this.#endOfStream(error));
    else this.#fail(error);
  }

  #read(reader: SseReader, piece: Uint8Array): void {
    if (this.#finished) return;
    try {
      reader.push(piece);
    } catch (error) {
      if (!(error instanceof HostError)) throw error;
      this.#fail(error);
    }
  }

  #newReader(): SseReader {
    const handler = { event: (event: SseEvent): void => this.#event(event) };
    // 2026-07-28: streams are not resumable, so nobody needs to know how far they got.
    if (this.#parts.facts.kind === 'legacy') this.#ids = new LastEventId();
    return new SseReader(handler, this.#context.limits.eventChars, this.#ids);
  }

  #endOfJson(body: BodyCollector): void {
    const text = this.#textOf(body);
    if (text === undefined) return;
    let flaw: HostError | undefined;
    this.#deliver(
      text,
      (found) => {
        flaw ??= found;
      },
      () => {
        if (!this.#answered) this.#fail(flaw ?? violation('The reply holds no response to the request.'));
        else if (flaw !== undefined) this.#drop(flaw);
        this.stop();
      },
    );
  }

  #textOf(body: BodyCollector): string | undefined {
    try {
      return body.text();
    } catch (error) {
      if (!(error instanceof HostError)) throw error;
      this.#fail(error);
      return undefined;
    }
  }

  #endOfRefusal(refusal: Extract<Reading, { kind: 'refusal' }>): void {
    const { head, body, facts } = refusal;
    const answer = readRefusal(body);
    if (answer === undefined || facts.status < 300) {
      return this.#fail(refusalError(this.#context.endpoint, head, body));
    }
    if (meansForgottenSession(facts, answer)) return this.#fail(sessionExpiredError(head.status));
    this.#answered = true;
    const { id: answered, ...rest } = answer;
    // Servers that refuse before they read the id put one of their own there.
    const message = answered === this.#origin.requestId ? answer : rest;
    this.#context.events.message(message, { ...this.#origin, httpStatus: head.status });
    this.stop();
  }

  #endOfStream(cause: HostError | undefined): void {
    if (this.#answered || this.#finished) return this.stop();
    const reader = this.#reading.kind === 'stream' ? this.#reading.reader : undefined;
    if (this.#ids?.value !== undefined) return this.#resume(this.#ids, reader?.retryMs);
    this.#fail(streamEnded(cause));
  }

  /** 2025-11-25: transports, "Resumability and Redelivery". */
  #resume(ids: LastEventId, retryMs: number | undefined): void {
    this.#resumed = new LegacyEventStream(this.#context, {
      headers: () => protocolHeaders(undefined, this.#parts.resumeFacts()),
      maxFailures: this.#context.limits.resumeAttempts,
      queue: this.#queue,
      onEvent: (event) => this.#event(event),
      onEnded: (error) =>
        this.#queue.afterwards(() =>
          this.#fail(error.code === 'sessionExpired' ? error : streamEnded(error)),
        ),
    });
    this.#resumed.startAfter(ids, retryMs);
  }

  #event(event: SseEvent): void {
    // An event without data only carries an id.
    if (this.#finished || event.data === '') return;
    if (event.type !== 'message') {
      return this.#drop(violation('An event of an unknown type was ignored.'));
    }
    this.#deliver(
      event.data,
      (flaw) => this.#drop(flaw),
      () => {
        if (this.#answered) this.#expectEnd();
      },
    );
  }

  /** After its response a stream should end by itself, which keeps the connection. */
  #expectEnd(): void {
    if (this.#resumed !== undefined) return this.stop();
    this.#linger ??= this.#context.clock.after(this.#context.limits.lingerMs, () => this.stop());
  }

  /** Passes on the messages of one text, then runs `done`; `refuse` gets what is wrong with a text that holds none. */
  #deliver(text: string, refuse: (flaw: HostError) => void, done: () => void): void {
    this.#queue.push(text, (entries) => {
      // Only 2025-03-26 has batches.
      if (this.#parts.facts.kind === 'modern' && isBatch(text))
        refuse(violation('A batch of messages was refused.'));
      else this.#deliverAll(entries, refuse);
      if (!this.#finished) done();
    });
  }

  #deliverAll(entries: readonly ParsedMessage[], refuse: (flaw: HostError) => void): void {
    const era = this.#parts.facts.kind;
    for (const entry of entries) {
      if (entry.kind === 'message') this.#deliverOne(entry.message, era);
      else if (entry.id === this.#origin.requestId) return this.#fail(entry.error);
      else refuse(entry.error);
    }
  }

  #deliverOne(message: JsonRpcMessage, era: Era): void {
    if (this.#finished) return;
    const facts = { era, requestId: this.#parts.message.id, answered: this.#answered };
    const verdict = judgeReplyMessage(message, facts);
    if (verdict.kind === 'drop') return this.#drop(violation(verdict.reason));
    if (verdict.kind === 'answer') this.#answered = true;
    this.#context.events.message(message, this.#origin);
  }

  #drop(problem: HostError): void {
    this.#context.events.dropped(problem);
  }

  #fail(error: HostError): void {
    if (this.#finished) return;
    this.stop();
    if (!this.#answered) this.#context.events.requestFailed(this.#parts.message.id, error);
  }
}

function streamEnded(cause: HostError | undefined): HostError {
  const message =
    'The reply stream ended without a response. Whether the request was carried out is not known.';
  return new HostError('streamEnded', message, cause === undefined ? {} : { cause });
}

function violation(message: string): HostError {
  return new HostError('protocolViolation', message);
}
