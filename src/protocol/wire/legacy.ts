import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { RequestId } from '../jsonRpc.ts';
import { isTraceparent } from '../meta.ts';
import type { ClientCapabilities, Implementation, ServerCapabilities } from '../model.ts';
import type { CacheHint, RequestExtras, ResultOutcome, WireCodec } from './codec.ts';
import { encodeClientCapabilities, encodeImplementation } from './encode.ts';
import { readImplementation, readServerCapabilities } from './identity.ts';
import { readText } from './read.ts';

/** Messages of the revisions with a handshake (specification: 2025-11-25 and before). */
export class LegacyCodec implements WireCodec {
  readonly era = 'legacy';
  readonly version: string;

  constructor(version: string) {
    this.version = version;
  }

  encodeParams(params: JsonObject, extras: RequestExtras, progressToken?: RequestId): JsonObject {
    const { traceparent } = extras;
    const meta: Record<string, JsonValue> = {};
    if (progressToken !== undefined) meta['progressToken'] = progressToken;
    if (traceparent !== undefined && isTraceparent(traceparent)) meta['traceparent'] = traceparent;
    return Object.keys(meta).length === 0 ? params : { ...params, _meta: meta };
  }

  /** These revisions know one kind of result only; a member called `resultType` means nothing in them. */
  readOutcome(): ResultOutcome {
    return { kind: 'complete' };
  }

  readCacheHint(): CacheHint {
    return { ttlMs: 0, scope: 'private' };
  }
}

/** The parameters of `initialize` (specification 2025-11-25: lifecycle). */
export function encodeInitializeParams(
  version: string,
  clientInfo: Implementation,
  capabilities: ClientCapabilities,
): JsonObject {
  return {
    protocolVersion: version,
    capabilities: encodeClientCapabilities('legacy', capabilities),
    clientInfo: encodeImplementation(clientInfo),
  };
}

/** What a server says about itself in its handshake, or in `server/discover`. */
export interface ServerIdentity {
  readonly serverInfo: Implementation | undefined;
  readonly capabilities: ServerCapabilities;
  readonly instructions: string | undefined;
}

/** Reads the result of `initialize`; `version` is absent when the server named none. */
export function readInitializeResult(
  result: JsonObject,
): ServerIdentity & { readonly version: string | undefined } {
  return {
    version: readText(result, 'protocolVersion'),
    serverInfo: readImplementation(result['serverInfo']),
    capabilities: readServerCapabilities(result['capabilities']),
    instructions: readText(result, 'instructions'),
  };
}
