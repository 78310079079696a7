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
  readonly #sent: SentMessage[];
  #era: Era | undefined;

  constructor(inner: Transport, sent: SentMessage[]) {
    this.#inner = inner;
    this.#sent = sent;
    this.kind = inner.kind;
  }

  start(events: TransportEvents, signal?: AbortSignal): Promise<void> {
    return this.#inner.start(events, signal);
  }

  send(message: JsonRpcMessage, options?: SendOptions): Promise<void> {
    const era = eraOfMessage(message, this.#era);
    this.#era ??= era === 'legacy' ? 'legacy' : undefined;
    this.#sent.push({ message, problems: messageProblems(message, era) });
    return this.#inner.send(message, options);
  }

  useProtocol(era: Era, version: string): void {
    this.#era = era;
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
  const wrap =
    (create: () => Transport): (() => Transport) =>
    () =>
      new CheckedTransport(create(), sent);
  return {
    sent,
    source:
      source.kind === 'stdio'
        ? { kind: 'stdio', create: wrap(source.create) }
        : {
            kind: 'http',
            createStreamableHttp: wrap(source.createStreamableHttp),
            createLegacySse: wrap(source.createLegacySse),
          },
  };
}

/** Fails with the first message that does not conform. */
export function assertAllConform(sent: readonly SentMessage[]): void {
  assert.deepEqual(
    sent.filter(({ problems }) => problems.length > 0),
    [],
  );
}
