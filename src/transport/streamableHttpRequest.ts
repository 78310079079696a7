import { HostError } from '../base/errors.ts';
import type { Disposable } from '../base/disposable.ts';
import type { JsonValue } from '../base/json.ts';
import { BodyCollector } from './httpBody.ts';
import { type HttpContext, refusalError } from './httpContext.ts';
import type { HttpExchange, HttpHead, HttpSink } from './httpExchange.ts';
import { LegacyEventStream } from './legacyEventStream.ts';
import { parseJson, readMessage } from './readMessage.ts';
import { type SseEvent, SseReader } from './sseReader.ts';
import { type HeaderFacts, protocolHeaders } from './streamableHttpHeaders.ts';
import {
  classifyReply,
  meansForgottenSession,
  type ReplyFacts,
  replyFacts,
  sessionExpiredError,
} from './streamableHttpReply.ts';
import type { JsonRpcRequest, MessageOrigin } from './transport.ts';

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
  #exchange: HttpExchange | undefined;
  #resumed: LegacyEventStream | undefined;
  #reading: Reading = { kind: 'nothing' };
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
    const headers = [...postHeaders, ...protocolHeaders(message, facts), ...extraHeaders];
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
        return this.#fail(refusalError(this.#context, head, undefined));
      case 'sessionExpired':
        return this.#fail(sessionExpiredError(head.status));
    }
  }

  chunk(bytes: Uint8Array): void {
    switch (this.#reading.kind) {
      case 'stream':
        try {
          return this.#reading.reader.push(bytes);
        } catch (error) {
          if (error instanceof HostError) return this.#fail(error);
          throw error;
        }
      case 'json':
        if (this.#reading.body.push(bytes)) return;
        return this.#fail(new HostError('messageTooLarge', 'The body of the reply is too large.'));
      case 'refusal':
        if (this.#reading.body.push(bytes)) return;
        return this.#fail(refusalError(this.#context, this.#reading.head, this.#reading.body));
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
        return this.#endOfStream(undefined);
    }
  }

  failed(error: HostError): void {
    if (this.#reading.kind === 'stream') this.#endOfStream(error);
    else this.#fail(error);
  }

  #newReader(): SseReader {
    return new SseReader({ event: (event) => this.#event(event) }, this.#context.limits.eventChars);
  }

  #endOfJson(body: BodyCollector): void {
    let value;
    try {
      value = parseJson(body.text());
    } catch (error) {
      if (error instanceof HostError) return this.#fail(error);
      throw error;
    }
    this.#deliver(value);
    if (!this.#answered) {
      this.#fail(new HostError('protocolViolation', 'The reply holds no response to the request.'));
    }
    this.stop();
  }

  #endOfRefusal(refusal: Extract<Reading, { kind: 'refusal' }>): void {
    const { head, body, facts } = refusal;
    const answer = readRefusal(body);
    if (answer === undefined || facts.status < 300) {
      return this.#fail(refusalError(this.#context, head, body));
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
    const { facts } = this.#parts;
    if (facts.kind === 'legacy' && reader?.lastEventId !== undefined) return this.#resume(facts, reader);
    this.#fail(streamEnded(cause));
  }

  /** 2025-11-25: transports, "Resumability and Redelivery". */
  #resume(facts: HeaderFacts, reader: SseReader): void {
    this.#resumed = new LegacyEventStream(this.#context, {
      headers: () => protocolHeaders(undefined, facts),
      maxFailures: this.#context.limits.resumeAttempts,
      onEvent: (event) => this.#event(event),
      onEnded: (error) => this.#fail(error.code === 'sessionExpired' ? error : streamEnded(error)),
    });
    this.#resumed.startAfter(reader.lastEventId, reader.retryMs);
  }

  #event(event: SseEvent): void {
    // An event without data only carries an id.
    if (this.#finished || event.data === '') return;
    if (event.type !== 'message') {
      return this.#drop(new HostError('protocolViolation', 'An event of an unknown type was ignored.'));
    }
    try {
      this.#deliver(parseJson(event.data));
    } catch (error) {
      if (!(error instanceof HostError)) throw error;
      this.#drop(error);
    }
    if (this.#answered) this.#expectEnd();
  }

  /** After its response a stream should end by itself, which keeps the connection. */
  #expectEnd(): void {
    if (this.#resumed !== undefined) return this.stop();
    this.#linger ??= this.#context.clock.after(this.#context.limits.lingerMs, () => this.stop());
  }

  #deliver(value: JsonValue): void {
    // Batches exist in 2025-03-26 only, but there they must be understood.
    if (!Array.isArray(value) || this.#parts.facts.kind === 'modern') return this.#deliverOne(value);
    for (const item of value) this.#deliverOne(item);
  }

  #deliverOne(value: JsonValue): void {
    const message = readMessage(value);
    if (message === undefined) {
      return this.#drop(new HostError('malformedMessage', 'The message is not JSON-RPC.'));
    }
    if (this.#answered) {
      return this.#drop(new HostError('protocolViolation', 'A message after the response was ignored.'));
    }
    if ('method' in message) {
      if ('id' in message && this.#parts.facts.kind === 'modern') {
        return this.#drop(
          new HostError(
            'protocolViolation',
            `The server request ${JSON.stringify(message.method)} was refused.`,
          ),
        );
      }
    } else if (message.id === undefined || message.id === this.#origin.requestId) {
      this.#answered = true;
    } else {
      return this.#drop(new HostError('protocolViolation', 'A response to another request was ignored.'));
    }
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

/** Headers of every POST (2026-07-28: streamable HTTP, "Sending Messages"). */
export const postHeaders: readonly string[] = [
  'content-type',
  'application/json',
  'accept',
  'application/json, text/event-stream',
];

function streamEnded(cause: HostError | undefined): HostError {
  const message =
    'The reply stream ended without a response. Whether the request was carried out is not known.';
  return new HostError('streamEnded', message, cause === undefined ? {} : { cause });
}

function readRefusal(body: BodyCollector): ReturnType<typeof errorIn> {
  try {
    return errorIn(parseJson(body.text()));
  } catch (error) {
    if (error instanceof HostError) return undefined;
    throw error;
  }
}

function errorIn(value: JsonValue) {
  const message = readMessage(value);
  return message !== undefined && 'error' in message ? message : undefined;
}
