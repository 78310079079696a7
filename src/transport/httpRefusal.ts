import { HostError } from '../base/errors.ts';
import { parseMessages } from '../protocol/parseMessages.ts';
import type { BodyCollector } from './httpBody.ts';
import type { HttpEndpoint } from './httpEndpoint.ts';
import type { HttpHead } from './httpExchange.ts';
import type { JsonRpcErrorResponse } from './transport.ts';

/** Characters of a refused reply that errors quote. */
const bodyStartChars = 500;

/** The error for a reply that holds no JSON-RPC message, without what the user configured. */
export function refusalError(
  endpoint: HttpEndpoint,
  head: HttpHead,
  body: BodyCollector | undefined,
): HostError {
  const { status } = head;
  if (status === 401 || status === 403) return unauthorizedError(endpoint, head);
  const contentType = head.header('content-type') ?? null;
  const bodyStart = endpoint.redact(body?.start(bodyStartChars) ?? '');
  const details = { status, contentType, bodyStart };
  const said = `The server answered with HTTP status ${status}`;
  const location = head.header('location');
  if (location !== undefined && status >= 300 && status < 400) {
    const redirectOrigin = URL.parse(location, endpoint.url.href)?.origin ?? null;
    const message = `${said}, a redirect that is not followed. Configure the address that it leads to.`;
    return new HostError('httpStatus', message, { details: { ...details, redirectOrigin } });
  }
  const what = contentType ?? 'no content type';
  const message = status < 300 ? `${said} and something that is no MCP reply (${what}).` : `${said}.`;
  return new HostError('httpStatus', message, { details });
}

function unauthorizedError(endpoint: HttpEndpoint, head: HttpHead): HostError {
  const { status } = head;
  const configuredAuthorization = endpoint.hasConfiguredAuthorization;
  const message = configuredAuthorization
    ? `The server refused the configured Authorization header (HTTP status ${status}).`
    : `The server wants authorization (HTTP status ${status}).`;
  const challenge = head.header('www-authenticate');
  const details = { status, configuredAuthorization };
  return new HostError('unauthorized', message, {
    details: challenge === undefined ? details : { ...details, wwwAuthenticate: endpoint.redact(challenge) },
  });
}

/** The error for a legacy session that the server no longer knows. */
export function sessionExpiredError(status: number): HostError {
  return new HostError('sessionExpired', 'The server no longer knows this session.', { details: { status } });
}

/** The JSON-RPC error in the body of a refusal, if it is one. */
export function readRefusal(body: BodyCollector): JsonRpcErrorResponse | undefined {
  let text;
  try {
    text = body.text();
  } catch (error) {
    if (error instanceof HostError) return undefined;
    throw error;
  }
  const [entry] = parseMessages(text);
  return entry?.kind === 'message' && 'error' in entry.message ? entry.message : undefined;
}
