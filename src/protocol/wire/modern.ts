import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { RequestId } from '../jsonRpc.ts';
import { isTraceparent, metaKey } from '../meta.ts';
import { allowsInputRounds } from '../methods.ts';
import type { ClientCapabilities, Implementation } from '../model.ts';
import type { CacheHint, KeyedInputRequest, RequestExtras, ResultOutcome, WireCodec } from './codec.ts';
import { encodeClientCapabilities, encodeImplementation } from './encode.ts';
import { readInputRequest } from './inputRequests.ts';
import { readText } from './read.ts';

/** More requests than this in one round are refused: nobody would read them. */
const maxRequestsPerRound = 32;

/** What every modern request says about us. */
export interface ModernIdentity {
  readonly version: string;
  readonly clientInfo: Implementation;
  readonly capabilities: ClientCapabilities;
  /** Asked for each request, because what can be honoured changes; the same object while nothing has. */
  readonly currentCapabilities?: (() => ClientCapabilities) | undefined;
}

/** Messages of the stateless revisions (specification: 2026-07-28, basic). */
export class ModernCodec implements WireCodec {
  readonly era = 'modern';
  readonly version: string;
  readonly #identity: ModernIdentity;
  /** As the last request told the server. */
  #capabilities: ClientCapabilities;
  #meta: JsonObject;

  constructor(identity: ModernIdentity) {
    this.version = identity.version;
    this.#identity = identity;
    this.#capabilities = identity.capabilities;
    this.#meta = metaOf(identity, this.#capabilities);
  }

  encodeParams(params: JsonObject, extras: RequestExtras, progressToken?: RequestId): JsonObject {
    this.#look();
    const { traceparent, logLevel } = extras;
    const meta: Record<string, JsonValue | undefined> = { ...this.#meta };
    if (progressToken !== undefined) meta['progressToken'] = progressToken;
    if (traceparent !== undefined && isTraceparent(traceparent)) meta['traceparent'] = traceparent;
    if (logLevel !== undefined) meta[metaKey.logLevel] = logLevel;
    return { ...params, _meta: meta };
  }

  readOutcome(method: string, result: JsonObject): ResultOutcome {
    const type = result['resultType'];
    if (type === undefined || type === 'complete') return { kind: 'complete' };
    if (type === 'input_required') return this.#readInputRequired(method, result);
    return {
      kind: 'invalid',
      reason: `The result is of an unknown type: ${JSON.stringify(type).slice(0, 100)}.`,
    };
  }

  readCacheHint(result: JsonObject): CacheHint {
    const ttl = result['ttlMs'];
    const scope = result['cacheScope'] === 'public' ? 'public' : 'private';
    return { ttlMs: typeof ttl === 'number' && ttl > 0 ? ttl : 0, scope };
  }

  #look(): void {
    const current = this.#identity.currentCapabilities?.() ?? this.#capabilities;
    if (current === this.#capabilities) return;
    this.#capabilities = current;
    this.#meta = metaOf(this.#identity, current);
  }

  #readInputRequired(method: string, result: JsonObject): ResultOutcome {
    if (!allowsInputRounds(method)) return invalid(`"${method}" cannot ask for input`);
    const state = result['requestState'];
    if (state !== undefined && typeof state !== 'string') return invalid('the request state is not a text');
    const map = result['inputRequests'];
    if (map === undefined && state === undefined) return invalid('input is required, but none is asked for');
    if (map === undefined) return { kind: 'inputRequired', requests: [], requestState: state };
    if (!isJsonObject(map)) return invalid('the input requests are not an object');
    const entries = Object.entries(map);
    if (entries.length > maxRequestsPerRound) return invalid(`${entries.length} input requests in one round`);
    const requests: KeyedInputRequest[] = [];
    for (const [key, value] of entries) {
      const name = isJsonObject(value) ? readText(value, 'method') : undefined;
      if (!isJsonObject(value) || name === undefined) return invalid('an input request without a method');
      const params = value['params'];
      const reading = readInputRequest(name, isJsonObject(params) ? params : undefined, this.#capabilities);
      if (reading.kind !== 'request') return { kind: 'invalid', reason: reading.reason };
      requests.push({ key, request: reading.request });
    }
    return { kind: 'inputRequired', requests, requestState: state };
  }
}

function metaOf({ version, clientInfo }: ModernIdentity, capabilities: ClientCapabilities): JsonObject {
  return {
    [metaKey.protocolVersion]: version,
    [metaKey.clientInfo]: encodeImplementation(clientInfo),
    [metaKey.clientCapabilities]: encodeClientCapabilities('modern', capabilities),
  };
}

function invalid(what: string): ResultOutcome {
  return { kind: 'invalid', reason: `The server broke the protocol: ${what}.` };
}
