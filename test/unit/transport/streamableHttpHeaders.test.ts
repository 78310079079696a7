import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../../src/base/json.ts';
import {
  type HeaderFacts,
  isSessionId,
  protocolHeaders,
} from '../../../src/transport/streamableHttpHeaders.ts';
import type { JsonRpcMessage } from '../../../src/transport/transport.ts';

const modern: HeaderFacts = { kind: 'modern', version: '2026-07-28' };
const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
const ask = (method: string, params: JsonObject = {}): JsonRpcMessage => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  params,
});
const version = { 'mcp-protocol-version': '2026-07-28' };

const rows: readonly [name: string, message: JsonRpcMessage | undefined, facts: HeaderFacts, JsonObject][] = [
  ['discover', ask('server/discover', { _meta }), modern, { ...version, 'mcp-method': 'server/discover' }],
  [
    'list has no name',
    ask('tools/list', { _meta, name: 'x' }),
    modern,
    { ...version, 'mcp-method': 'tools/list' },
  ],
  [
    'call',
    ask('tools/call', { _meta, name: 'echo' }),
    modern,
    { ...version, 'mcp-method': 'tools/call', 'mcp-name': 'echo' },
  ],
  [
    'get',
    ask('prompts/get', { _meta, name: 'p q' }),
    modern,
    { ...version, 'mcp-method': 'prompts/get', 'mcp-name': 'p q' },
  ],
  [
    'read',
    ask('resources/read', { _meta, uri: 'file:///a b', name: 'no' }),
    modern,
    { ...version, 'mcp-method': 'resources/read', 'mcp-name': 'file:///a b' },
  ],
  [
    'a name in Base64',
    ask('tools/call', { _meta, name: 'werkzeug_ä' }),
    modern,
    { ...version, 'mcp-method': 'tools/call', 'mcp-name': '=?base64?d2Vya3pldWdfw6Q=?=' },
  ],
  [
    'a name that is no text',
    ask('tools/call', { _meta, name: 7 }),
    modern,
    { ...version, 'mcp-method': 'tools/call' },
  ],
  [
    'the version of the message, not the settled one',
    ask('ping', { _meta: { 'io.modelcontextprotocol/protocolVersion': '2027-01-01' } }),
    modern,
    { 'mcp-protocol-version': '2027-01-01', 'mcp-method': 'ping' },
  ],
  [
    'the settled version where the message has none',
    { jsonrpc: '2.0', method: 'notifications/x' },
    modern,
    { ...version, 'mcp-method': 'notifications/x' },
  ],
  [
    'legacy before the handshake',
    ask('initialize'),
    { kind: 'legacy', version: undefined, sessionId: undefined },
    {},
  ],
  [
    'legacy in a session',
    ask('tools/call', { name: 'echo' }),
    { kind: 'legacy', version: '2025-11-25', sessionId: 's-1' },
    { 'mcp-protocol-version': '2025-11-25', 'mcp-session-id': 's-1' },
  ],
  [
    'the first revision with the header',
    undefined,
    { kind: 'legacy', version: '2025-06-18', sessionId: undefined },
    { 'mcp-protocol-version': '2025-06-18' },
  ],
  [
    'a revision before the header',
    undefined,
    { kind: 'legacy', version: '2025-03-26', sessionId: 's' },
    { 'mcp-session-id': 's' },
  ],
];
for (const [name, message, facts, expected] of rows) {
  test(`protocol headers: ${name}`, () => {
    const pairs = protocolHeaders(message, facts);
    const headers = Object.fromEntries(
      pairs.flatMap((key, at) => (at % 2 === 0 ? [[key, pairs[at + 1]]] : [])),
    );
    assert.deepEqual(headers, expected);
    assert.equal(Object.keys(headers).length * 2, pairs.length, 'no header twice');
  });
}

const ids: readonly [id: string, valid: boolean][] = [
  ['1868a90c-5f', true],
  ['!~', true],
  ['', false],
  ['a b', false],
  ['a\tb', false],
  ['é', false],
  ['a\r\nX: y', false],
  ['x'.repeat(1024), true],
  ['x'.repeat(1025), false],
];
for (const [id, valid] of ids) {
  test(`session id ${JSON.stringify(id.slice(0, 20))} (${id.length})`, () =>
    assert.equal(isSessionId(id), valid));
}
