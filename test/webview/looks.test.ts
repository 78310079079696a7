import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { approvalPrompt } from '../../src/prompts/approvalPrompt.ts';
import type { Desk } from './harness/bench.ts';
import { it, armed, button, press, until, useBench } from './harness/desk.ts';
import { gallery, loadedCall } from './harness/gallery.ts';
import { everything, show } from './harness/results.ts';
import { createIssue, echo } from './harness/samples.ts';
import type { ThemeName } from './harness/themes.ts';

const { open } = useBench();
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Finding {
  readonly rule: string;
  readonly impact: string;
  readonly where: string;
}

/** What axe-core finds on the page, the shadow roots of its controls included. */
async function findings(desk: Desk): Promise<readonly Finding[]> {
  await desk.page.evaluate(axeSource);
  const found = await desk.page.evaluate(`axe
    .run(document, { resultTypes: ['violations'] })
    .then(({ violations }) => violations.flatMap(({ id, impact, nodes }) =>
      nodes.map(({ target, failureSummary }) => ({ rule: id, impact, where: target.join(' ') + ' ' + failureSummary }))))`);
  return found as readonly Finding[];
}

/** Nothing reaches out of the page sideways: at no width is there anything to scroll for. */
async function fits(desk: Desk): Promise<void> {
  const [inner, outer] = await desk.page.evaluate<[number, number]>(
    '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
  );
  assert.ok(inner <= outer, `${inner} > ${outer}`);
}

/** Pages in a state that is worth a look. */
const states: Readonly<Record<string, (desk: Desk) => Promise<void> | void>> = {
  ...gallery,
  remember: async (desk) => {
    await gallery['approval']?.(desk);
    await press(desk, 'Allow and Remember…');
    await armed(desk);
  },
  deny: async (desk) => {
    await gallery['approval']?.(desk);
    await press(desk, 'Deny with Options…');
  },
  edit: async (desk) => {
    await gallery['approval']?.(desk);
    await press(desk, 'Edit Arguments');
    await desk.page.getByRole('textbox', { name: /^title/ }).fill('long '.repeat(30));
    await desk.page.keyboard.press('Tab');
    await desk.page.locator('.problem:visible').first().waitFor();
  },
  batch: async (desk) => {
    for (let index = 0; index < 3; index += 1) void desk.queue.ask(echo(`call ${index}`));
    await press(desk, 'Review 3 Together');
    await desk.page.locator('.batch-item.read').first().waitFor();
    await press(desk, 'Select All Read');
  },
  lists: async (desk) => {
    const { caller } = createIssue;
    const start = (callId: string, toolName: string): void =>
      desk.board.started({
        callId,
        serverId: 'github',
        toolName,
        caller,
        arguments: { query: 'is:open' },
        cancel() {},
      });
    for (const outcome of ['ok', 'doubtful', 'toolError', 'failed', 'cancelled'] as const) {
      start(outcome, 'search');
      desk.board.finished(outcome, { outcome, summary: 'Text', hasResult: true });
    }
    start('running', 'index');
    desk.board.progress('running', { progress: 3, total: 10, message: 'Reading' });
    void desk.queue.ask(
      approvalPrompt({ ...createIssue, arguments: { owner: 'acme', repo: 'site', title: 'Fix it' } }),
    );
    void desk.queue.ask(echo('hello'));
    await gallery['url']?.(desk);
  },
  running: async (desk) => {
    const { caller } = createIssue;
    desk.board.started({
      callId: 'r',
      serverId: 'github',
      toolName: 'index',
      caller,
      arguments: { path: 'src' },
      cancel() {},
    });
    desk.board.progress('r', { progress: 30, total: 100, message: 'Reading src/index.ts' });
    await desk.page.locator('.row-button').click();
    await desk.page.getByRole('progressbar').waitFor();
  },
  result: async (desk) => {
    await show(desk, await everything());
    await desk.page.getByRole('heading', { name: 'Structured content' }).waitFor();
  },
  empty: async (desk) => desk.page.getByText(/^Nothing\b.*\bwaiting\b/).waitFor(),
};

/** At these looks all states are drawn; the others are for the ones with the most on them. */
const looks: readonly {
  readonly theme: ThemeName;
  readonly width: number;
  readonly states: readonly string[];
}[] = [
  { theme: 'dark', width: 320, states: Object.keys(states) },
  { theme: 'light', width: 600, states: Object.keys(states) },
  { theme: 'hcDark', width: 200, states: Object.keys(states) },
  { theme: 'hcLight', width: 320, states: ['approval', 'form', 'lists', 'result'] },
  { theme: 'dark', width: 1100, states: ['approval', 'form', 'lists', 'batch', 'result'] },
];

for (const { theme, width, states: names } of looks) {
  let desk: Desk | undefined;
  for (const name of names) {
    it(`${name}, ${theme}, ${width} px: nothing for axe to complain of, and nothing out of the page`, async () => {
      if (desk === undefined) desk = await open({ theme, width, height: 900 });
      else await desk.reset();
      await states[name]?.(desk);
      if (name !== 'empty') await desk.page.locator('article').waitFor();
      await desk.screenshot(`${name}-${theme}-${width}`);
      assert.deepEqual(await findings(desk), []);
      await fits(desk);
      assert.deepEqual(desk.faults, []);
    });
  }
}

for (const [theme, width] of [
  ['light', 1000],
  ['hcDark', 300],
] as const) {
  it(`result in a tab, ${theme}, ${width} px: nothing for axe to complain of, and nothing out of the page`, async () => {
    const desk = await open({ theme, width, height: 900, page: 'result' });
    await show(desk, await everything());
    await desk.page.getByRole('heading', { name: 'Structured content' }).waitFor();
    await desk.screenshot(`resultTab-${theme}-${width}`);
    assert.deepEqual(await findings(desk), []);
    await fits(desk);
    assert.deepEqual(desk.faults, []);
  });
}

it('the keyboard alone reaches every control in the order in which it is read, and each shows that it has it', async () => {
  const desk = await open({ height: 1600 });
  void desk.queue.ask(approvalPrompt(loadedCall));
  await armed(desk);
  desk.session.show(undefined, 'move');
  await until(
    async () => (await desk.page.evaluate('document.activeElement?.tagName')) === 'H2',
    'the card has the keyboard',
  );
  const names: string[] = [];
  for (let step = 0; step < 40; step += 1) {
    await desk.page.keyboard.press('Tab');
    const at = await desk.page.evaluate<
      { readonly name: string; readonly ring: boolean } | undefined
    >(`(() => {
      let element = document.activeElement;
      if (element === null || element === document.body) return undefined;
      while (element.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
      const host = element.getRootNode().host ?? element;
      const { outlineStyle } = getComputedStyle(element);
      return { name: (host.getAttribute('aria-label') ?? host.textContent).trim(), ring: outlineStyle !== 'none' };
    })()`);
    if (at === undefined) break;
    assert.equal(at.ring, true, `${at.name} shows nothing`);
    names.push(at.name);
  }
  assert.deepEqual(names, [
    'Difference',
    'More',
    'Table',
    'JSON',
    'Edit Arguments',
    'Open in Tab',
    'Text of 214 lines',
    'Reveal',
    'Allow Once',
    'Allow and Remember…',
    'Deny',
    'Deny with Options…',
  ]);
});

it('a whole approval by keyboard: remember it for this workspace', async () => {
  const desk = await open({ height: 1600 });
  const asked = desk.queue.ask(
    approvalPrompt({ ...loadedCall, notes: [], change: { allowedAt: '2026-01-01' } }),
  );
  await armed(desk);
  await button(desk, 'Allow and Remember…').focus();
  await desk.page.keyboard.press('Enter');
  await desk.page.keyboard.press('Tab');
  await desk.page.keyboard.press('ArrowDown');
  await desk.page.getByText('In this workspace, always allow').waitFor();
  await desk.page.keyboard.press('Tab');
  await desk.page.keyboard.press('ArrowDown');
  await desk.page.keyboard.press('ArrowDown');
  await armed(desk);
  await desk.page.keyboard.press('Tab');
  await desk.page.keyboard.press('Enter');
  const answer = await asked;
  assert.deepEqual(answer.kind === 'allow' && answer.grant, { scope: 'workspace', proposalId: '2' });
});

it('less motion: nothing moves for people who do not want it', async () => {
  const desk = await open();
  await desk.page.emulateMedia({ reducedMotion: 'reduce' });
  desk.board.started({
    callId: 'r',
    serverId: 's',
    toolName: 't',
    caller: createIssue.caller,
    arguments: {},
    cancel() {},
  });
  await desk.page.locator('.row-button').click();
  await desk.page.locator('.indefinite .progress-fill').waitFor();
  assert.equal(await desk.page.evaluate('document.getAnimations().length'), 0);
});

it('forced colours: what is chosen and what was changed stays visible without colours', async () => {
  const desk = await open({ height: 1200 });
  await desk.page.emulateMedia({ forcedColors: 'active' });
  void desk.queue.ask(approvalPrompt(loadedCall));
  void desk.queue.ask(echo('x'));
  await armed(desk);
  const outlined = await desk.page.evaluate(
    `['[aria-pressed="true"]', '[aria-current]'].every((selector) => getComputedStyle(document.querySelector(selector)).outlineStyle === 'solid')`,
  );
  assert.equal(outlined, true);
  const decorated = await desk.page.evaluate(
    `['ins', 'del'].map((tag) => getComputedStyle(document.querySelector(tag)).textDecorationLine)`,
  );
  assert.deepEqual(decorated, ['underline', 'line-through']);
  await desk.screenshot('approval-forced-colors');
});
