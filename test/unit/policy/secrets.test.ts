import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { findSecrets, isSecretName } from '../../../src/policy/secrets.ts';
import { describe, it } from '../../helpers/nodeTest.ts';

// Put together here, so that no scanner takes this file for a leak.
const rows: readonly (readonly [label: string, secret: string])[] = [
  ['GitHub token', `ghp_${'a1B2'.repeat(9)}`],
  ['GitHub token', `github_pat_${'a1B2_'.repeat(8)}x`],
  ['GitLab token', `glpat-${'a1B2'.repeat(5)}`],
  ['AWS access key', `AKIA${'ABCD2345'.repeat(2)}`],
  ['Anthropic key', `sk-ant-${'a1-B'.repeat(6)}`],
  ['OpenAI key', `sk-proj-${'a1B2'.repeat(6)}`],
  ['Google API key', `AIza${'a1B2x'.repeat(7)}`],
  ['Slack token', `xoxb-${'12345'.repeat(2)}-abc`],
  ['Stripe key', `sk_live_${'a1B2'.repeat(5)}`],
  ['npm token', `npm_${'a1B2c3'.repeat(6)}`],
  ['Hugging Face token', `hf_${'aBcD'.repeat(8)}`],
  ['JSON Web Token', `eyJ${'hbGci'.repeat(3)}.eyJ${'zdWIi'.repeat(3)}.${'sig-'.repeat(5)}`],
  ['Docker token', `dckr_pat_${'a1B2'.repeat(6)}`],
  ['Google OAuth token', `ya29.${'a1B2'.repeat(6)}`],
  ['Vault token', `hvs.${'a1B2'.repeat(7)}`],
  ['AWS bedrock key', `ABSK${'a1B2'.repeat(26)}`],
  ['private key', `-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----`],
  ['private key', '-----BEGIN PRIVATE KEY-----\nMIIE and never ended'],
];

describe('findSecrets', () => {
  for (const [label, secret] of rows) {
    it(`finds a ${label}`, () => {
      assert.deepEqual(findSecrets(`x ${secret}`), [{ label, start: 2, end: 2 + secret.length }]);
    });
  }
  const parts: readonly (readonly [text: string, covered: string])[] = [
    ['Authorization: Bearer abcdefghijklmnopqrst', 'Bearer abcdefghijklmnopqrst'],
    ['postgres://me:hunter22@db.test/x', 'hunter22'],
    ['password = "hunter22"', 'hunter22'],
    ['{"api_key": "abcdef123456"}', 'abcdef123456'],
  ];
  for (const [text, covered] of parts) {
    it(`covers the part of ${text}`, () => {
      assert.deepEqual(
        findSecrets(text).map(({ start, end }) => text.slice(start, end)),
        [covered],
      );
    });
  }
  for (const text of [
    '',
    'hello',
    'the token is short',
    'skating-is-fun-for-everyone-here',
    'AKIA',
    'https://a.test/x@y',
    'a secret: no',
    'eyJ.eyJ.x',
  ]) {
    it(`leaves ${JSON.stringify(text)} alone`, () => assert.deepEqual(findSecrets(text), []));
  }
  it('gives ranges in order that do not overlap', () => {
    const piece = fc.constantFrom(
      ...rows.map(([, secret]) => secret),
      'password=',
      'Bearer ',
      ' ',
      'x',
      '://a:b@',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const text = pieces.join('');
        let last = 0;
        for (const { start, end } of findSecrets(text)) {
          assert.ok(start >= last && end > start && end <= text.length);
          last = end;
        }
      }),
    );
  });
});

describe('isSecretName', () => {
  const yes = [
    'pass',
    'password',
    'Passwd',
    'db_password',
    'apiKey',
    'api_key',
    'API-KEY',
    'x-api-key',
    'token',
    'accessToken',
    'auth_token',
    'clientSecret',
    'private_key',
    'authorization',
    'cookie',
    'credentials',
  ];
  const no = [
    'max_tokens',
    'maxToken',
    'page_token',
    'nextPageToken',
    'path',
    'tokenize',
    'key',
    'secretary',
    'keyboard',
    'passenger',
  ];
  for (const name of yes) it(`${name} is one`, () => assert.equal(isSecretName(name), true));
  for (const name of no) {
    it(`${name} is none`, () => assert.equal(isSecretName(name), false));
  }
});
