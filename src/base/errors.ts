import type { JsonValue } from './json.ts';

/** An error that a peer reported: a JSON-RPC error object (specification: basic, "Error Responses"). */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;
  readonly data: JsonValue | undefined;

  constructor(code: number, message: string, data?: JsonValue) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** Everything that can go wrong on our side of the wire. Behaviour depends on the code, never on the text. */
export type HostErrorCode =
  | 'cancelled'
  | 'timeout'
  | 'closed'
  | 'spawnFailed'
  | 'exited'
  | 'malformedMessage'
  | 'messageTooLarge'
  | 'httpStatus'
  | 'unauthorized'
  | 'network'
  | 'streamEnded'
  | 'sessionExpired'
  | 'protocolViolation'
  | 'unsupportedVersion'
  | 'inputRefused'
  | 'tooManyRounds'
  | 'tooManyPages'
  | 'invalidConfiguration'
  | 'unknownTool'
  | 'toolChanged'
  | 'invalidArguments'
  | 'invalidSchema'
  | 'denied'
  | 'limitExceeded'
  | 'auditFailed'
  | 'notRunning';

/** An error of our own. `cause` keeps what led to it; `details` holds facts for messages and logs. */
export class HostError extends Error {
  override readonly name = 'HostError';
  readonly code: HostErrorCode;
  readonly details: Readonly<Record<string, JsonValue>>;

  constructor(
    code: HostErrorCode,
    message: string,
    options: { readonly cause?: unknown; readonly details?: Readonly<Record<string, JsonValue>> } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details ?? {};
  }
}

/** The text of anything that was thrown, without its stack. */
export function errorMessage(error: unknown): string {
  if (error instanceof Error) return error.message;
  if (typeof error !== 'object' || error === null) return String(error);
  // What comes over a border between programs is often no Error any more.
  const message: unknown = Reflect.get(error, 'message');
  return typeof message === 'string' ? message : 'It failed without saying why.';
}

/** True when the error says that somebody asked for the end: ours, or the platform's AbortError. */
export function isCancellation(error: unknown): boolean {
  if (error instanceof HostError) return error.code === 'cancelled';
  return error instanceof Error && error.name === 'AbortError';
}
