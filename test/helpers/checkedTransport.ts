import assert from 'node:assert/strict';
import type { TransportSource } from '../../src/client/clientOptions.ts';
import type { Era } from '../../src/protocol/model.ts';
import type {
  JsonRpcMessage,
  SendOptions,
  Transport,
  TransportEvents,
} from '../../src/transport/transport.ts';
import { eraOfMessage, messageProblems } from './officialSchema.ts';

/** Every message that went out through transports made by one source. */
export interface SentMessage {
  readonly message: JsonRpcMessage;
  readonly problems: readonly string[];
}

/** A transport that holds every message we send against the protocol's schema on its way out. */
class CheckedTransport implements Transport {
  readonly kind: Transport['kind'];
  readonly #inner: Transport;
  readonly #onSent: (sent: SentMessage) => void;
  #era: Era | undefined;
  #version: string | undefined;

  constructor(inner: Transport, onSent: (sent: SentMessage) => void) {
    this.#inner = inner;
    this.#onSent = onSent;
    this.kind = inner.kind;
  }

  start(events: TransportEvents, signal?: AbortSignal): Promise<void> {
    return this.#inner.start(events, signal);
  }

  send(message: JsonRpcMessage, options?: SendOptions): Promise<void> {
    const era = eraOfMessage(message, this.#era);
    this.#era ??= era === 'legacy' ? 'legacy' : undefined;
    // A greeting, also a repeated one, is written in our newest revision; what follows, in the settled one.
    const greets = 'method' in message && ['initialize', 'server/discover'].includes(message.method);
    const version = greets || era !== this.#era ? undefined : this.#version;
    this.#onSent({ message, problems: messageProblems(message, era, version) });
    return this.#inner.send(message, options);
  }

  useProtocol(era: Era, version: string): void {
    this.#era = era;
    this.#version = version;
    this.#inner.useProtocol(era, version);
  }

  close(): Promise<void> {
    return this.#inner.close();
  }
}

/** The same transports, with a record of what was sent. */
export function checked(source: TransportSource): {
  readonly source: TransportSource;
  readonly sent: readonly SentMessage[];
} {
  const sent: SentMessage[] = [];
  return { sent, source: watched(source, (entry) => sent.push(entry)) };
}

/**
 * The same transports, where a message that does not conform is not sent, and fails the run in any case: for tests
 * that do not look at messages themselves.
 */
export function strictlyChecked(source: TransportSource): TransportSource {
  return watched(source, ({ message, problems }) => {
    if (problems.length === 0) return;
    console.error('A message does not conform:', JSON.stringify(message), problems);
    process.exitCode = 1;
    throw new Error(`A message does not conform: ${problems.join(', ')}`);
  });
}

function watched(source: TransportSource, onSent: (sent: SentMessage) => void): TransportSource {
  const wrap =
    (create: () => Transport): (() => Transport) =>
    () =>
      new CheckedTransport(create(), onSent);
  return source.kind === 'stdio'
    ? { kind: 'stdio', create: wrap(source.create) }
    : {
        kind: 'http',
        createStreamableHttp: wrap(source.createStreamableHttp),
        createLegacySse: wrap(source.createLegacySse),
      };
}

/** Fails with the first message that does not conform. */
export function assertAllConform(sent: readonly SentMessage[]): void {
  assert.deepEqual(
    sent.filter(({ problems }) => problems.length > 0),
    [],
  );
}
