import type { JsonObject } from '../../base/json.ts';
import { metaKey } from '../../protocol/meta.ts';
import { encodeHeaderValue } from '../../transport/headerValue.ts';

/** A call, to be made again by hand. */
export interface ReplayCall {
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly era?: 'modern' | 'legacy';
  readonly protocolVersion?: string;
}

/** The JSON-RPC request of a call, for people to read and paste. */
export function asJsonRpc(call: ReplayCall): string {
  return JSON.stringify(request(call), undefined, 2);
}

/**
 * A command for a POSIX shell that makes the call over HTTP. Credentials are not in it: the record never has them,
 * and of the server's configured headers there is only the name. A legacy server will also want its session's header.
 */
export function asCurl(call: ReplayCall, url: string, headerNames: readonly string[] = []): string {
  const headers = [
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    ...(call.protocolVersion === undefined ? [] : [`MCP-Protocol-Version: ${call.protocolVersion}`]),
    ...(call.era === 'modern' ? ['Mcp-Method: tools/call', `Mcp-Name: ${headerText(call.tool)}`] : []),
    ...headerNames.map((name) => `${name}: <value of ${name}>`),
  ];
  return [
    `curl --request POST ${shellQuote(url)}`,
    ...headers.map((header) => `  --header ${shellQuote(header)}`),
    `  --data-raw ${shellQuote(JSON.stringify(request(call)))}`,
  ].join(' \\\n');
}

function request(call: ReplayCall): JsonObject {
  const meta: JsonObject = {
    [metaKey.protocolVersion]: call.protocolVersion ?? '',
    [metaKey.clientInfo]: { name: 'curl', version: '1' },
    [metaKey.clientCapabilities]: {},
  };
  return {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: {
      name: call.tool,
      arguments: call.arguments,
      ...(call.era === 'modern' ? { _meta: meta } : {}),
    },
  };
}

/** Within single quotes a shell reads nothing but the closing one. */
function shellQuote(text: string): string {
  return `'${text.replaceAll('\0', '').replaceAll("'", `'\\''`)}'`;
}

function headerText(text: string): string {
  // A lone surrogate cannot be sent at all; what can be of the name is more use than an error.
  return encodeHeaderValue(text.toWellFormed());
}
