import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { HostError } from '../../../src/base/errors.ts';
import { encodeHeaderValue } from '../../../src/transport/headerValue.ts';

// 2026-07-28, streamable HTTP, "Value Encoding": its examples first, then the edges of its rules.
const rows: readonly [text: string, header: string][] = [
  ['us-west1', 'us-west1'],
  ['Hello, 世界', '=?base64?SGVsbG8sIOS4lueVjA==?='],
  [' padded ', '=?base64?IHBhZGRlZCA=?='],
  ['line1\nline2', '=?base64?bGluZTEKbGluZTI=?='],
  ['=?base64?literal?=', '=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?='],
  ['a b', 'a b'],
  ['~!@#$%^&*()', '~!@#$%^&*()'],
  ['=?base64?no end', '=?base64?no end'],
  ['no start?=', 'no start?='],
  ['=?BASE64?upper?=', '=?BASE64?upper?='],
  ['=?base64?=', '=?base64?PT9iYXNlNjQ/PQ==?='],
  ['', '=?base64??='],
  [' ', '=?base64?IA==?='],
  ['a\tb', '=?base64?YQli?='],
  ['\r\nX-Evil: 1', '=?base64?DQpYLUV2aWw6IDE=?='],
  ['a\u007f', '=?base64?YX8=?='],
  ['\u0000', '=?base64?AA==?='],
  ['é', '=?base64?w6k=?='],
];
for (const [text, header] of rows) {
  test(`header value of ${JSON.stringify(text)}`, () => assert.equal(encodeHeaderValue(text), header));
}

test('a lone surrogate cannot be sent', () => {
  assert.throws(
    () => encodeHeaderValue('a\ud800'),
    (error) => error instanceof HostError && error.code === 'invalidArguments',
  );
});

/** The server's half of the rule. */
function decode(header: string): string {
  const [, base64] = /^=\?base64\?(.*)\?=$/s.exec(header) ?? [];
  return base64 === undefined ? header : Buffer.from(base64, 'base64').toString('utf8');
}

test('any text comes back from a value that HTTP can carry', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom('=', '?', 'base64', ' ', '\t', 'a', 'ß', '\n') }),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const header = encodeHeaderValue(text);
      assert.match(header, /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/);
      assert.equal(decode(header), text);
      // Base64 only where it is needed.
      if (/^[\x21-\x7e]+$/.test(text) && !text.startsWith('=?')) assert.equal(header, text);
    }),
    { numRuns: 1000 },
  );
});
