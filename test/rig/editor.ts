import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, BrowserContext, FrameLocator, Page } from 'playwright-core';
import { launchBrowser, newContext, recordPages } from './browser.ts';
import { buildFixture } from './bundle.ts';
import { openChat, sendChat } from './chat.ts';
import { readChannel } from './logFiles.ts';
import { extensionId, makeTempFolder, repoRoot } from './paths.ts';
import { descendants, stillRunning, type ProcessId } from './processTree.ts';
import { makeProfile, type Settings } from './profile.ts';
import { EditorServer } from './server.ts';
import { waitFor } from './waitFor.ts';
import { openWorkbench, runCommand, webviewFrame, workbenchUrl } from './workbench.ts';

/** What an editor test starts from. */
export type EditorOptions = Readonly<{
  /** User settings, on top of the quiet ones. */
  settings?: Settings;
  /** Settings of the machine that the extension host runs on. */
  machineSettings?: Settings;
  /** Files of the workspace folder by their relative path, for example `.vscode/settings.json`. */
  files?: Readonly<Record<string, string>>;
  /** Open this `.code-workspace`, one of `files`, instead of the folder. */
  workspaceFile?: string;
  /** Open the folder in Restricted Mode. */
  restricted?: boolean;
  /** Folders of the extensions to load; by default Countersign and the demo model. */
  extensions?: readonly string[];
  /** Extensions that may use proposed API. */
  proposedApi?: readonly string[];
  /** Variables for the server and so for the extension host. */
  env?: Readonly<Record<string, string>>;
}>;

/** A VS Code window with a profile and a workspace of its own, driven from outside. */
export class Editor {
  readonly server: EditorServer;
  readonly browser: Browser;
  readonly context: BrowserContext;
  /** The workspace folder's path. */
  readonly workspace: string;
  readonly #place: string;
  readonly #pageLines: readonly string[];
  #page: Page | undefined;

  private constructor(
    server: EditorServer,
    browser: Browser,
    context: BrowserContext,
    workspace: string,
    workspaceFile: string | undefined,
  ) {
    this.server = server;
    this.browser = browser;
    this.context = context;
    this.workspace = workspace;
    this.#place = workspaceFile === undefined ? workspace : path.join(workspace, workspaceFile);
    this.#pageLines = recordPages(context);
  }

  /** Starts a server and a browser; the window itself is opened by `openWindow`. */
  static async start(options: EditorOptions = {}): Promise<Editor> {
    const develop = options.extensions ?? [repoRoot, await buildFixture('demo-model')];
    const profile = makeProfile({
      ...(options.settings && { settings: options.settings }),
      ...(options.machineSettings && { machineSettings: options.machineSettings }),
    });
    const workspace = makeTempFolder('workspace');
    for (const [name, text] of Object.entries(options.files ?? {})) {
      const file = path.join(workspace, name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    const server = await EditorServer.start({
      profile,
      page: { develop },
      ...(options.restricted === true && { restricted: true }),
      ...(options.proposedApi && { proposedApi: options.proposedApi }),
      ...(options.env && { env: options.env }),
    });
    try {
      const browser = await launchBrowser();
      return new Editor(server, browser, await newContext(browser), workspace, options.workspaceFile);
    } catch (error) {
      await server.stop();
      throw error;
    }
  }

  /** Opens the workbench on the workspace in a new page, which becomes `page`. */
  async openWindow(): Promise<void> {
    this.#page = await this.context.newPage();
    await openWorkbench(this.#page, workbenchUrl(this.server.url, this.#place));
  }

  /** Closes the window as a person would; the extension host then ends in its own time, the server stays. */
  async closeWindow(): Promise<void> {
    await this.page.close();
    this.#page = undefined;
  }

  /** Processes that the server has started and that run now: extension hosts, MCP servers and so on. */
  processes(): readonly ProcessId[] {
    return descendants(this.server.pid);
  }

  /** Reloads the window; secrets and mementos are kept. */
  async reload(): Promise<void> {
    await this.page.reload({ waitUntil: 'commit' });
    await this.page.waitForSelector('.monaco-workbench');
  }

  /** The open window. */
  get page(): Page {
    if (this.#page === undefined) throw new Error('no window is open');
    return this.#page;
  }

  /** Runs a command by its title in the palette, for example `Countersign: Run Tool…`. */
  async command(title: string): Promise<void> {
    await runCommand(this.page, title);
  }

  /** Content of Countersign's webview: `view` in a side bar, `panel` in an editor tab. */
  webview(kind: 'view' | 'panel' = 'view', extension: string = extensionId): FrameLocator {
    return webviewFrame(this.page, extension, kind);
  }

  /** Sends a chat message, with the demo model chosen. */
  async ask(text: string): Promise<void> {
    await openChat(this.page, 'Demo Model');
    await sendChat(this.page, text);
  }

  /** What an extension has written to an output channel so far. */
  channel(name: string, extension: string = extensionId): string {
    return readChannel(this.server.profile, extension, name);
  }

  /** Waits until a channel's text matches and returns the match. */
  async logged(name: string, pattern: RegExp, extension: string = extensionId): Promise<RegExpExecArray> {
    return waitFor(
      `${pattern} in channel ${name}`,
      () => pattern.exec(this.channel(name, extension)) ?? undefined,
    );
  }

  /** Takes a picture of the window. */
  async screenshot(file: string): Promise<void> {
    mkdirSync(path.dirname(file), { recursive: true });
    await this.page.screenshot({ path: file });
  }

  /** Copies the window's picture and all logs into a folder, for a person to read after a failure. */
  async saveEvidence(folder: string): Promise<void> {
    mkdirSync(folder, { recursive: true });
    for (const [index, page] of this.context.pages().entries())
      await page
        .screenshot({ path: path.join(folder, `window${index + 1}.png`), timeout: 10_000 })
        .catch(() => {});
    writeFileSync(path.join(folder, 'window.log'), `${this.#pageLines.join('\n')}\n`);
    cpSync(this.server.logFile, path.join(folder, 'server.log'));
    const logs = path.join(this.server.profile.userData, 'logs');
    if (existsSync(logs)) cpSync(logs, path.join(folder, 'logs'), { recursive: true });
  }

  /**
   * Ends browser and server and deletes profile and workspace. Returns the processes that the server had
   * started and that outlived it, after ending them.
   */
  async close(): Promise<readonly ProcessId[]> {
    const started = this.processes();
    await Promise.allSettled(this.context.pages().map((page) => page.close()));
    // Ended by force, the extension could not end its servers in good order.
    await waitFor(
      'the end of the extension host',
      () => !this.processes().some(isExtensionHost),
      8_000,
    ).catch(() => {});
    await this.browser.close().catch(() => {});
    await this.server.stop();
    const left = () => stillRunning(started);
    // A server that ignores every request to end is killed last, some seconds after the extension host is gone.
    await waitFor('the end of all processes', () => left().length === 0, 15_000).catch(() => {});
    const orphans = left();
    for (const { pid } of orphans) process.kill(pid, 'SIGKILL');
    for (const folder of [this.server.profile.root, this.workspace])
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    return orphans;
  }
}

function isExtensionHost({ command }: ProcessId): boolean {
  return command.includes('--type=extensionHost');
}
