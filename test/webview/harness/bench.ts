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
  /** Everything that the page has sent. */
  readonly sent: unknown[] = [];
  /** Calls of the actions around the page. */
  readonly actions: string[] = [];
  /** Errors in the page, refusals by its content policy among them. */
  readonly faults: string[] = [];
  readonly #context: BrowserContext;
  /** How many messages of each kind the extension has sent. */
  readonly #told = new Map<string, number>();
  #extension: Extension;

  constructor(context: BrowserContext, page: Page) {
    this.#context = context;
    this.page = page;
    this.#extension = this.#start();
    page.on('pageerror', (error) => this.faults.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') this.faults.push(message.text());
    });
  }

  get queue(): PromptQueue {
    return this.#extension.queue;
  }

  get board(): CallBoard {
    return this.#extension.board;
  }

  get session(): PageSession {
    return this.#extension.session;
  }

  /** How many messages of this kind the extension has sent to the page. */
  told(kind: string): number {
    return this.#told.get(kind) ?? 0;
  }

  async load(address: string): Promise<void> {
    // As text, the way the editor's own channel carries it: the browser driver would drop odd member names.
    await this.page.exposeFunction('hostReceive', (text: string) => {
      const message: unknown = JSON.parse(text);
      this.sent.push(message);
      this.session.receive(message);
    });
    await this.page.addInitScript(`
      window.acquireVsCodeApi = () => ({ postMessage: (message) => void window.hostReceive(JSON.stringify(message)) });
      new MutationObserver((_, observer) => {
        const style = document.documentElement?.dataset.style;
        if (style === undefined) return;
        observer.disconnect();
        document.documentElement.style.cssText = style;
      }).observe(document, { childList: true, subtree: true });
    `);
    await this.page.goto(address);
  }

  /** Starts over in the same page, which is quicker than another one. */
  async reset(): Promise<void> {
    this.#stop();
    this.#extension = this.#start();
    this.sent.length = 0;
    this.actions.length = 0;
    this.faults.length = 0;
    this.#told.clear();
    await this.page.reload();
  }

  /** Sends a message to the page as the extension does; any value, to try what a forged one does. */
  async tell(message: unknown): Promise<void> {
    const text = JSON.stringify(JSON.stringify(message));
    // A page that is being closed takes no messages; a lost webview does not either.
    await this.page.evaluate(`window.postMessage(JSON.parse(${text}), '*')`).catch(() => undefined);
  }

  async screenshot(name: string, fullPage = true): Promise<void> {
    mkdirSync(out, { recursive: true });
    await this.page.screenshot({ path: `${out}${name}.png`, fullPage });
  }

  async close(): Promise<void> {
    this.#stop();
    await this.#context.close();
  }

  #start(): Extension {
    const queue = new PromptQueue({ clock: systemClock });
    const board = new CallBoard({ clock: systemClock, queue });
    const session = new PageSession({
      queue,
      board,
      clock: systemClock,
      post: (message) => {
        this.#told.set(message.kind, this.told(message.kind) + 1);
        void this.tell(message);
      },
      actions: {
        openResult: (callId) => this.actions.push(`openResult ${callId}`),
        openText: (card, path) => this.actions.push(`openText ${card.serverId} ${path}`),
        openPage: (id) => this.actions.push(`openPage ${id ?? ''}`),
        report: (problem) => this.actions.push(`report ${problem}`),
      },
    });
    return { queue, board, session };
  }

  #stop(): void {
    this.session.dispose();
    this.board.dispose();
    this.queue.dispose();
  }
}

interface Extension {
  readonly queue: PromptQueue;
  readonly board: CallBoard;
  readonly session: PageSession;
}

function chromiumPath(): string {
  const path = findChromium();
  if (path === undefined) throw new Error('No Chromium was found; name one in the variable CHROMIUM.');
  return path;
}
