import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Frame, Page } from 'playwright-core';
import { fixturesFolder } from './paths.ts';
import { waitFor } from './waitFor.ts';

/** A message between page and extension, as it was sent. */
export type SeenMessage = Readonly<Record<string, unknown>>;

/** What a script that got into the Approvals page could do; see `test/fixtures/pageProbe.js`. */
export interface PageProbe {
  /** Messages of the extension to the page since the probe is there, oldest first. */
  received(): Promise<readonly SeenMessage[]>;
  /** All messages of the page to the extension, with the wall clock's milliseconds; without those of `send`. */
  sent(): Promise<readonly { readonly at: number; readonly message: SeenMessage }[]>;
  /** Sends a message as the page would. */
  send(message: unknown): Promise<void>;
  /** Evaluates an expression in the page, where `pageProbe` is at hand. */
  run<T>(expression: string): Promise<T>;
}

/** Listens in all frames that are opened from now on: call it before the view is opened. */
export async function probePages(page: Page): Promise<void> {
  await page.context().addInitScript({ path: path.join(fixturesFolder, 'pageProbeHost.js') });
}

/** Gets into the open Approvals view. */
export async function openProbe(page: Page): Promise<PageProbe> {
  const frame = await waitFor('the page of the Approvals view', () => findFrame(page));
  const host = frame.parentFrame();
  if (host === null) throw new Error('the page has no frame around it');
  await frame.evaluate(readFileSync(path.join(fixturesFolder, 'pageProbe.js'), 'utf8'));
  await host.evaluate(
    `document.querySelector('#active-frame, #pending-frame').contentWindow.pageProbe.send = pageProbeHost.send`,
  );
  return {
    received: () => frame.evaluate('pageProbe.received'),
    sent: () => host.evaluate('pageProbeHost.sent'),
    send: (message) => host.evaluate(`void pageProbeHost.send(${JSON.stringify(message)})`),
    run: (expression) => frame.evaluate(expression),
  };
}

async function findFrame(page: Page): Promise<Frame | undefined> {
  for (const frame of page.frames()) {
    const isOurs = await frame
      .evaluate<boolean>(`document.title.startsWith('Approvals') && document.querySelector('#page') !== null`)
      .catch(() => false);
    if (isOurs) return frame;
  }
  return undefined;
}

const countText = `function count(root, selector) {
  let sum = root.querySelectorAll(selector).length;
  for (const { shadowRoot } of root.querySelectorAll('*')) if (shadowRoot) sum += count(shadowRoot, selector);
  return sum;
}`;

/** Counts elements in every frame and shadow root of the window, and frames in which a script has set `flag`. */
export async function findMarked(
  page: Page,
  selector: string,
  flag: string,
): Promise<{ readonly elements: number; readonly scripts: number }> {
  const sum = { elements: 0, scripts: 0 };
  let searched = false;
  for (const frame of page.frames()) {
    const found = await frame
      .evaluate<{ elements: number; ran: boolean; ours: boolean }>(
        `(() => { ${countText}; return {
          elements: count(document, ${JSON.stringify(selector)}),
          ran: ${JSON.stringify(flag)} in globalThis,
          ours: document.title.startsWith('Approvals'),
        }; })()`,
      )
      // A frame may go away while it is looked at.
      .catch(() => undefined);
    if (found === undefined) continue;
    searched ||= found.ours;
    sum.elements += found.elements;
    if (found.ran) sum.scripts += 1;
  }
  if (!searched) throw new Error('the Approvals page is not open');
  return sum;
}
