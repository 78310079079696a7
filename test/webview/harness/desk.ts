import type { Locator } from 'playwright-core';
import { after, before, it as nodeIt } from 'node:test';
import { Bench, type Desk } from './bench.ts';

/** A test that fails, rather than waits for ever, when something that it waits for never comes. */
export function it(name: string, run: () => Promise<void>): void {
  void nodeIt(name, { timeout: 180_000 }, run);
}

/** The browser for a test file; `open` a page in it, which is closed with the file. */
export function useBench(): { open: Bench['open'] } {
  let bench: Bench | undefined;
  const desks: Desk[] = [];
  before(async () => {
    bench = await Bench.start();
  });
  after(async () => {
    for (const desk of desks) await desk.close();
    await bench?.close();
  });
  return {
    async open(options) {
      if (bench === undefined) throw new Error('The browser is not there yet.');
      const desk = await bench.open(options);
      desks.push(desk);
      return desk;
    },
  };
}

/** The button with this name on the card, whether it works or not. */
export function button(desk: Desk, name: string): Locator {
  return desk.page.getByRole('button', { name, exact: true });
}

/** Waits until the button works, then presses it, as a person does. */
export async function press(desk: Desk, name: string): Promise<void> {
  // Playwright waits for a button that does not work yet.
  await button(desk, name).click();
}

/** Waits until the card at the top may be allowed. */
export async function armed(desk: Desk): Promise<void> {
  await desk.page.locator('.actions vscode-button[appearance="primary"]:not([disabled])').first().waitFor();
}

/** Time of a page that passes only when a test says so: what takes a busy machine long is then no time for the page. */
export interface HeldTime {
  readonly pass: (ms: number) => Promise<void>;
  /** From now on it passes by itself. */
  readonly release: () => Promise<void>;
}

/** Holds the page's time. Before any passes, the page has told the extension of a card in view. */
export async function heldTime(desk: Desk): Promise<HeldTime> {
  const { clock } = desk.page;
  await clock.install();
  await clock.pauseAt(Date.now() + 60_000);
  return {
    async pass(ms) {
      await until(() => desk.sent.some(isShown), 'the card to be in view');
      await clock.runFor(ms);
    },
    release: () => clock.resume(),
  };
}

function isShown(message: unknown): boolean {
  return typeof message === 'object' && message !== null && Reflect.get(message, 'kind') === 'shown';
}

/** Answers of the page that have reached the extension. */
export function answers(desk: Desk): readonly unknown[] {
  return desk.sent.filter(
    (message) => typeof message === 'object' && message !== null && Reflect.get(message, 'kind') === 'answer',
  );
}

/** Waits until a condition holds. */
export async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const end = Date.now() + 60_000;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`Waited in vain until ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
