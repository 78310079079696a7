// How soon a call is in view, printed and never judged; and what 500 calls at once do to the view.
import assert from 'node:assert/strict';
import { availableParallelism, loadavg } from 'node:os';
import { scriptServer } from '../../helpers/scriptServer.ts';
import { approvals } from '../../rig/approvals.ts';
import { chatAnswers } from '../../rig/chat.ts';
import type { Editor } from '../../rig/editor.ts';
import { editorTest } from '../../rig/editorTest.ts';
import { openProbe, type PageProbe, probePages, type SeenMessage } from '../../rig/pageProbe.ts';
import { waitFor } from '../../rig/waitFor.ts';
import { openContainer } from '../../rig/workbench.ts';

const tool = { name: 'alpha', inputSchema: { type: 'object' } };
const server = scriptServer([tool]);
const options = { settings: { 'countersign.servers': { quiet: server.entry } } };

interface Seen {
  readonly id: string;
  readonly digest: string;
  /** When the page said that the card's buttons are in view; milliseconds since 1970. */
  readonly at: number;
}

/** The cards that came into view, in that order. */
async function shown(probe: PageProbe): Promise<readonly Seen[]> {
  const first = new Map<string, Seen>();
  for (const { at, message } of await probe.sent()) {
    const { kind, id, digest } = message as SeenMessage & { readonly id: string; readonly digest: string };
    if (kind === 'shown' && !first.has(id)) first.set(id, { id, digest, at });
  }
  return Array.from(first.values());
}

const deny = (probe: PageProbe, { id, digest }: Seen): Promise<void> =>
  probe.send({ kind: 'answer', id, digest, answer: { kind: 'deny' } });

/** When the model made its calls; milliseconds since 1970. */
function callTimes(editor: Editor): readonly number[] {
  const log = editor.channel('Demo Model', 'countersign-demo.demo-model');
  return lineTimes(log, /^(\S+) (\S+) \[info\] reply \{"kind":"calls"/gm);
}

/** When the extension put its questions into the queue. */
const askTimes = (editor: Editor): readonly number[] =>
  lineTimes(editor.channel('Countersign Audit'), /^(\S+) (\S+) \[info\] .* waits for a person/gm);

function lineTimes(log: string, pattern: RegExp): readonly number[] {
  return Array.from(log.matchAll(pattern), ([, day, time]) => new Date(`${day}T${time}`).getTime());
}

function print(what: string, times: readonly number[]): void {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part: number): string =>
    `${Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN)} ms`;
  const load = `${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} processors`;
  console.log(
    `bench: ${what}: median ${at(0.5)}, 95th percentile ${at(0.95)}, most ${at(1)} (${times.length} calls, load ${load})`,
  );
}

editorTest(
  'a call is soon in view: open, hidden behind another view, and never opened',
  options,
  async (editor) => {
    const { page } = editor;
    await probePages(page);
    await editor.logged('Countersign Audit', /Tools of "quiet": 1/);
    const inView = (count: number): Promise<Seen> =>
      waitFor(`card ${count} in view`, async () => (await shown(probe))[count - 1]);

    let asked = 0;
    const line = (): string => `use alpha {"n": "call ${asked++}"}`;
    let answered = 0;
    const paints = (): Promise<Readonly<Record<string, number>>> => probe.run('pageProbe.paints');
    const answer = async (): Promise<void> => {
      const call = `call ${answered++}`;
      const card = await inView(answered);
      // The first card is there before anybody can listen for its paint.
      if (answered > 1) await waitFor(`${call} painted`, async () => (await paints())[call]);
      await deny(probe, card);
    };

    // The view has never been opened: the call itself has to bring it up.
    await editor.ask(`@countersign ${line()}`);
    const probe = await openProbe(page);
    await answer();
    await chatAnswers(page).filter({ hasText: 'denied this call' }).waitFor();

    const [turns, rounds] = [2, 30];
    await probe.run('pageProbe.watchPaints()');
    for (let turn = 0; turn < turns; turn++) {
      await editor.ask(`@countersign ${Array.from({ length: rounds }, line).join('\nthen ')}`);
      for (let n = 0; n < rounds; n++) await answer();
    }
    await waitFor('the end of the turns', () => callTimes(editor).length === asked);

    const hidden = 6;
    for (let n = 0; n < hidden; n++) {
      await openContainer(page, 'Explorer');
      await editor.ask(`@countersign ${line()}`);
      await answer();
    }

    const calls = await waitFor('the log of all calls', () => {
      const times = callTimes(editor);
      return times.length === asked && times;
    });
    const paintedAt = await paints();
    const painted = calls.map((at, n) => (paintedAt[`call ${n}`] ?? Number.NaN) - at);
    const inReach = (await shown(probe)).map(({ at }, n) => at - (calls[n] ?? Number.NaN));
    assert.equal(inReach.length, asked);
    const open = 1 + turns * rounds;
    print("from the model's call to the painted prompt, view open", painted.slice(1, open));
    const asks = askTimes(editor);
    assert.equal(asks.length, asked);
    const own = calls.map((at, n) => at + (painted[n] ?? Number.NaN) - (asks[n] ?? Number.NaN));
    print('of that from the question in the queue on', own.slice(1, open));
    print("from the model's call to its buttons reported in view, view open", inReach.slice(1, open));
    print("from the model's call to the painted prompt, view hidden", painted.slice(open));
    print(
      "from the model's call to its buttons reported in view, view never opened before",
      inReach.slice(0, 1),
    );
    assert.deepEqual(server.calls(), []);
  },
);

editorTest(
  '500 calls wait at once: in order, none lost, and the view goes on working',
  options,
  async (editor) => {
    const { page } = editor;
    await probePages(page);
    await openContainer(page, 'Countersign');
    await editor.logged('Countersign Audit', /Tools of "quiet": 1/);
    const { frame } = approvals(editor);
    await frame.getByText('Nothing waiting').waitFor();
    const probe = await openProbe(page);
    await probe.run('pageProbe.watchFrames()');

    const count = 500;
    await editor.ask(`@countersign ${count} times use alpha {"n": #}`);
    const status = page.locator('.statusbar-item').filter({ hasText: /calls? waits? for you/ });
    await status.filter({ hasText: `${count} calls wait for you` }).waitFor({ timeout: 60_000 });
    await frame.getByText(`1 of ${count} waiting`).waitFor();
    const order = (): Promise<readonly number[]> =>
      probe.run(
        `pageProbe.received.findLast(({ kind }) => kind === 'state').prompts.map(({ preview }) => Number(/\\d+/.exec(preview)))`,
      );
    const numbers = Array.from({ length: count }, (_, n) => n);
    assert.deepEqual(await order(), numbers);

    // A person can go on: look at the next, deny one, and each step is answered.
    await probe.run('pageProbe.longestFrame = 0');
    const start = performance.now();
    await frame.getByRole('button', { name: 'Next', exact: true }).click();
    await frame.getByText(`2 of ${count} waiting`).waitFor();
    await frame.getByRole('button', { name: 'Previous', exact: true }).click();
    await frame.getByRole('button', { name: 'Deny', exact: true }).click();
    await frame.getByText(`1 of ${count - 1} waiting`).waitFor();
    const took = performance.now() - start;
    const longest = await probe.run<number>('pageProbe.longestFrame');
    console.log(
      `bench: ${count} calls waiting: three presses and their effects ${Math.round(took)} ms, longest frame ${Math.round(longest)} ms`,
    );
    assert.deepEqual(await order(), numbers.slice(1));

    await frame.getByRole('button', { name: 'Deny with Options…' }).click();
    await frame.getByRole('button', { name: 'Deny and Stop the Turn' }).click();
    await status.waitFor({ state: 'hidden' });
    await chatAnswers(page).filter({ hasText: 'you stopped the turn' }).waitFor();
    await waitFor(
      'the record of all denials',
      () => editor.channel('Countersign Audit').match(/denied by a person/g)?.length === count,
    );
    assert.deepEqual(server.calls(), []);
  },
);
