import type { JsonObject } from '../../base/json.ts';
import type { RequestId } from '../jsonRpc.ts';
import type { Era, InputRequest, LogLevel } from '../model.ts';

/** What a request carries beside its own parameters. */
export interface RequestExtras {
  /** W3C trace context; left out unless well-formed. */
  readonly traceparent?: string | undefined;
  /** Ask for log messages of this request (2026-07-28). */
  readonly logLevel?: LogLevel | undefined;
}

/** One request for input, under the key that its answer goes back under. */
export interface KeyedInputRequest {
  readonly key: string;
  readonly request: InputRequest;
}

/** What a result means, before its method's own members are read. */
export type ResultOutcome =
  | { readonly kind: 'complete' }
  | {
      readonly kind: 'inputRequired';
      readonly requests: readonly KeyedInputRequest[];
      /** Echoed exactly, never read. */
      readonly requestState: string | undefined;
    }
  | { readonly kind: 'invalid'; readonly reason: string };

export interface CacheHint {
  /** Milliseconds after receipt; 0 for "stale at once". */
  readonly ttlMs: number;
  readonly scope: 'public' | 'private';
}

/** Translates between the neutral model and one era's messages. */
export interface WireCodec {
  readonly era: Era;
  readonly version: string;
  /** The parameters of a request as they go over the wire; with a token, progress may be reported. */
  encodeParams(params: JsonObject, extras: RequestExtras, progressToken?: RequestId): JsonObject;
  readOutcome(method: string, result: JsonObject): ResultOutcome;
  readCacheHint(result: JsonObject): CacheHint;
}
