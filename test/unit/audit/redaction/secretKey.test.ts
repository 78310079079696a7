import assert from 'node:assert/strict';
import { isHarmlessHeader, queryKey, secretKey } from '../../../../src/audit/redaction/secretKey.ts';
import { describe, it } from '../../../helpers/nodeTest.ts';

const secret: readonly (readonly [name: string, kind: string])[] = [
  ['password', 'password'],
  ['Password', 'password'],
  ['DB_PASSWORD', 'password'],
  ['userPassword2', 'password'],
  ['passwd', 'password'],
  ['pwd', 'password'],
  ['ssh-key-passphrase', 'password'],
  ['apiKey', 'key'],
  ['api_key', 'key'],
  ['X-API-Key', 'key'],
  ['OPENAI_APIKEY', 'key'],
  ['APIKey2', 'key'],
  ['aws_secret_access_key', 'key'],
  ['privateKey', 'key'],
  ['signing.key', 'key'],
  ['AccountKey', 'key'],
  ['token', 'token'],
  ['githubToken', 'token'],
  ['access_token', 'token'],
  ['ID-Token', 'token'],
  ['_authToken', 'token'],
  ['jwt', 'token'],
  ['client_secret', 'secret'],
  ['webhookSecret', 'secret'],
  ['Authorization', 'credential'],
  ['auth', 'credential'],
  ['connectionString', 'credential'],
  ['Set-Cookie', 'cookie'],
  ['sessionCookie', 'cookie'],
  ['otp', 'code'],
  ['PIN', 'code'],
  ['verification_code', 'code'],
  ['seedPhrase', 'secret'],
];

const harmless = [
  'key',
  'keys',
  'primaryKey',
  'publicKey',
  'foreign_key',
  'keyboard',
  'monkey',
  'maxTokens',
  'max_tokens',
  'total_tokens',
  'tokens',
  'tokenizer',
  'token_type',
  'tokenUrl',
  'nextPageToken',
  'page_token',
  'continuation-token',
  'progressToken',
  'passwordPolicy',
  'password_hash',
  'hasPasswordReset',
  'passenger',
  'compass',
  'bypass',
  'secretary',
  'secretName',
  'author',
  'authority',
  'authors',
  'cookieConsent',
  'credentialId',
  'pinned',
  'opinion',
  'constructor',
  '__proto__',
  'toString',
  'hasOwnProperty',
  '',
  'x'.repeat(200),
];

describe('the name of a member', () => {
  it('says that its value is secret', () => {
    for (const [name, kind] of secret) assert.deepEqual(secretKey(name), { kind, reach: 'value' }, name);
  });
  it('says nothing where it only sounds like it', () => {
    for (const name of harmless) assert.equal(secretKey(name), undefined, name);
  });
  it('can stand for a whole list of secrets', () => {
    for (const name of [
      'env',
      'environment',
      'headers',
      'requestHeaders',
      'cookies',
      'secrets',
      'credentials',
    ]) {
      assert.equal(secretKey(name)?.reach, 'container', name);
    }
  });
  it('means more in the query of an address', () => {
    const names = ['sig', 'X-Amz-Signature', 'code', 'access_token', 'key', 'page', 'q'];
    assert.deepEqual(
      names.map((name) => queryKey(name)),
      ['key', 'key', 'code', 'token', undefined, undefined, undefined],
    );
  });
  it('tells headers that describe from headers that open doors', () => {
    const names = ['Accept', 'content-type', 'User-Agent', 'Authorization', 'X-Anything', 'Cookie'];
    assert.deepEqual(names.map(isHarmlessHeader), [true, true, true, false, false, false]);
  });
});
