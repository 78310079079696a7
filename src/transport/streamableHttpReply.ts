import type { Era } from '../protocol/model.ts';
import { HostError } from '../base/errors.ts';
import type { HttpHead } from './httpExchange.ts';
import type { JsonRpcErrorResponse } from './transport.ts';

/** How the reply to one of our requests is to be read. */
export type ReplyKind =
  /** An event stream. */
  | 'stream'
  /** One JSON body. */
  | 'json'
  /** A refusal; its body may be a JSON-RPC error. */
  | 'refusal'
  /** A refusal for want of authorization. */
  | 'unauthorized'
  /** The server has forgotten our session. */
  | 'sessionExpired'
  /** Success without anything that could hold a response. */
  | 'unusable';

export interface ReplyFacts {
  readonly era: Era;
  /** Our request carried a session id. */
  readonly inSession: boolean;
  readonly status: number;
  readonly contentType: string | undefined;
  readonly contentEncoding: string | undefined;
  readonly challenged: boolean;
}

/** Facts of a reply, as `classifyReply` wants them. */
export function replyFacts(head: HttpHead, era: Era, inSession: boolean): ReplyFacts {
  return {
    era,
    inSession,
    status: head.status,
    contentType: mediaType(head.header('content-type')),
    contentEncoding: head.header('content-encoding'),
    challenged: head.header('www-authenticate') !== undefined,
  };
}

/** Decides by status and content type alone how a reply to a request is read. */
export function classifyReply(facts: ReplyFacts): ReplyKind {
  const { status } = facts;
  if (status === 401 || (status === 403 && facts.challenged)) return 'unauthorized';
  // 2025-11-25, "Session Management": 404 to a request with a session id means a new session, whatever the body.
  if (facts.era === 'legacy' && facts.inSession && status === 404) return 'sessionExpired';
  if (status < 200 || status > 299) return 'refusal';
  // We ask for no encoding, so we decode none.
  if (facts.contentEncoding !== undefined && facts.contentEncoding !== 'identity') return 'unusable';
  if (facts.contentType === 'text/event-stream') return 'stream';
  if (facts.contentType === 'application/json') return 'json';
  return 'unusable';
}

/** Codes with which widespread servers of the legacy era say 400 to a session that they do not know. */
const sessionCodes = new Set([-32000, -32001]);

/**
 * True when a refusal with a JSON-RPC error means that the session is gone although the status is not 404.
 * Such servers refuse before they look at the request, so nothing has been carried out.
 */
export function meansForgottenSession(
  facts: Pick<ReplyFacts, 'era' | 'inSession' | 'status'>,
  error: JsonRpcErrorResponse,
): boolean {
  return (
    facts.era === 'legacy' && facts.inSession && facts.status === 400 && sessionCodes.has(error.error.code)
  );
}

/** The media type of a Content-Type value, in lower case and without parameters. */
export function mediaType(contentType: string | undefined): string | undefined {
  return contentType?.split(';', 1)[0]?.trim().toLowerCase();
}

/** Characters of a refused reply that errors quote. */
export const bodyStartChars = 500;

/** The error for a reply that holds no JSON-RPC message. `bodyStart` has been redacted. */
export function statusError(head: HttpHead, bodyStart: string): HostError {
  const contentType = head.header('content-type') ?? null;
  const location = head.header('location');
  const details = { status: head.status, contentType, bodyStart };
  const said = `The server answered with HTTP status ${head.status}`;
  if (location !== undefined && head.status >= 300 && head.status < 400) {
    const origin = URL.parse(location)?.origin ?? null;
    const message = `${said}: a redirect that is not followed. Configure the address that it leads to.`;
    return new HostError('httpStatus', message, { details: { ...details, redirectOrigin: origin } });
  }
  if (head.status >= 200 && head.status <= 299) {
    const message = `${said} and content that is not an MCP reply (${contentType ?? 'no content type'}).`;
    return new HostError('httpStatus', message, { details });
  }
  return new HostError('httpStatus', `${said}.`, { details });
}

/** The error for 401, and for 403 with or without a challenge. */
export function unauthorizedError(
  head: HttpHead,
  facts: { readonly wwwAuthenticate: string | undefined; readonly configured: boolean },
): HostError {
  const message = facts.configured
    ? `The server refused the configured Authorization header (HTTP status ${head.status}).`
    : `The server wants authorization (HTTP status ${head.status}).`;
  const details = { status: head.status, configuredAuthorization: facts.configured };
  const { wwwAuthenticate } = facts;
  return new HostError('unauthorized', message, {
    details: wwwAuthenticate === undefined ? details : { ...details, wwwAuthenticate },
  });
}

/** The error for a legacy session that the server no longer knows. */
export function sessionExpiredError(status: number): HostError {
  return new HostError('sessionExpired', 'The server no longer knows this session.', { details: { status } });
}
