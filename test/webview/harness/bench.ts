import { type Browser, type BrowserContext, type Page, chromium } from 'playwright-core';
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Emitter } from '../../../src/base/event.ts';
import { type Clock, systemClock } from '../../../src/base/clock.ts';
import { CallBoard } from '../../../src/prompts/callBoard.ts';
import type { ResourceRequest } from '../../../src/calls/resourceReads.ts';
import { ResultDesk } from '../../../src/calls/resultDesk.ts';
import { type KeptResult, ResultShelf } from '../../../src/calls/resultShelf.ts';
import { PageSession } from '../../../src/prompts/pageSession.ts';
import { PromptQueue } from '../../../src/prompts/promptQueue.ts';
import { ResultSession } from '../../../src/prompts/resultSession.ts';
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
    options: {
      readonly theme?: ThemeName;
      readonly width?: number;
      readonly height?: number;
      /** A tab for the kept result `c1` instead of the approvals. */
      readonly page?: 'result';
      /** The extension's time, by which it counts how long a card is in view; the page has its own. */
      readonly clock?: Clock;
    } = {},
  ): Promise<Desk> {
    const context = await this.#browser.newContext({
      viewport: { width: options.width ?? 320, height: options.height ?? 800 },
    });
    const desk = new Desk(context, await context.newPage(), options.page, options.clock);
    await desk.load(this.#host.address(options.theme ?? 'dark', options.page));
    return desk;
  }

  async close(): Promise<void> {
    await this.#browser.close();
    await this.#host.close();
  }
}

/** A page in the browser, joined to the real queue by the real session, as in the editor. */
export class Desk {
  #obstacle: string | undefined;
  readonly #obstacleChanged = new Emitter<void>();
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
  readonly #kind: 'result' | undefined;
  readonly #clock: Clock;
  /** What reading a link gives; by default, it never ends. */
  read: (request: ResourceRequest) => Promise<KeptResult> = () => new Promise(() => undefined);
  #extension: Extension;

  constructor(context: BrowserContext, page: Page, kind: 'result' | undefined, clock: Clock = systemClock) {
    this.#kind = kind;
    this.#clock = clock;
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

  get shelf(): ResultShelf {
    return this.#extension.shelf;
  }

  get session(): PageSession {
    return this.#extension.session;
  }

  get isTab(): boolean {
    return this.#kind === 'result';
  }

  /** The tab asks for its result. */
  showTab(): void {
    this.#extension.tab?.receive({ kind: 'ready' });
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
      (this.#extension.tab ?? this.session).receive(message);
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

  /** Something has come in the way of all that waits. */
  setObstacle(text: string | undefined): void {
    this.#obstacle = text;
    this.#obstacleChanged.fire();
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
    const shelf = new ResultShelf();
    const results = new ResultDesk({
      shelf,
      reads: { read: (request) => this.read(request) },
      editor: {
        openTab: ({ title }) => this.actions.push(`tab ${title}`),
        showText: ({ name, text }) => this.actions.push(`text ${name} ${text.slice(0, 60)}`),
        save: (name, bytes) => this.actions.push(`save ${name} ${bytes.length}`),
        tell: (message) => this.actions.push(`tell ${message}`),
      },
    });
    const tab =
      this.#kind === undefined
        ? undefined
        : new ResultSession({
            id: 'c1',
            results,
            post: (message) => void this.tell(message),
            report: (problem) => this.actions.push(`report ${problem}`),
          });
    const session = new PageSession({
      queue,
      board,
      results,
      obstacles: { of: () => this.#obstacle, onDidChange: this.#obstacleChanged.event },
      clock: this.#clock,
      post: (message) => {
        this.#told.set(message.kind, this.told(message.kind) + 1);
        void this.tell(message);
      },
      actions: {
        openText: (card, path) => this.actions.push(`openText ${card.serverId} ${path}`),
        openPage: (id) => this.actions.push(`openPage ${id ?? ''}`),
        report: (problem) => this.actions.push(`report ${problem}`),
      },
    });
    return { queue, board, shelf, session, tab };
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
  readonly shelf: ResultShelf;
  readonly session: PageSession;
  readonly tab: ResultSession | undefined;
}

function chromiumPath(): string {
  const path = findChromium();
  if (path === undefined) throw new Error('No Chromium was found; name one in the variable CHROMIUM.');
  return path;
}
