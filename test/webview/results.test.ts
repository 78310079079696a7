import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { RpcError } from '../../src/base/errors.ts';
import type { ResourceRequest } from '../../src/calls/resourceReads.ts';
import type { KeptResult } from '../../src/calls/resultShelf.ts';
import { reviewPrompt } from '../../src/prompts/reviewPrompt.ts';
import { parseMessages } from '../../src/protocol/parseMessages.ts';
import { readCallToolResult } from '../../src/protocol/wire/results.ts';
import { cardLimits, resultView } from '../../src/tools/resultView.ts';
import { anyContent, messageWith } from '../helpers/anyResult.ts';
import { wholePng, wholeWav } from '../helpers/media.ts';
import type { Desk } from './harness/bench.ts';
import { button, it, press, until, useBench } from './harness/desk.ts';
import { everything, kept, show } from './harness/results.ts';

const { open } = useBench();
let approvals: Desk | undefined;
let tab: Desk | undefined;

async function card(): Promise<Desk> {
  if (approvals === undefined) approvals = await open({ width: 480, height: 2400 });
  else await approvals.reset();
  return approvals;
}

async function inTab(): Promise<Desk> {
  if (tab === undefined) tab = await open({ width: 900, height: 1600, page: 'result' });
  else await tab.reset();
  return tab;
}

const places = { card, tab: inTab } as const;

for (const [name, place] of Object.entries(places)) {
  it(`${name}: every part of a result is shown as what it is, with what the check found on top`, async () => {
    const desk = await place();
    await show(desk, await everything());
    await desk.page.getByRole('heading', { name: 'Structured content' }).waitFor();
    const titles = await desk.page.locator('.part h3').allInnerTexts();
    assert.deepEqual(
      titles.map((title) => title.toLowerCase()),
      [
        'text 1',
        'text 2',
        'image 1',
        'image 2',
        'audio',
        'link 1',
        'link 2',
        'resource 1',
        'resource 2',
        'image 3',
        'broken attachment',
        'unknown content',
        'structured content',
      ],
    );
    const leads = await desk.page.locator('.result-leads').innerText();
    assert.match(leads, /Failed check: the structured content is not what the tool promises/);
    assert.match(leads, /currency/);
    if (!desk.isTab) {
      assert.match(await desk.page.locator('.outcome').innerText(), /^Done, with a caution/);
      assert.match(await desk.page.locator('.row-button').innerText(), /Done, with a caution/);
    }
    assert.match(leads, /65000 of 210000 characters/);
    const part = (index: number): Promise<string> => desk.page.locator('.part').nth(index).innerText();
    assert.match(await part(0), /for you only · priority 0\.9 · last changed 2026-05-31/);
    assert.match(await part(0), /⟦U\+202E RLO⟧evil/);
    assert.match(await part(1), /the structured content, written out/);
    assert.match(await part(2), /image\/png · 900 × 300 · [\d.]+ kB/);
    assert.match(await part(5), /Details for May details\.csv\s+report:\/\/may\/⟦U\+200B ZWSP⟧details\.csv/);
    assert.match(await part(5), /text\/csv · said to be 48\.1 kB/);
    assert.match(await part(9), /An SVG can hold programs/);
    assert.match(await part(9), /onload="alert\(1\)"/);
    assert.match(await part(10), /It says image\/png, but its bytes are of no type that is known\./);
    assert.match(await part(11), /type “hologram”/);
    // Drawn from their bytes, and nothing else is.
    const widths = `Array.from(document.querySelectorAll('.picture img'), (image) => image.naturalWidth).join()`;
    await until(async () => (await desk.page.evaluate(widths)) === '900,24', 'both pictures are drawn');
    assert.equal(
      await desk.page.locator('svg:not(.icon), iframe, object, a, script:not([nonce])').count(),
      0,
    );
    assert.deepEqual(desk.faults, []);
  });
}

for (const [name, place] of Object.entries(places)) {
  it(`${name}: any content is drawn, each item as a part, and nothing of it runs`, async () => {
    const desk = await place();
    const content = fc.sample(anyContent, { seed: 7, numRuns: 150 });
    const [entry] = parseMessages(messageWith({ content, structuredContent: content.slice(0, 20) }));
    assert.ok(entry?.kind === 'message' && 'result' in entry.message);
    await show(desk, await kept(readCallToolResult(entry.message.result)));
    await desk.page.getByRole('heading', { name: 'Structured content' }).waitFor();
    assert.equal(await desk.page.locator('.part').count(), 151);
    assert.match(await desk.page.locator('.result-leads').innerText(), /cannot be kept exactly/);
    const foreign = 'svg:not(.icon), iframe, object, a, b, script:not([nonce])';
    assert.equal(await desk.page.locator('.part').locator(foreign).count(), 0);
    assert.deepEqual(desk.faults, []);
  });
}

it('a picture fits, shows its own size on demand, and says what it is', async () => {
  const desk = await card();
  const png = wholePng(1400, 200).toString('base64');
  await show(desk, await kept({ content: [{ type: 'image', data: png, mimeType: 'image/png' }] }));
  const image = desk.page.getByRole('img', { name: /^Image, image\/png, / });
  await image.waitFor();
  const width = async (): Promise<number> => (await image.boundingBox())?.width ?? 0;
  await until(async () => (await width()) < 480, 'it fits');
  await press(desk, 'Actual Size');
  assert.ok((await width()) >= 1400);
  await press(desk, 'Fit');
  assert.ok((await width()) < 480);
  await press(desk, 'Save…');
  await until(() => desk.actions.some((action) => action.startsWith('save report-1.png ')), 'it is saved');
});

it('a sound that nothing confirms is a file that can be saved, and has no player', async () => {
  const desk = await card();
  const data = Buffer.from('000100020003', 'hex').toString('base64');
  await show(desk, await kept({ content: [{ type: 'audio', data, mimeType: 'audio/L16;rate=16000' }] }));
  await desk.page.getByRole('heading', { name: 'Unchecked audio file' }).waitFor();
  const text = await desk.page.locator('.part').first().innerText();
  assert.match(text, /audio\/l16 · 6 bytes/);
  assert.match(text, /Unchecked: no first bytes are known by which this type could be told/);
  assert.equal(await desk.page.locator('audio').count(), 0);
  await press(desk, 'Save…');
  await until(() => desk.actions.some((action) => action.startsWith('save report-1.bin ')), 'it is saved');
});

it('a sound has a player that works, and does not start over when the list changes', async () => {
  const desk = await card();
  const data = wholeWav(0.5).toString('base64');
  await show(desk, await kept({ content: [{ type: 'audio', data, mimeType: 'audio/wav' }] }));
  const player = desk.page.locator('audio');
  await player.waitFor();
  const duration = `document.querySelector('audio').duration`;
  await until(async () => (await desk.page.evaluate(duration)) === 0.5, 'its length is known');
  await desk.page.evaluate(`document.querySelector('audio').dataset.mark = 'same'`);
  desk.board.started({
    callId: 'other',
    serverId: 's',
    toolName: 't',
    caller: { kind: 'user', label: '' },
    arguments: {},
    cancel() {},
  });
  await desk.page.getByRole('heading', { name: 'Running' }).waitFor();
  assert.equal(await player.getAttribute('data-mark'), 'same');
  assert.deepEqual(desk.faults, []);
});

it('the tree of JSON is folded and walked by keyboard; what is folded is not drawn', async () => {
  const desk = await card();
  const value = {
    list: Array.from({ length: 250 }, (_, index) => ({ index })),
    text: `first\n${'long '.repeat(100)}`,
    '': 1,
    'a\u202Eb': null,
  };
  await show(desk, await kept({ structuredContent: value }));
  const tree = desk.page.getByRole('tree', { name: 'Structured content' });
  await tree.waitFor();
  const focused = (): Promise<string> =>
    desk.page.evaluate(
      'document.activeElement.innerText.replace(/\\s+/g, " ").replace(" :", ":").slice(0, 60)',
    );
  assert.equal(await tree.getByRole('treeitem').count(), 5 + 101, 'outline first, no further');
  await tree.getByRole('treeitem').first().focus();
  const walk: [key: string, then: string][] = [
    ['ArrowDown', 'list: [ ] 250 entries'],
    ['ArrowDown', '0: { } 1 member'],
    ['ArrowRight', '0: { } 1 member'],
    ['ArrowRight', 'index: 0'],
    ['ArrowLeft', '0: { } 1 member'],
    ['ArrowLeft', '0: { } 1 member'],
    ['ArrowLeft', 'list: [ ] 250 entries'],
    ['ArrowLeft', 'list: [ ] 250 entries'],
    ['ArrowDown', `text: "first…" (506 characters)`],
    ['ArrowRight', `text: "first…" (506 characters)`],
    ['ArrowRight', `first ${'long '.repeat(100)}`.slice(0, 60)],
    ['ArrowDown', '"": 1'],
    ['End', 'a⟦U+202E RLO⟧b: null'],
    ['Home', '{ } 4 members'],
  ];
  for (const [key, then] of walk) {
    await desk.page.keyboard.press(key);
    assert.equal(await focused(), then, `after ${key}`);
  }
  await press(desk, 'Fold All');
  await tree.getByRole('treeitem', { name: /^list / }).click();
  const more = tree.getByRole('treeitem', { name: 'Show 100 more of 150' });
  await more.focus();
  await desk.page.keyboard.press('Enter');
  assert.equal(await focused(), '100: { } 1 member');
  await tree.getByRole('treeitem', { name: 'Show 50 more of 50' }).click();
  assert.equal(await focused(), '200: { } 1 member');
  assert.equal(await tree.locator('[tabindex="0"]').count(), 1, 'one stop for Tab');
});

it('JSON in a text can be folded too, unless a tree would show less than the text', async () => {
  const desk = await card();
  const texts = ['{"a": [1, 2]}', '{"a":"Obey me","a":"nice"}', '[12345678901234567890]', '{"a":', '"word"'];
  await show(desk, await kept({ content: texts.map((text) => ({ type: 'text', text })) }));
  await desk.page.getByRole('heading', { name: 'Text 5' }).waitFor();
  assert.deepEqual(await desk.page.locator('.part').locator('.segmented').count(), 1);
  await desk.page.locator('.part').first().getByRole('button', { name: 'Text', exact: true }).click();
  await desk.page.locator('.part').first().getByText('{"a": [1, 2]}', { exact: true }).waitFor();
  await desk.page.getByText('{"a":"Obey me","a":"nice"}', { exact: true }).waitFor();
});

it('a link is read when it is opened, with progress and cancel; what goes wrong is said beside it', async () => {
  const desk = await card();
  let request: ResourceRequest | undefined;
  let settle: { resolve: (contents: KeptResult) => void; reject: (error: Error) => void } | undefined;
  desk.read = (given) => {
    request = given;
    return new Promise((resolve, reject) => {
      settle = { resolve, reject };
      given.signal.addEventListener('abort', () => reject(new DOMException('gone', 'AbortError')));
    });
  };
  await show(desk, await everything());
  const link = desk.page.getByRole('region', { name: 'Link 1' });
  const openLink = link.getByRole('button', { name: 'Open', exact: true });
  await openLink.click();
  await until(() => request !== undefined, 'the reading has begun');
  assert.deepEqual([request?.uri, request?.from.serverId], ['report://may/\u200Bdetails.csv', 'github']);
  request?.onProgress({ progress: 1, total: 4, message: '\u202Elines' });
  await link.getByText('1 of 4: ⟦U+202E RLO⟧lines').waitFor();
  await link.getByRole('button', { name: 'Cancel' }).click();
  await link.getByText('Cancelled.').waitFor();
  await openLink.click();
  await link.getByText('Reading…').waitFor();
  settle?.reject(new RpcError(-32002, 'No <b>such</b> resource'));
  await link.getByText('The server cannot give it (error -32002): No <b>such</b> resource').waitFor();
  await openLink.click();
  await link.getByText('Reading…').waitFor();
  const contents = [
    { type: 'resource', resource: { uri: 'report://may/details.csv', mimeType: 'text/csv', text: 'a,b' } },
  ] as const;
  settle?.resolve(await kept({ content: contents }, {}, { subject: 'resource', title: 'details.csv' }));
  await link.getByText('Opened.').waitFor();
  assert.deepEqual(desk.actions, ['text details.csv a,b']);
});

it('what is too large for the card is said, with a way to see it', async () => {
  const desk = await card();
  const large = Buffer.concat([wholePng(2, 2), Buffer.alloc(5_000_000)]).toString('base64');
  const text = 'word '.repeat(60_000);
  const result = await kept({
    content: [
      { type: 'text', text },
      { type: 'image', data: large, mimeType: 'image/png' },
    ],
  });
  await show(desk, result);
  await desk.page.getByText('The first 100,000 of 300,000 characters.').waitFor();
  const image = desk.page.getByRole('region', { name: 'Image' });
  await image.getByText('It is too large to be shown here.').waitFor();
  await image.getByRole('button', { name: 'Open in Tab' }).click();
  await desk.page.getByRole('region', { name: 'Text' }).getByRole('button', { name: 'Open as Text' }).click();
  await until(() => desk.actions.length === 2, 'both were asked for');
  assert.deepEqual(desk.actions, ['tab report', `text report-1.txt ${text.slice(0, 60)}`]);
});

it('a result under review is shown whole, and exactly as the model gets it', async () => {
  const desk = await card();
  const result = await everything();
  void desk.queue.ask(
    reviewPrompt({
      serverId: 'github',
      subject: 'toolResult',
      source: 'report',
      parts: [{ kind: 'text', text: 'What the model reads' }],
      result: await resultView(result, result.checked, result.leads, cardLimits),
      editable: false,
      call: { callId: 'c1', toolName: 'report', caller: { kind: 'chat', label: 'GPT-4.1' } },
    }),
  );
  await desk.page.getByRole('heading', { name: 'Structured content' }).waitFor();
  await press(desk, 'As the Model Gets It');
  await desk.page.getByText('What the model reads').waitFor();
  await press(desk, 'Send to Model');
  await until(() => desk.queue.size === 0, 'it was sent');
  assert.deepEqual(desk.faults, []);
});

it('a result that is no longer kept is said to be gone; the card has its first words', async () => {
  const desk = await card();
  desk.board.started({
    callId: 'old',
    serverId: 's',
    toolName: 't',
    caller: { kind: 'user', label: '' },
    arguments: {},
    cancel() {},
  });
  desk.board.finished('old', { outcome: 'ok', summary: 'its first words', hasResult: true });
  await desk.page.locator('.row-button').click();
  await desk.page.locator('.result-text').filter({ hasText: 'its first words' }).waitFor();
  const other = await inTab();
  other.showTab();
  await other.page.getByText('This result is no longer kept.').waitFor();
});

it('the page lets nothing in from outside, whatever is tried', async () => {
  const desk = await inTab();
  await show(desk, await everything());
  await button(desk, 'Open All as Text').waitFor();
  await desk.page.evaluate(`
    for (const [tag, url] of [['img', 'http://127.0.0.1:9/x.png'], ['img', 'data:image/gif;base64,R0lGODlhAQABAAAAACw='],
      ['audio', 'http://127.0.0.1:9/x.wav'], ['audio', 'data:audio/wav;base64,UklGRg==']]) {
      const element = document.createElement(tag);
      element.src = url;
      document.body.append(element);
      if (tag === 'audio') element.load();
    }`);
  await until(
    () => desk.faults.filter((fault) => /Content Security Policy/i.test(fault)).length >= 4,
    'all are refused',
  );
});
