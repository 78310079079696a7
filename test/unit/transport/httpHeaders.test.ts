import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HostError } from '../../../src/base/errors.ts';
import { checkConfiguredHeaders, redact, secretsOf } from '../../../src/transport/httpHeaders.ts';

test('configured headers are sent as they are, without those that the protocol decides', () => {
  const checked = checkConfiguredHeaders({
    Authorization: 'Bearer s3cret-token',
    'X-Team': 'blue',
    Cookie: 'a=b',
    accept: '*/*',
    'Content-Type': 'text/plain',
    HOST: 'evil.example',
    'content-length': '1',
    Connection: 'close',
    'Transfer-Encoding': 'chunked',
    'Last-Event-ID': '7',
    'MCP-Protocol-Version': '1',
    'Mcp-Session-Id': 'stolen',
    'mcp-anything': 'x',
  });
  assert.deepEqual(
    { ...checked, names: Array.from(checked.names) },
    {
      pairs: ['Authorization', 'Bearer s3cret-token', 'X-Team', 'blue', 'Cookie', 'a=b'],
      names: ['authorization', 'x-team', 'cookie'],
      ignored: [
        'accept',
        'Content-Type',
        'HOST',
        'content-length',
        'Connection',
        'Transfer-Encoding',
        'Last-Event-ID',
        'MCP-Protocol-Version',
        'Mcp-Session-Id',
        'mcp-anything',
      ],
    },
  );
});

const impossible: readonly [name: string, headers: Record<string, string>][] = [
  ['a name with a space', { 'X Team': 'hidden-value' }],
  ['no name', { '': 'hidden-value' }],
  ['a name with a line end', { 'X\r\nY': 'hidden-value' }],
  ['a value with a line end', { 'X-Team': 'hidden-value\r\nY: z' }],
  ['a value with a null', { 'X-Team': 'hidden-value\u0000' }],
  ['a value beyond Latin-1', { 'X-Team': 'hidden-value 世界' }],
  ['one name in two spellings', { 'X-Team': 'hidden-value', 'x-team': 'hidden-value' }],
];
for (const [name, headers] of impossible) {
  test(`configured headers that cannot be sent: ${name}`, () => {
    assert.throws(
      () => checkConfiguredHeaders(headers),
      (error) =>
        error instanceof HostError &&
        error.code === 'invalidConfiguration' &&
        !JSON.stringify([error.message, error.details]).includes('hidden-value'),
    );
  });
}

const quoted: readonly [text: string, expected: string][] = [
  ['bad header: Bearer s3cret-token!', 'bad header: •••!'],
  ['unknown token s3cret-token, s3cret-token', 'unknown token •••, •••'],
  ['Bearer of bad news', 'Bearer of bad news'],
  ['nothing to hide', 'nothing to hide'],
];
for (const [text, expected] of quoted) {
  test(`redacted: ${text}`, () => {
    assert.equal(redact(text, secretsOf(['Bearer s3cret-token', 'blue'])), expected);
  });
}
