import path from 'node:path';
import type { Frame, Page } from 'playwright-core';
import { fixturesFolder } from './paths.ts';
import { waitFor } from './waitFor.ts';

/** A message between page and extension, as it was sent. */
export type SeenMessage = Readonly<Record<string, unknown>>;

/** What a script that got into the Approvals page could do; see `test/fixtures/pageProbe.js`. */
export interface PageProbe {
  /** Messages of the extension to the page, oldest first. */
  received(): Promise<readonly SeenMessage[]>;
  /** Messages of the page to the extension, without those of `send`. */
  sent(): Promise<readonly SeenMessage[]>;
  /** Sends a message as the page would. */
  send(message: unknown): Promise<void>;
  /** Evaluates an expression in the page, where `pageProbe` is at hand. */
  run<T>(expression: string): Promise<T>;
}

/** Puts the probe into all frames that are opened from now on: call it before the view is opened. */
export async function probePages(page: Page): Promise<void> {
  await page.context().addInitScript({ path: path.join(fixturesFolder, 'pageProbe.js') });
}

/** The probe inside the open Approvals view. */
export async function openProbe(page: Page): Promise<PageProbe> {
  const frame = await waitFor('the page of the Approvals view', () => findFrame(page));
  return {
    received: () => frame.evaluate('pageProbe.received'),
    sent: () => frame.evaluate('pageProbe.sent'),
    send: (message) => frame.evaluate(`pageProbe.send(${JSON.stringify(message)})`),
    run: (expression) => frame.evaluate(expression),
  };
}

async function findFrame(page: Page): Promise<Frame | undefined> {
  for (const frame of page.frames()) {
    const isOurs = await frame
      .evaluate<boolean>('globalThis.pageProbe?.isOurs() === true')
      .catch(() => false);
    if (isOurs) return frame;
  }
  return undefined;
}

/** Counts elements in every frame and shadow root of the window, and frames in which a script has set `flag`. */
export async function findMarked(
  page: Page,
  selector: string,
  flag: string,
): Promise<{ readonly elements: number; readonly scripts: number; readonly frames: number }> {
  const sum = { elements: 0, scripts: 0, frames: 0 };
  for (const frame of page.frames()) {
    const probed = await frame.evaluate<boolean>('"pageProbe" in globalThis').catch(() => false);
    if (!probed) continue;
    sum.frames += 1;
    sum.elements += await frame.evaluate<number>(`pageProbe.count(${JSON.stringify(selector)})`);
    if (await frame.evaluate<boolean>(`${JSON.stringify(flag)} in globalThis`)) sum.scripts += 1;
  }
  return sum;
}
