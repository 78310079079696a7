import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type HttpMethod, redirectTarget } from '../../../src/transport/httpExchange.ts';

const from = new URL('https://mcp.example:8443/a/mcp?x=1');
const rows: readonly [
  method: HttpMethod,
  status: number,
  location: string | undefined,
  to: string | undefined,
][] = [
  ['POST', 307, '/b', 'https://mcp.example:8443/b'],
  ['POST', 308, 'mcp/', 'https://mcp.example:8443/a/mcp/'],
  ['POST', 308, 'https://mcp.example:8443/b?y', 'https://mcp.example:8443/b?y'],
  ['DELETE', 307, '/b', 'https://mcp.example:8443/b'],
  // These would turn the request into a GET.
  ['POST', 301, '/b', undefined],
  ['POST', 302, '/b', undefined],
  ['POST', 303, '/b', undefined],
  ['GET', 301, '/b', 'https://mcp.example:8443/b'],
  ['GET', 302, '/b', 'https://mcp.example:8443/b'],
  ['GET', 303, '/b', 'https://mcp.example:8443/b'],
  ['GET', 304, '/b', undefined],
  ['GET', 200, '/b', undefined],
  ['GET', 307, undefined, undefined],
  // Another scheme, host, port or user is another place.
  ['POST', 307, 'http://mcp.example:8443/a/mcp', undefined],
  ['POST', 307, 'https://mcp.example/a/mcp', undefined],
  ['POST', 307, 'https://mcp.example.evil:8443/', undefined],
  ['POST', 307, '//evil.example/', undefined],
  ['POST', 307, '\\\\evil.example/', undefined],
  ['GET', 302, 'https://user@mcp.example:8443/', undefined],
  ['GET', 302, 'file:///etc/passwd', undefined],
  ['GET', 302, 'https://[', undefined],
];
for (const [method, status, location, to] of rows) {
  test(`${method}, ${status} to ${String(location)}`, () => {
    const head = { status, header: (name: string) => (name === 'location' ? location : undefined) };
    assert.equal(redirectTarget(method, head, from)?.href, to);
  });
}
