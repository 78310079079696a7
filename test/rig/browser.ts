import { chromium, type Browser, type BrowserContext } from 'playwright-core';
import { findChromium } from './chromiumPath.ts';

/** Starts a headless Chromium. */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('no Chromium found; `npm test` says how to get one');
  return chromium.launch({
    executablePath,
    // Otherwise Playwright ends the process before anything else is cleaned up.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    args: [
      '--no-sandbox', // root has no other way, and only pages from this machine are opened
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

/** A fresh browser profile with the window size that the tests and pictures use. */
export async function newContext(browser: Browser): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
  // Twice Playwright's own: several editors may be starting on a machine with two slow processors.
  context.setDefaultTimeout(60_000);
  return context;
}

/** Collects what a context's pages say, for the logs of a failed test; bounded. */
export function recordPages(context: BrowserContext, limit = 2_000): readonly string[] {
  const lines: string[] = [];
  const add = (line: string) => {
    lines.push(line.slice(0, 2_000));
    if (lines.length > limit) lines.shift();
  };
  context.on('console', (message) => add(`${message.type()}: ${message.text()}`));
  context.on('weberror', (error) => add(`uncaught: ${error.error().stack ?? error.error().message}`));
  context.on('requestfailed', (request) => add(`failed: ${request.url()} ${request.failure()?.errorText}`));
  context.on('response', (response) => {
    if (response.status() >= 400) add(`${response.status()}: ${response.url()}`);
  });
  return lines;
}
