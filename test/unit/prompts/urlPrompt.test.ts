import assert from 'node:assert/strict';
import { Emitter } from '../../../src/base/event.ts';
import { judgeUrl, urlPrompt } from '../../../src/prompts/urlPrompt.ts';
import { it } from '../../helpers/nodeTest.ts';
import { table } from './samples.ts';

const rows: readonly {
  readonly url: string;
  readonly host: string;
  readonly opens: boolean;
  readonly warnings?: readonly RegExp[];
}[] = [
  { url: 'https://example.com/', host: 'example.com', opens: true },
  { url: 'https://EXAMPLE.com./a?b#c', host: 'example.com', opens: true },
  { url: 'https://example.com:443/', host: 'example.com', opens: true },
  { url: 'https://example.com:8443/', host: 'example.com', opens: true, warnings: [/port 8443/] },
  {
    url: 'https://user:pass@example.com/',
    host: 'example.com',
    opens: true,
    warnings: [/user name or password/],
  },
  {
    url: 'https://xn--bcher-kva.example/',
    host: 'xn--bcher-kva.example (reads as bücher.example)',
    opens: true,
    warnings: [/outside ASCII/],
  },
  {
    url: 'https://pаypal.com/',
    host: 'xn--pypal-4ve.com (reads as pаypal.com)',
    opens: true,
    warnings: [/mixes letters/],
  },
  ...[
    'https://ＧＯＯＧＬＥ.com/',
    'https://google。com/',
    'https://g%6fogle.com/',
    'https://ⓖoogle.com/',
  ].map((url) => ({ url, host: 'google.com', opens: true, warnings: [/read another host/] })),
  { url: 'https://GOOGLE.com/', host: 'google.com', opens: true, warnings: [] },
  { url: 'https://10.1.2.3/', host: '10.1.2.3', opens: true, warnings: [/private network/] },
  { url: 'https://169.254.169.254/', host: '169.254.169.254', opens: true, warnings: [/local link/] },
  { url: 'https://0x7f.1/', host: '127.0.0.1', opens: true, warnings: [/this machine/, /unusual form/] },
  { url: 'https://router/', host: 'router', opens: true, warnings: [/private network/] },
  { url: 'http://localhost/', host: 'localhost', opens: true, warnings: [/this machine/] },
  { url: 'http://127.0.0.1:3000/', host: '127.0.0.1', opens: true, warnings: [/this machine/, /port 3000/] },
  { url: 'http://[::1]/', host: '::1', opens: true, warnings: [/this machine/] },
  { url: 'http://example.com/', host: 'example.com', opens: false },
  { url: 'http://10.0.0.1/', host: '10.0.0.1', opens: false, warnings: [/private network/] },
  { url: 'ftp://example.com/', host: 'example.com', opens: false },
  { url: 'ws://localhost/', host: 'localhost', opens: false, warnings: [/this machine/] },
  { url: 'vscode://publisher.extension/x', host: 'publisher.extension', opens: false },
  { url: 'javascript:alert(1)', host: '', opens: false },
  { url: 'javascript://example.com/%0aalert(1)', host: 'example.com', opens: false },
  { url: 'data:text/html,x', host: '', opens: false },
  { url: 'file:///etc/passwd', host: '', opens: false },
  { url: 'mailto:a@b.ch', host: '', opens: false },
  { url: 'https:', host: '', opens: false },
  { url: '//example.com', host: '', opens: false },
  { url: 'example.com', host: '', opens: false },
  { url: '', host: '', opens: false },
  // Hosts written to be misread
  { url: 'http://2130706433/', host: '127.0.0.1', opens: true, warnings: [/this machine/, /unusual form/] },
  {
    url: 'http://0x7f000001:80/',
    host: '127.0.0.1',
    opens: true,
    warnings: [/this machine/, /unusual form/],
  },
  { url: 'http://0177.1/', host: '127.0.0.1', opens: true, warnings: [/this machine/, /unusual form/] },
  {
    url: 'https://0xa9fea9fe/',
    host: '169.254.169.254',
    opens: true,
    warnings: [/local link/, /unusual form/],
  },
  { url: 'http://0xa000001/', host: '10.0.0.1', opens: false, warnings: [/private network/, /unusual form/] },
  { url: 'http://[::ffff:127.0.0.1]/', host: '::ffff:7f00:1', opens: true, warnings: [/this machine/] },
  { url: 'http://[::ffff:a00:1]/', host: '::ffff:a00:1', opens: false, warnings: [/private network/] },
  { url: 'https://[64:ff9b::a9fe:a9fe]/', host: '64:ff9b::a9fe:a9fe', opens: true, warnings: [/local link/] },
  { url: 'http://[fe80::1]/', host: 'fe80::1', opens: false, warnings: [/local link/] },
  { url: 'http://0.0.0.0/', host: '0.0.0.0', opens: false, warnings: [/reserved/] },
  { url: 'http://localhost./', host: 'localhost', opens: true, warnings: [/this machine/] },
  { url: 'http://LOCALHOST:8080/', host: 'localhost', opens: true, warnings: [/this machine/, /port 8080/] },
  { url: 'http://app.localhost/', host: 'app.localhost', opens: true, warnings: [/this machine/] },
  { url: 'http://localhost.evil.example/', host: 'localhost.evil.example', opens: false },
  {
    url: 'http://127.0.0.1.evil.example/',
    host: '127.0.0.1.evil.example',
    opens: false,
    warnings: [/6 parts.*…1\.evil\.example/],
  },
  { url: 'http://127.0.0.1@evil.example/', host: 'evil.example', opens: false, warnings: [/user name/] },
  { url: 'https://github.com@evil.example/', host: 'evil.example', opens: true, warnings: [/user name/] },
  {
    url: 'https://github.com%2Flogin@evil.example/',
    host: 'evil.example',
    opens: true,
    warnings: [/user name/],
  },
  {
    url: 'https://a@b@evil.example/',
    host: 'evil.example',
    opens: true,
    warnings: [/user name/, /another host/],
  },
  {
    url: 'https://evil.example\\@github.com/',
    host: 'evil.example',
    opens: true,
    warnings: [/another host/],
  },
  { url: 'https:\\\\evil.example/', host: 'evil.example', opens: true, warnings: [/another host/] },
  { url: 'https:evil.example/', host: 'evil.example', opens: true, warnings: [/another host/] },
  { url: 'https:/evil.example/', host: 'evil.example', opens: true, warnings: [/another host/] },
  { url: 'https:///evil.example/', host: 'evil.example', opens: true, warnings: [/another host/] },
  { url: 'https://evil.exa\tmple/', host: 'evil.example', opens: true, warnings: [/another host/] },
  { url: 'https://evil.exa\nmple/', host: 'evil.example', opens: true, warnings: [/another host/] },
  { url: ' https://evil.example/', host: 'evil.example', opens: true, warnings: [/another host/] },
  { url: 'https://goo\u00adgle.com/', host: 'google.com', opens: true, warnings: [/another host/] },
  { url: 'https://goo\u200bgle.com/', host: 'google.com', opens: true, warnings: [/another host/] },
  {
    url: 'https://evil.example/\u202emoc.buhtig',
    host: 'evil.example',
    opens: true,
    warnings: [/another host/],
  },
  { url: 'https://evil。example/', host: 'evil.example', opens: true, warnings: [/another host/] },
  { url: 'https://ｅvil．example/', host: 'evil.example', opens: true, warnings: [/another host/] },
  { url: 'https://%65vil.example/', host: 'evil.example', opens: true, warnings: [/another host/] },
  {
    url: 'https://аррӏе.com/',
    host: 'xn--80ak6aa92e.com (reads as аррӏе.com)',
    opens: true,
    warnings: [/outside ASCII/],
  },
  {
    url: 'https://githսb.com/',
    host: 'xn--githb-bjg.com (reads as githսb.com)',
    opens: true,
    warnings: [/mixes letters of Latin and Armenian/],
  },
  {
    url: 'https://www.paypal.com.login.evil.example/',
    host: 'www.paypal.com.login.evil.example',
    opens: true,
    warnings: [/6 parts.*…login\.evil\.example/],
  },
  {
    url: `https://${'a'.repeat(60)}.${'b'.repeat(60)}.evil.example/`,
    host: `${'a'.repeat(60)}.${'b'.repeat(60)}.evil.example`,
    opens: true,
  },
  { url: `https://evil.example/${'github.com/'.repeat(500)}`, host: 'evil.example', opens: true },
  { url: 'https://exa mple.com/', host: '', opens: false },
  { url: 'https://example.com:99999/', host: '', opens: false },
  { url: 'HTTPS://EXAMPLE.COM/', host: 'example.com', opens: true },
  // Other schemes
  { url: 'JavaScript:alert(1)', host: '', opens: false },
  { url: ' javascript:alert(1)', host: '', opens: false },
  { url: 'java\tscript:alert(1)', host: '', opens: false },
  { url: 'view-source:https://example.com/', host: '', opens: false },
  { url: 'blob:https://example.com/1', host: '', opens: false },
  { url: 'command:workbench.action.terminal.new', host: '', opens: false },
  { url: 'vscode-insiders://x.y/z', host: 'x.y', opens: false },
  { url: 'vscode://file/etc/passwd', host: 'file', opens: false, warnings: [/private network/] },
  { url: 'ms-msdt:/id', host: '', opens: false },
  { url: 'smb://10.0.0.1/share', host: '10.0.0.1', opens: false, warnings: [/private network/] },
  { url: 'https+x://example.com/', host: 'example.com', opens: false },
  // The honest host in another place does not excuse the one that is written
  {
    url: 'https://0x7f.1/?127.0.0.1',
    host: '127.0.0.1',
    opens: true,
    warnings: [/this machine/, /unusual form/],
  },
  { url: 'https://g%6fogle.com/google.com', host: 'google.com', opens: true, warnings: [/another host/] },
  {
    url: 'https://ＧＯＯＧＬＥ.com/#google.com',
    host: 'google.com',
    opens: true,
    warnings: [/another host/],
  },
  {
    url: 'https://１２７.0.0.1/127.0.0.1',
    host: '127.0.0.1',
    opens: true,
    warnings: [/this machine/, /unusual form/],
  },
  // Addresses that a gateway takes elsewhere are not this machine
  { url: 'http://[64:ff9b::7f00:1]/', host: '64:ff9b::7f00:1', opens: false, warnings: [/this machine/] },
  { url: 'http://[2002:7f00:1::]/', host: '2002:7f00:1::', opens: false, warnings: [/this machine/] },
  { url: 'http://[::7f00:1]/', host: '::7f00:1', opens: false, warnings: [/this machine/] },
  { url: 'http://127.255.255.254/', host: '127.255.255.254', opens: true, warnings: [/this machine/] },
  { url: 'http://a.localhost./', host: 'a.localhost', opens: true, warnings: [/this machine/] },
  // Other scripts
  {
    url: 'https://g໐໐gle.com/',
    host: 'xn--ggle-q7oa.com (reads as g໐໐gle.com)',
    opens: true,
    warnings: [/outside ASCII/],
  },
  {
    url: 'https://ꮯom.com/',
    host: 'xn--om-cfm.com (reads as Ꮯom.com)',
    opens: true,
    warnings: [/another host/, /mixes letters/],
  },
  { url: 'https://𝗀oogle.com/', host: 'google.com', opens: true, warnings: [/another host/] },
  {
    url: 'https://ｘn--80ak6aa92e.com/',
    host: 'xn--80ak6aa92e.com (reads as аррӏе.com)',
    opens: true,
    warnings: [/another host/, /outside ASCII/],
  },
  { url: 'https://xn--.com/', host: 'xn--.com', opens: true, warnings: [/outside ASCII/] },
  { url: 'https://google.com․evil.example/', host: '', opens: false },
  { url: 'https://google.com％2fevil.example/', host: '', opens: false },
];

for (const { url, host, opens, warnings = [] } of rows) {
  it(`${url || 'an empty link'} ${opens ? 'can' : 'cannot'} be opened, with ${warnings.length} warnings`, () => {
    const verdict = judgeUrl(url);
    assert.equal(verdict.host, host);
    assert.equal(verdict.blocked === undefined, opens);
    assert.equal(verdict.warnings.length, warnings.length, JSON.stringify(verdict.warnings));
    for (const warning of warnings)
      assert.ok(
        verdict.warnings.some((text) => warning.test(text)),
        String(warning),
      );
  });
}

it('the word of the server ends only what was opened, and nothing listens afterwards', async () => {
  const { queue, arming, seeFirst } = table();
  const completed = new Emitter<void>();
  const asked = queue.ask(
    urlPrompt({
      serverId: 's',
      message: '',
      url: 'https://example.com/',
      open: () => Promise.resolve(true),
      acceptOnOpen: false,
      onCompleted: completed.event,
    }),
  );
  const { id, digest } = seeFirst();
  assert.deepEqual(await queue.answer(id, digest, { kind: 'proceed' }, arming), {
    kind: 'refused',
    reason: 'wrongKind',
    problems: [],
  });
  completed.fire();
  assert.equal(queue.size, 1);
  assert.deepEqual(await queue.answer(id, digest, { kind: 'open' }, arming), { kind: 'kept' });
  completed.fire();
  assert.equal((await asked).kind, 'accept');
  assert.equal(completed.hasListeners, false);
});

it('opening needs a card that was in view, and a link that was opened stays until it is answered', async () => {
  const { queue, arming } = table();
  let opened = 0;
  void queue.ask(
    urlPrompt({
      serverId: 's',
      message: '',
      url: 'https://example.com/',
      open: () => Promise.resolve((opened += 1) > 0),
      acceptOnOpen: true,
    }),
  );
  const [card] = queue.pending;
  const verdict = await queue.answer(card!.id, card!.digest, { kind: 'open' }, arming);
  assert.deepEqual(verdict, { kind: 'refused', reason: 'notShown', problems: [] });
  assert.equal(opened, 0);
});

it('what is shown and opened is the link as it was judged, not as another program might read it', async () => {
  for (const [url, expected] of [
    ['https://example.com./a/%2e%2e/b/./c', 'https://example.com./b/c'],
    ['https://@example.com:0443', 'https://example.com/'],
    ['https://1.2.3', 'https://1.2.0.3/'],
    [
      'https://example.com/\u202egpj.exe?\ud800#\u200b',
      'https://example.com/%E2%80%AEgpj.exe?%EF%BF%BD#%E2%80%8B',
    ],
    [
      'https://pay.example/a?b=c%26d%2Bf+g&h=%E2%82%AC#top',
      'https://pay.example/a?b=c%26d%2Bf+g&h=%E2%82%AC#top',
    ],
    ['https:\\\\evil.example\\@github.com', 'https://evil.example/@github.com'],
    [' https://exa\tmple.com/\n', 'https://example.com/'],
    ['https://bücher.example', 'https://xn--bcher-kva.example/'],
  ] as const) {
    const { queue, arming, seeFirst } = table();
    const opened: string[] = [];
    const open = (target: string): Promise<boolean> => Promise.resolve(opened.push(target) > 0);
    void queue.ask(urlPrompt({ serverId: 's', message: '', url, open, acceptOnOpen: false }));
    const [card] = queue.pending;
    assert.equal(card?.kind === 'url' && card.url, expected);
    const { id, digest } = seeFirst();
    assert.deepEqual(await queue.answer(id, digest, { kind: 'open' }, arming), { kind: 'kept' });
    assert.deepEqual(opened, [expected]);
  }
});

it('a link that cannot be opened is shown as the server sent it', () => {
  for (const url of ['javascript:alert(1)', ' java\tscript:x', 'http://example.com\\@localhost']) {
    const { queue } = table();
    const open = (): Promise<boolean> => Promise.resolve(true);
    void queue.ask(urlPrompt({ serverId: 's', message: '', url, open, acceptOnOpen: false }));
    const [card] = queue.pending;
    assert.equal(card?.kind === 'url' && card.url, url);
  }
});
