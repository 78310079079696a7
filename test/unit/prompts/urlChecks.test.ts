import assert from 'node:assert/strict';
import { checkUrl, findUrls, reachOf } from '../../../src/prompts/urlChecks.ts';
import { describe, it } from '../../helpers/nodeTest.ts';

describe('reachOf', () => {
  const rows: readonly (readonly [reach: string, hosts: readonly string[]])[] = [
    [
      'public',
      [
        'example.com',
        '8.8.8.8',
        '172.15.0.1',
        '172.32.0.1',
        '100.128.0.1',
        '2001:4860:4860::8888',
        'local.example',
        '::ffff:808:808',
        '2002:808:808::1',
        '64:ff9b::808:808',
      ],
    ],
    [
      'loopback',
      [
        'localhost',
        'a.localhost',
        '127.0.0.1',
        '127.255.0.1',
        '::1',
        '::ffff:7f00:1',
        '64:ff9b::7f00:1',
        '2002:7f00:1::',
      ],
    ],
    [
      'private',
      [
        '10.1.2.3',
        '172.16.0.1',
        '172.31.255.255',
        '192.168.1.1',
        '100.64.0.1',
        'fd00::1',
        'fc00::1',
        'fec0::1',
        '::ffff:a00:1',
        '2002:a00:1::',
        '::a00:1',
        'printer.local',
        'db.internal',
        'nas.lan',
        'x.home.arpa',
        'intranet',
      ],
    ],
    ['linkLocal', ['169.254.169.254', 'fe80::1', '::ffff:a9fe:a9fe']],
    ['reserved', ['0.0.0.0', '224.0.0.1', '255.255.255.255', '198.18.0.1', '192.0.0.1', '::', 'ff02::1']],
  ];
  for (const [reach, hosts] of rows) {
    for (const host of hosts) it(`${host}: ${reach}`, () => assert.equal(reachOf(host), reach));
  }
});

describe('checkUrl', () => {
  const plain = {
    host: 'example.com',
    readableHost: 'example.com',
    scheme: 'https',
    port: undefined,
    reach: 'public',
    credentials: false,
    punycode: false,
    mixedScripts: [],
    disguisedAddress: false,
    ambiguous: false,
  };
  const rows: readonly (readonly [url: string, differs: object])[] = [
    ['https://example.com/a?b#c', {}],
    ['HTTPS://EXAMPLE.COM.', {}],
    ['https://example.com:443/', {}],
    ['https://example.com:8443/', { port: '8443' }],
    ['http://example.com/', { scheme: 'http' }],
    ['wss://example.com/', { scheme: 'wss' }],
    ['https://me:secret@example.com/', { credentials: true }],
    ['https://me@example.com/', { credentials: true }],
    ['https://example.com/@me', {}],
    ['https://a@b@example.com/', { credentials: true, ambiguous: true }],
    ['https:\\\\example.com\\@evil.test', { ambiguous: true }],
    ['https://exam\tple.com/', { ambiguous: true }],
    [' https://example.com/', { ambiguous: true }],
    [
      'https://bücher.example/',
      { host: 'xn--bcher-kva.example', readableHost: 'bücher.example', punycode: true },
    ],
    [
      'https://xn--bcher-kva.example/',
      { host: 'xn--bcher-kva.example', readableHost: 'bücher.example', punycode: true },
    ],
    [
      'https://exаmple.com/',
      {
        host: 'xn--exmple-4nf.com',
        readableHost: 'exаmple.com',
        punycode: true,
        mixedScripts: ['Latin', 'Cyrillic'],
      },
    ],
    [
      'https://пример.example/',
      { host: 'xn--e1afmkfd.example', readableHost: 'пример.example', punycode: true },
    ],
    [
      'http://127.0.0.1:3000/',
      { scheme: 'http', host: '127.0.0.1', readableHost: '127.0.0.1', port: '3000', reach: 'loopback' },
    ],
    [
      'http://2130706433/',
      {
        scheme: 'http',
        host: '127.0.0.1',
        readableHost: '127.0.0.1',
        reach: 'loopback',
        disguisedAddress: true,
      },
    ],
    [
      'http://0177.0.0.1/',
      {
        scheme: 'http',
        host: '127.0.0.1',
        readableHost: '127.0.0.1',
        reach: 'loopback',
        disguisedAddress: true,
      },
    ],
    [
      'http://[::ffff:10.0.0.1]/',
      { scheme: 'http', host: '::ffff:a00:1', readableHost: '::ffff:a00:1', reach: 'private' },
    ],
  ];
  for (const [url, differs] of rows) {
    it(JSON.stringify(url), () => assert.deepEqual(checkUrl(url), { ...plain, ...differs }));
  }
  for (const text of [
    '',
    'hello',
    'example.com',
    'mailto:me@example.com',
    'file:///etc',
    'http://',
    'https://a b/',
    'C:\\x',
    'javascript:alert(1)',
  ]) {
    it(`${JSON.stringify(text)} is none`, () => assert.equal(checkUrl(text), undefined));
  }
});

describe('findUrls', () => {
  it('finds them in a sentence', () => {
    assert.deepEqual(
      findUrls('See https://a.test/x, (http://b.test) or <ftp://c.test/y>; not https:// alone.'),
      ['https://a.test/x', 'http://b.test', 'ftp://c.test/y'],
    );
  });
  it('stops at a limit', () => assert.equal(findUrls('http://a.test '.repeat(100), 7).length, 7));
});
