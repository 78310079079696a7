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
    host: 'bücher.example (xn--bcher-kva.example)',
    opens: true,
    warnings: [/outside ASCII/],
  },
  {
    url: 'https://pаypal.com/',
    host: 'pаypal.com (xn--pypal-4ve.com)',
    opens: true,
    warnings: [/mixes letters/],
  },
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
