import type { JsonObject } from '../base/json.ts';
import { metaKey, readMeta } from '../protocol/meta.ts';
import { method } from '../protocol/methods.ts';
import { encodeHeaderValue } from './headerValue.ts';
import type { JsonRpcMessage } from './transport.ts';

/** What the headers of one message depend on, besides the message. */
export type HeaderFacts =
  | { readonly kind: 'modern'; readonly version: string | undefined }
  | { readonly kind: 'legacy'; readonly version: string | undefined; readonly sessionId: string | undefined };

/** Headers of every POST (2026-07-28: streamable HTTP, "Sending Messages"). */
export const jsonHeaders: readonly string[] = [
  'content-type',
  'application/json',
  'accept',
  'application/json, text/event-stream',
];

/** Revisions before this one did not know the version header. */
const firstVersionWithHeader = '2025-06-18';

/** The revision that a message itself claims: only modern ones do. */
export function claimedVersion(message: JsonRpcMessage): string | undefined {
  const params = 'params' in message ? message.params : undefined;
  const version = readMeta(params)?.[metaKey.protocolVersion];
  return typeof version === 'string' ? version : undefined;
}

/**
 * Headers that repeat what the body says (2026-07-28: streamable HTTP, "Request Metadata"), or that carry the
 * legacy session (2025-11-25: transports, "Session Management" and "Protocol Version Header").
 * @throws HostError `invalidArguments` when a name cannot be carried
 */
export function protocolHeaders(message: JsonRpcMessage | undefined, facts: HeaderFacts): string[] {
  return facts.kind === 'modern' ? modernHeaders(message, facts.version) : legacyHeaders(facts);
}

function modernHeaders(message: JsonRpcMessage | undefined, settled: string | undefined): string[] {
  const headers: string[] = [];
  const version = (message === undefined ? undefined : claimedVersion(message)) ?? settled;
  if (version !== undefined) headers.push('mcp-protocol-version', encodeHeaderValue(version));
  if (message === undefined || !('method' in message)) return headers;
  headers.push('mcp-method', encodeHeaderValue(message.method));
  const name = nameOf(message.method, message.params);
  if (typeof name === 'string') headers.push('mcp-name', encodeHeaderValue(name));
  return headers;
}

function nameOf(name: string, params: JsonObject | undefined): unknown {
  switch (name) {
    case method.callTool:
    case method.getPrompt:
      return params?.['name'];
    case method.readResource:
      return params?.['uri'];
    default:
      return undefined;
  }
}

function legacyHeaders(facts: Extract<HeaderFacts, { kind: 'legacy' }>): string[] {
  const headers: string[] = [];
  const { version, sessionId } = facts;
  if (version !== undefined && version >= firstVersionWithHeader)
    headers.push('mcp-protocol-version', version);
  if (sessionId !== undefined) headers.push('mcp-session-id', sessionId);
  return headers;
}

/** A session id that we may echo: visible ASCII (2025-11-25: transports, "Session Management"), and bounded. */
export function isSessionId(text: string): boolean {
  return text.length <= 1024 && /^[\x21-\x7e]+$/.test(text);
}
