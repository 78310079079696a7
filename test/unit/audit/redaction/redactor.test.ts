import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { configuredSecrets } from '../../../../src/audit/redaction/configuredSecrets.ts';
import { KeyedDigest } from '../../../../src/audit/redaction/keyedDigest.ts';
import { knownSecrets } from '../../../../src/audit/redaction/knownSecrets.ts';
import { Redactor, type StorageMode } from '../../../../src/audit/redaction/redactor.ts';
import type { JsonValue } from '../../../../src/base/json.ts';
import { auditDigest, auditKey } from '../../../helpers/auditKit.ts';
import { describe, it } from '../../../helpers/nodeTest.ts';

const redactor = (storage: StorageMode = 'redacted', secrets: readonly string[] = []): Redactor => {
  const made = new Redactor(auditDigest, storage);
  made.known = knownSecrets(secrets);
  return made;
};
const hidden = (type: string, value: string): string => `[secret:${type} #${auditDigest.short(value)}]`;

/** A value and what is kept of it; `undefined`: all of it. */
const rows: readonly (readonly [name: string, value: JsonValue, kept?: JsonValue])[] = [
  ['nothing to hide', { a: [1, 'two', null, true, { b: 'c' }] }],
  [
    'a password',
    { password: 'hunter2', user: 'ann' },
    { password: hidden('password', 'hunter2'), user: 'ann' },
  ],
  ['an empty password', { password: '', token: null, secret: false }],
  ['a reference to a password', { password: '${input:pw}', token: '<your token>' }],
  [
    'a number',
    { pin: 4711, password: 12345678 },
    { pin: hidden('code', '4711'), password: hidden('password', '12345678') },
  ],
  ['counts', { pass: 12, token: 50256, tokens: [1, 2], max_tokens: 10 }],
  ['a way of signing in', { auth: 'basic', credentials: 'include', authorization: 'required' }],
  ['several at once', { token: ['a1', 'b2'] }, { token: [hidden('token', 'a1'), hidden('token', 'b2')] }],
  [
    'an object of secrets',
    { auth: { user: 'ann', password: 'x1', deep: { any: 'y2' } } },
    {
      auth: {
        user: hidden('credential', 'ann'),
        password: hidden('credential', 'x1'),
        deep: { any: hidden('credential', 'y2') },
      },
    },
  ],
  ['a schema of a secret', { properties: { password: { type: 'string', description: 'the password' } } }],
  [
    'headers',
    { headers: { Accept: 'text/html', 'X-Custom': 'v1', authorization: 'Bearer t' } },
    {
      headers: {
        Accept: 'text/html',
        'X-Custom': hidden('secret', 'v1'),
        authorization: hidden('secret', 'Bearer t'),
      },
    },
  ],
  [
    'headers as a list',
    { headers: ['Accept: a/b', 'X-Custom: v1', { name: 'X-Other', value: 'v2' }] },
    {
      headers: [
        'Accept: a/b',
        `X-Custom: ${hidden('secret', 'v1')}`,
        { name: 'X-Other', value: hidden('secret', 'v2') },
      ],
    },
  ],
  [
    'environment variables',
    { env: { DATABASE: 'db1', PATH: '/bin' }, environment: { name: 'prod', region: 'eu' } },
    {
      env: { DATABASE: hidden('secret', 'db1'), PATH: hidden('secret', '/bin') },
      environment: { name: 'prod', region: 'eu' },
    },
  ],
  ['environment variables as a list', { env: ['KEY=v1'] }, { env: [`KEY=${hidden('secret', 'v1')}`] }],
  ['an environment by name', { env: 'production' }],
  [
    'a name and a value',
    [
      { name: 'api_key', value: 'k1' },
      { name: 'colour', value: 'red' },
    ],
    [
      { name: 'api_key', value: hidden('key', 'k1') },
      { name: 'colour', value: 'red' },
    ],
  ],
  [
    'a connection string keeps its host',
    { connectionString: 'postgres://u:pw12@db/x' },
    { connectionString: `postgres://u:${hidden('url-password', 'pw12')}@db/x` },
  ],
  [
    'a secret in the middle of a text',
    { body: 'curl -H "Authorization: Bearer abc123def456"' },
    { body: `curl -H "Authorization: ${hidden('credential', 'Bearer abc123def456')}"` },
  ],
  [
    'a secret as a name',
    { AKIAQ2W3E4R5T6Y7ABCD: 1 },
    { [hidden('aws-access-key', 'AKIAQ2W3E4R5T6Y7ABCD')]: 1 },
  ],
];

describe('what is kept of arguments and results', () => {
  it('is everything but the secrets', () => {
    for (const [name, value, kept] of rows) assert.deepEqual(redactor().payload(value), kept ?? value, name);
  });

  it('leaves the value that was given as it is', () => {
    for (const [, value] of rows) {
      const before = structuredClone(value);
      redactor().payload(value);
      assert.deepEqual(value, before);
    }
  });

  it('is all of it in full storage, except what the user configured', () => {
    const value = { password: 'hunter2', note: 'the key is correct-horse, really' };
    assert.deepEqual(redactor('full', ['correct-horse']).payload(value), {
      password: 'hunter2',
      note: `the key is ${hidden('configured', 'correct-horse')}, really`,
    });
  });

  it('is only a digest in digest storage', () => {
    assert.equal(redactor('digest').payload({ a: 1 }), `[digest 7 bytes #${auditDigest.short('{"a":1}')}]`);
  });

  it('makes equal secrets comparable, with the key only', () => {
    const [one, other] = [redactor(), redactor()].map((made) => made.payload({ token: 'same' }));
    assert.deepEqual(one, other);
    const elsewhere = new Redactor(new KeyedDigest(new Uint8Array(32).fill(8)), 'redacted');
    assert.notDeepEqual(elsewhere.payload({ token: 'same' }), one);
  });

  it('keeps a foreign member named __proto__', () => {
    const value = JSON.parse('{"__proto__":{"password":"hunter2"},"b":1}') as JsonValue;
    assert.equal(
      JSON.stringify(redactor().payload(value)),
      `{"__proto__":{"password":"${hidden('password', 'hunter2')}"},"b":1}`,
    );
  });
});

describe('long values', () => {
  const long = 'lorem ipsum '.repeat(20_000);
  it('are cut with their size and digest', () => {
    const kept = redactor().payload({ text: long });
    assert.deepEqual(kept, {
      text: `${long.slice(0, 8_000)}[cut:text 240000 bytes #${auditDigest.short(long)}]`,
    });
  });

  it('are never cut in the middle of a secret', () => {
    for (const secret of [
      'AKIAQ2W3E4R5T6Y7ABCD',
      `-----BEGIN PRIVATE KEY-----\n${'Ab1'.repeat(900)}\n-----END PRIVATE KEY-----`,
      'correct-horse',
    ]) {
      for (let before = 8_000 - secret.length - 2; before <= 8_001; before += Math.ceil(secret.length / 20)) {
        const text = `${'x '.repeat(before / 2)} ${secret} ${long}`;
        const kept = JSON.stringify(redactor('redacted', ['correct-horse']).payload(text));
        const part = secret.slice(0, 12);
        assert.equal(kept.includes(part), false, `${before}: ${kept.slice(7_900, 8_100)}`);
      }
    }
  });

  it('are cut as a whole when there are too many of them', () => {
    const value = Array.from({ length: 100 }, () => 'y'.repeat(7_000));
    assert.match(JSON.stringify(redactor().payload(value)), /^"\[cut:json 70\d\d01 bytes #[0-9a-f]{16}\]"$/);
  });

  it('may be deeper than a stack', () => {
    const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`) as JsonValue;
    for (const storage of ['full', 'redacted', 'digest'] as const) {
      const kept = JSON.stringify(redactor(storage).payload(deep));
      assert.ok(kept.length < 1_000, storage);
    }
    const secret = JSON.parse(`${'{"password":'.repeat(5_000)}"hunter2"${'}'.repeat(5_000)}`) as JsonValue;
    assert.equal(JSON.stringify(redactor().payload(secret)).includes('hunter2'), false);
  });

  it('may be wider than is sensible', () => {
    const wide = Object.fromEntries(Array.from({ length: 200_000 }, (_, index) => [`k${index}`, index]));
    assert.match(JSON.stringify(redactor().payload(wide)), /^"\[cut:json/);
  });

  it('may be wide where nothing long is expected', () => {
    const names = [...Array.from({ length: 60_000 }, (_, index) => `t${index}`), 'correct-horse'];
    assert.match(
      JSON.stringify(redactor('redacted', ['correct-horse']).notes({ added: names })),
      /^"\[cut:json/,
    );
  });

  it('a picture in base64 is no secret', () => {
    const data = Buffer.from(Array.from({ length: 3_000 }, (_, index) => (index * 7919) % 256)).toString(
      'base64',
    );
    const picture = { content: [{ type: 'image', data, mimeType: 'image/png' }] };
    assert.deepEqual(redactor().payload(picture), picture);
  });
});

describe('configured secrets', () => {
  const secret = 'pa"ss wörd/1+1=2';
  const spellings = [
    secret,
    `x${secret}y`,
    JSON.stringify({ a: secret }),
    JSON.stringify(JSON.stringify({ a: secret })).slice(1, -1),
    encodeURIComponent(secret),
    encodeURIComponent(secret).replaceAll('%20', '+'),
    Buffer.from(secret).toString('hex'),
    Buffer.from(`user:${secret}`).toString('base64'),
    Buffer.from(`me:${secret}`).toString('base64'),
    Buffer.from(`you:${secret}xyz`).toString('base64url'),
  ];
  it('are found in every usual spelling', () => {
    for (const text of spellings) {
      const kept = redactor('full', [secret]).note(text);
      assert.notEqual(kept, text, text);
      assert.match(kept, /\[secret:configured #/);
    }
  });

  it('have one digest in every spelling', () => {
    const kept = redactor('full', [secret]).note(`${secret} ${encodeURIComponent(secret)}`);
    assert.equal(kept, `${hidden('configured', secret)} ${hidden('configured', secret)}`);
  });

  it('may be numbers, names, short, of several lines, or contain one another', () => {
    const made = redactor('full', [
      '12345678',
      'abcdef',
      'abcdefgh',
      'xyz',
      'four',
      `line-one-of-a-long-key\nline-two-of-a-long-key`,
    ]);
    assert.deepEqual(
      made.payload({
        n: 12345678,
        abcdef: 'abcdefgh',
        s: 'xyz',
        t: 'xyzzy',
        u: 'in four-wheel',
        v: 'fourteen',
        w: '> line-two-of-a-long-key',
      }),
      {
        n: hidden('configured', '12345678'),
        [hidden('configured', 'abcdef')]: hidden('configured', 'abcdefgh'),
        s: hidden('configured', 'xyz'),
        t: 'xyzzy',
        u: `in ${hidden('configured', 'four')}-wheel`,
        v: 'fourteen',
        w: `> ${hidden('configured', 'line-two-of-a-long-key')}`,
      },
    );
  });

  it('do not include what only switches something on', () => {
    assert.deepEqual(redactor('full', ['true', '1', '']).payload({ a: 'true', b: '1', c: '' }), {
      a: 'true',
      b: '1',
      c: '',
    });
  });

  it('change as soon as they are set', () => {
    const made = redactor('redacted', []);
    assert.equal(made.note('some-secret'), 'some-secret');
    made.known = knownSecrets(['some-secret']);
    assert.equal(made.note('some-secret'), hidden('configured', 'some-secret'));
  });

  it('are taken from a configuration with judgement', () => {
    assert.deepEqual(
      configuredSecrets({
        env: {
          NODE_ENV: 'production',
          DEBUG: '1',
          API_KEY: 'short',
          ODD: '0123456789abcdef0123',
          DB: 'postgres://u:pw12@h/d',
          HOME: '/home/ann/projects/2026',
        },
        headers: { Accept: 'a/b', Authorization: 'Bearer tok', 'X-Key': 'k9' },
        args: ['--api-key', 'k9-from-args', '--port', '8080'],
        url: 'https://x.example/mcp?token=abc123',
        secrets: ['typed-in'],
      }).toSorted(),
      [
        '0123456789abcdef0123',
        'Bearer tok',
        'abc123',
        'k9-from-args',
        'k9',
        'pw12',
        'short',
        'tok',
        'typed-in',
      ].toSorted(),
    );
  });
});

describe('the keyed digest', () => {
  it('is HMAC-SHA256 under the hexadecimal text of the key', () => {
    const key = Buffer.from(auditKey).toString('hex');
    for (const text of ['', 'a', 'häß 😀'.repeat(100)]) {
      const expected = createHmac('sha256', key).update(text).digest('hex');
      assert.equal(auditDigest.full(text), `hmac-sha256:${expected}`);
      assert.equal(auditDigest.short(text), expected.slice(0, 16));
    }
  });
  it('wants a key of the right size', () => {
    assert.throws(() => new KeyedDigest(new Uint8Array(16)), RangeError);
  });
});
