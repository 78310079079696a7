import type { Era } from '../protocol/model.ts';
import type { HttpHead } from './httpExchange.ts';
import type { JsonRpcErrorResponse, JsonRpcMessage, RequestId } from './transport.ts';

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

/** What to do with a message in the reply to one of our requests. */
export type ReplyVerdict =
  | { readonly kind: 'answer' }
  | { readonly kind: 'pass' }
  | { readonly kind: 'drop'; readonly reason: string };

/**
 * Decides what a message in a reply means: the reply belongs to one request, and so must what is in it
 * (2026-07-28: streamable HTTP, "Receiving Messages").
 */
export function judgeReplyMessage(
  message: JsonRpcMessage,
  facts: { readonly era: Era; readonly requestId: RequestId; readonly answered: boolean },
): ReplyVerdict {
  if (facts.answered) return { kind: 'drop', reason: 'A message after the response was ignored.' };
  if ('method' in message) {
    if (!('id' in message) || facts.era === 'legacy') return { kind: 'pass' };
    const name = JSON.stringify(message.method.slice(0, 100));
    return { kind: 'drop', reason: `The server request ${name} was refused: modern servers send none.` };
  }
  // An error without an id came on this stream, so it is about this request.
  if (message.id === undefined || message.id === facts.requestId) return { kind: 'answer' };
  return { kind: 'drop', reason: 'A response to another request was ignored.' };
}

/** True for JSON texts that are arrays: several messages at once, which only 2025-03-26 has. */
export function isBatch(text: string): boolean {
  return text.trimStart().startsWith('[');
}
