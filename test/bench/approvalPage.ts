/*
 * `node test/bench/approvalPage.ts`
 *
 * How long the approvals page takes in Chromium: from the question to the card on the screen, alone and behind
 * 500 others, from an answer to the next card, and what 500 waiting calls cost in memory. Nothing is asserted.
 */
import { Bench, type Desk } from '../webview/harness/bench.ts';
import { armed, button } from '../webview/harness/desk.ts';
import { echo } from '../webview/harness/samples.ts';

const rounds = 40;

function report(name: string, times: readonly number[]): void {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (part: number): string =>
    `${(sorted[Math.floor(part * (sorted.length - 1))] ?? 0).toFixed(1)} ms`;
  console.log(`${name}: median ${at(0.5)}, 95th percentile ${at(0.95)}, worst ${at(1)}`);
}

/** Milliseconds until the card with this text has been painted; measured in the page, the trip to it included. */
async function untilPainted(desk: Desk, text: string, act: () => void): Promise<number> {
  const painted = desk.page.evaluate<number>(`new Promise((resolve) => {
    const look = () => {
      const shown = document.querySelector('article')?.textContent.includes(${JSON.stringify(text)});
      if (shown) requestAnimationFrame(() => resolve(performance.timeOrigin + performance.now()));
      else requestAnimationFrame(look);
    };
    look();
  })`);
  const start = performance.timeOrigin + performance.now();
  act();
  return (await painted) - start;
}

const memory = (desk: Desk): Promise<number> =>
  desk.page.evaluate('performance.memory.usedJSHeapSize / 1048576');

const bench = await Bench.start();
try {
  const desk = await bench.open();
  const alone: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const controller = new AbortController();
    const text = `alone ${round}.`;
    alone.push(await untilPainted(desk, text, () => void desk.queue.ask(echo(text), controller.signal)));
    controller.abort();
    await desk.page.locator('article', { hasText: 'Withdrawn' }).waitFor();
  }
  report('Question to card, nothing else waiting', alone);

  const before = await memory(desk);
  const all = await untilPainted(desk, 'call 0.', () => {
    for (let index = 0; index < 500; index += 1) void desk.queue.ask(echo(`call ${index}.`));
  });
  console.log(`500 questions at once to the first card: ${all.toFixed(1)} ms`);
  const next: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await armed(desk);
    const deny = await button(desk, 'Deny').boundingBox();
    if (deny === null) throw new Error('There is no button.');
    next.push(
      await untilPainted(
        desk,
        `call ${round + 1}.`,
        () => void desk.page.mouse.click(deny.x + 5, deny.y + 5),
      ),
    );
  }
  report('Answer to the next card, with hundreds waiting', next);
  console.log(
    `Memory of the page with 500 waiting: ${(await memory(desk)).toFixed(1)} MiB, before ${before.toFixed(1)} MiB`,
  );
  await desk.close();
} finally {
  await bench.close();
}
