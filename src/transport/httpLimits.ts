/** Bounds and waits of the HTTP transports. */
export interface HttpLimits {
  /** Bytes of one JSON body. */
  readonly bodyBytes: number;
  /** UTF-16 units of one event of a stream. */
  readonly eventChars: number;
  /** Bytes of the body of a refusal. */
  readonly refusalBytes: number;
  /** Answers and notices of ours that the server may leave unaccepted: by asking it could make us owe it any number. */
  readonly unacceptedPosts: number;
  /** Milliseconds that the acceptance of a notification or of a response of ours may take. */
  readonly acceptMs: number;
  /** Milliseconds that later messages wait for the acceptance of `notifications/initialized`. */
  readonly initializedMs: number;
  /** Milliseconds that a reply stream may stay open after its response. */
  readonly lingerMs: number;
  /** Milliseconds that the end of a legacy session may take on close. */
  readonly closeMs: number;
  /** Milliseconds until the `endpoint` event of HTTP+SSE. */
  readonly endpointMs: number;
  /** Failed reconnections in a row after which a broken reply stream is lost. */
  readonly resumeAttempts: number;
  /** Milliseconds before the first reconnection when the server does not say. */
  readonly reconnectMs: number;
  /** Milliseconds before any reconnection, whatever the server says. */
  readonly minReconnectMs: number;
  /** Milliseconds that growing delays between reconnections do not exceed. */
  readonly maxReconnectMs: number;
}

export const defaultHttpLimits: HttpLimits = {
  bodyBytes: 16 * 1024 * 1024,
  eventChars: 16 * 1024 * 1024,
  refusalBytes: 64 * 1024,
  unacceptedPosts: 256,
  acceptMs: 30_000,
  initializedMs: 5_000,
  lingerMs: 1_000,
  closeMs: 2_000,
  endpointMs: 15_000,
  resumeAttempts: 5,
  reconnectMs: 1_000,
  minReconnectMs: 125,
  maxReconnectMs: 60_000,
};
