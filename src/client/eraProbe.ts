import { HostError, type HostErrorCode, type RpcError } from '../base/errors.ts';
import { isJsonObject, type JsonObject } from '../base/json.ts';
import { errorCode, isModernErrorCode } from '../protocol/errorCodes.ts';
import { bestCommonVersion, eraOf, modernVersions, supportedVersions } from '../protocol/versions.ts';
import { type DiscoverResult, readDiscoverResult } from '../protocol/wire/discover.ts';
import type { Transport } from '../transport/transport.ts';
import type { ExchangeOutcome } from './rpcConnection.ts';

/** What was sent, and over what. */
export interface ProbeFacts {
  readonly transport: Transport['kind'];
  /** The revision that the probe asked for. */
  readonly version: string;
  /** True when the server has already been asked again after it refused a revision. */
  readonly retried: boolean;
}

export type EraVerdict =
  /** `discovered` is absent when the server is modern but did not describe itself. */
  | { readonly kind: 'modern'; readonly version: string; readonly discovered: DiscoverResult | undefined }
  /** Probe again, asking for this revision. */
  | { readonly kind: 'retry'; readonly version: string }
  /** Greet with `initialize`; `restart`: on a new process, because the probe ended the old one. */
  | { readonly kind: 'legacy'; readonly restart: boolean }
  | { readonly kind: 'failed'; readonly error: HostError | RpcError };

/** Statuses with which old HTTP servers refuse what they do not know. */
const legacyStatuses: ReadonlySet<unknown> = new Set([400, 404, 405, 406, 410, 415, 422, 501]);

/** True for an HTTP refusal that an older kind of server gives, rather than a broken or a closed one. */
export function isLegacyRefusal(error: HostError): boolean {
  return error.code === 'httpStatus' && legacyStatuses.has(error.details['status']);
}

/**
 * Decides from the end of a `server/discover` exchange which era a server is of
 * (specification: stdio and streamable HTTP, "Backward Compatibility"). Pure; total over all outcomes.
 */
export function judgeProbe(outcome: ExchangeOutcome, facts: ProbeFacts): EraVerdict {
  switch (outcome.kind) {
    case 'result': {
      const discovered = readDiscoverResult(outcome.result);
      // Servers that answer anything with something are old ones.
      if (discovered === undefined) return { kind: 'legacy', restart: false };
      if (!isComplete(outcome.result)) return { kind: 'failed', error: unfinishedDescription() };
      return judgeVersions(discovered.supportedVersions, discovered);
    }
    case 'error':
      return judgeError(outcome.error, outcome.httpStatus, facts);
    case 'failed':
      return judgeFailure(outcome.error, facts);
  }
}

/** Absent means complete (specification: basic, "Responses"); a description cannot ask for input. */
function isComplete({ resultType }: JsonObject): boolean {
  return resultType === undefined || resultType === 'complete';
}

function unfinishedDescription(): HostError {
  return new HostError('protocolViolation', 'The server describes itself in a result of an unknown type.');
}

/** True for a description of a server that speaks a modern revision of ours. */
export function isModernDescription(result: JsonObject): boolean {
  const version = bestCommonVersion(readDiscoverResult(result)?.supportedVersions ?? []);
  return version !== undefined && eraOf(version) === 'modern';
}

function judgeVersions(offered: readonly string[], discovered: DiscoverResult | undefined): EraVerdict {
  const version = bestCommonVersion(offered);
  if (version === undefined) return { kind: 'failed', error: noCommonVersion(offered) };
  if (eraOf(version) === 'legacy') return { kind: 'legacy', restart: false };
  return { kind: 'modern', version, discovered };
}

function judgeError(error: RpcError, httpStatus: number | undefined, facts: ProbeFacts): EraVerdict {
  if (error.code === errorCode.unsupportedVersion) {
    const offered = readSupported(error);
    const version = offered === undefined ? facts.version : bestCommonVersion(offered);
    if (version === undefined) return { kind: 'failed', error: noCommonVersion(offered ?? []) };
    if (eraOf(version) === 'legacy') return { kind: 'legacy', restart: false };
    // Asked once more even for the same revision: a server may refuse the first request only.
    if (!facts.retried) return { kind: 'retry', version };
    // Refused again. An older one that the server names may still do.
    return offered?.some((name) => eraOf(name) === 'legacy') === true
      ? { kind: 'legacy', restart: false }
      : { kind: 'failed', error: noCommonVersion(offered ?? []) };
  }
  const unknownMethod = httpStatus === 404 && error.code === errorCode.methodNotFound;
  if (isModernErrorCode(error.code) || unknownMethod)
    return { kind: 'modern', version: facts.version, discovered: undefined };
  return { kind: 'legacy', restart: false };
}

/** Ends of the exchange that leave the server usable: it did not know what to make of the request. */
const notUnderstood: ReadonlySet<HostErrorCode> = new Set([
  'timeout',
  'streamEnded',
  'malformedMessage',
  'messageTooLarge',
  'protocolViolation',
]);

function judgeFailure(error: HostError, facts: ProbeFacts): EraVerdict {
  if (notUnderstood.has(error.code) || isLegacyRefusal(error)) return { kind: 'legacy', restart: false };
  // It may have been the unknown method that ended it.
  if (hasDied(error) && facts.transport === 'stdio') return { kind: 'legacy', restart: true };
  return { kind: 'failed', error };
}

/** True when the server's process has ended, or its connection. */
export function hasDied(error: HostError): boolean {
  return error.code === 'exited' || error.code === 'closed';
}

/** The modern revision to go on with after a server in use refused the one it had agreed to; `undefined`: there is none. */
export function laterVersion(error: RpcError): string | undefined {
  const offered = readSupported(error) ?? [];
  return modernVersions.find((candidate) => offered.includes(candidate));
}

function readSupported(error: RpcError): readonly string[] | undefined {
  const supported = isJsonObject(error.data) ? error.data['supported'] : undefined;
  return Array.isArray(supported) ? supported.filter((item) => typeof item === 'string') : undefined;
}

/** The error when the two sides have no revision in common; names what both speak. */
export function noCommonVersion(theirs: readonly string[]): HostError {
  const common = bestCommonVersion(theirs);
  // Some servers name a version and then refuse it, or answer a handshake with one that has none.
  const problem =
    common === undefined ? 'No protocol version in common' : `No agreement on protocol version ${common}`;
  const names = theirs.length === 0 ? 'none that it named' : theirs.slice(0, 20).join(', ').slice(0, 400);
  return new HostError(
    'unsupportedVersion',
    `${problem}: the server speaks ${names}; Countersign speaks ${supportedVersions.join(', ')}.`,
    { details: { theirs: theirs.slice(0, 20), ours: supportedVersions } },
  );
}
