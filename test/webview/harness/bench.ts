import { type Browser, type BrowserContext, type Page, chromium } from 'playwright-core';
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../../src/base/clock.ts';
import { CallBoard } from '../../../src/prompts/callBoard.ts';
import { PageSession } from '../../../src/prompts/pageSession.ts';
import { PromptQueue } from '../../../src/prompts/promptQueue.ts';
import { findChromium } from '../../rig/chromiumPath.ts';
import { type PageHost, startPageHost } from './pageHost.ts';
import type { ThemeName } from './themes.ts';

const out = fileURLToPath(new URL('../../out/webview/', import.meta.url));

/** One browser and one page host for a test file. */
export class Bench {
  readonly #browser: Browser;
  readonly #host: PageHost;

  private constructor(browser: Browser, host: PageHost) {
    this.#browser = browser;
    this.#host = host;
  }

  static async start(): Promise<Bench> {
    const [browser, host] = await Promise.all([
      chromium.launch({
        executablePath: chromiumPath(),
        args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
      }),
      startPageHost(),
    ]);
    return new Bench(browser, host);
  }

  /** A fresh page on a fresh queue. */
  async open(
    options: { readonly theme?: ThemeName; readonly width?: number; readonly height?: number } = {},
  ): Promise<Desk> {
    const context = await this.#browser.newContext({
      viewport: { width: options.width ?? 320, height: options.height ?? 800 },
    });
    const desk = new Desk(context, await context.newPage());
    await desk.load(this.#host.address(options.theme ?? 'dark'));
    return desk;
  }

  async close(): Promise<void> {
    await this.#browser.close();
    await this.#host.close();
  }
}

/** A page in the browser, joined to the real queue by the real session, as in the editor. */
export class Desk {
  readonly page: Page;
  readonly queue = new PromptQueue({ clock: systemClock });
  readonly board = new CallBoard({ clock: systemClock, queue: this.queue });
  readonly session: PageSession;
  /** Everything that the page has sent. */
  readonly sent: unknown[] = [];
  /** Calls of the actions around the page. */
  readonly actions: string[] = [];
  /** Errors in the page, refusals by its content policy among them. */
  readonly faults: string[] = [];
  readonly #context: BrowserContext;

  constructor(context: BrowserContext, page: Page) {
    this.#context = context;
    this.page = page;
    this.session = new PageSession({
      queue: this.queue,
      board: this.board,
      clock: systemClock,
      post: (message) => void this.tell(message),
      actions: {
        openResult: (callId) => this.actions.push(`openResult ${callId}`),
        openText: (card, path) => this.actions.push(`openText ${card.serverId} ${path}`),
        openPage: () => this.actions.push('openPage'),
        report: (problem) => this.actions.push(`report ${problem}`),
      },
    });
    page.on('pageerror', (error) => this.faults.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') this.faults.push(message.text());
    });
  }

  async load(address: string): Promise<void> {
    await this.page.exposeFunction('hostReceive', (message: unknown) => {
      this.sent.push(message);
      this.session.receive(message);
    });
    await this.page.addInitScript(`
      window.acquireVsCodeApi = () => ({ postMessage: (message) => void window.hostReceive(JSON.parse(JSON.stringify(message))) });
      new MutationObserver((_, observer) => {
        const style = document.documentElement?.dataset.style;
        if (style === undefined) return;
        observer.disconnect();
        document.documentElement.style.cssText = style;
      }).observe(document, { childList: true, subtree: true });
    `);
    await this.page.goto(address);
  }

  /** Sends a message to the page as the extension does; any value, to try what a forged one does. */
  async tell(message: unknown): Promise<void> {
    // A page that is being closed takes no messages; a lost webview does not either.
    await this.page.evaluate(`window.postMessage(${JSON.stringify(message)}, '*')`).catch(() => undefined);
  }

  async screenshot(name: string, fullPage = true): Promise<void> {
    mkdirSync(out, { recursive: true });
    await this.page.screenshot({ path: `${out}${name}.png`, fullPage });
  }

  async close(): Promise<void> {
    this.session.dispose();
    this.board.dispose();
    this.queue.dispose();
    await this.#context.close();
  }
}

function chromiumPath(): string {
  const path = findChromium();
  if (path === undefined) throw new Error('No Chromium was found; name one in the variable CHROMIUM.');
  return path;
}
