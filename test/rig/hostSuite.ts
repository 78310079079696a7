import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { format } from 'node:util';
import type { BrowserContext, Page } from 'playwright-core';
import { launchBrowser, newContext, recordPages } from './browser.ts';
import { makeTempFolder } from './paths.ts';
import type { Profile } from './profile.ts';
import { EditorServer } from './server.ts';
import { openWorkbench, workbenchUrl } from './workbench.ts';

/** A suite to run inside the extension host of the server build. */
export type HostSuite = Readonly<{
  profile: Profile;
  develop: readonly string[];
  /** Module that exports `run(): Promise<void>`. */
  tests: string;
  folder?: string;
  restricted?: boolean;
  proposedApi?: readonly string[];
  signal?: AbortSignal;
  /** Longest run, in milliseconds. */
  timeout: number;
  onLine: (line: string) => void;
}>;

/** Exit code when the extension host ended before the suite did. */
export const hostDied = 4;

/** Runs a suite and returns its exit code; 0 only if `run()` came back without an error. */
export async function runHostSuite(suite: HostSuite): Promise<number> {
  const temp = makeTempFolder('suite');
  const { entry, mark } = writeEntry(temp, suite.tests);
  const server = await EditorServer.start({
    profile: suite.profile,
    page: { develop: suite.develop, tests: entry },
    ...(suite.restricted === true && { restricted: true }),
    ...(suite.proposedApi && { proposedApi: suite.proposedApi }),
  });
  try {
    const browser = await launchBrowser();
    try {
      const context = await newContext(browser);
      const code = await verdict(context, workbenchUrl(server.url, suite.folder), suite);
      return code === 0 && !existsSync(mark) ? hostDied : code;
    } finally {
      await browser.close();
    }
  } finally {
    await server.stop();
    rmSync(temp, { recursive: true, force: true });
  }
}

// VS Code reports 0 when the extension host dies in the middle of a run. So an entry of ours runs the real one
// and leaves a mark afterwards; a 0 without the mark is no success.
function writeEntry(folder: string, tests: string): Readonly<{ entry: string; mark: string }> {
  mkdirSync(folder, { recursive: true });
  const entry = path.join(folder, 'entry.cjs');
  const mark = path.join(folder, 'done');
  writeFileSync(
    entry,
    `exports.run = async () => {
      await require(${JSON.stringify(tests)}).run();
      require('node:fs').writeFileSync(${JSON.stringify(mark)}, '');
    };`,
  );
  return { entry, mark };
}

async function verdict(context: BrowserContext, url: string, suite: HostSuite): Promise<number> {
  const lines = recordPages(context);
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const page = await context.newPage();
  page.on('crash', () => reject(new Error('the page crashed')));
  const abort = () => reject(new Error('aborted'));
  suite.signal?.addEventListener('abort', abort, { once: true });
  const timer = setTimeout(() => reject(new Error(`took longer than ${suite.timeout} ms`)), suite.timeout);
  try {
    await exposeAutomation(page, suite.onLine, resolve);
    // An abort must end the opening as well.
    await Promise.race([openWorkbench(page, url), promise]);
    return await promise;
  } catch (error) {
    throw new Error(`the suite did not end; the page's last lines:\n${lines.slice(-40).join('\n')}`, {
      cause: error,
    });
  } finally {
    clearTimeout(timer);
    suite.signal?.removeEventListener('abort', abort);
  }
}

// The workbench looks for these functions: one gets the console of the extension host, one the exit code.
async function exposeAutomation(
  page: Page,
  onLine: (line: string) => void,
  onExit: (code: number) => void,
): Promise<void> {
  await page.exposeFunction('codeAutomationLog', (_type: unknown, values: unknown[]) => {
    const line = format(...values).replace(/^%s%s /, '');
    if (!workbenchNoise.test(line)) onLine(line);
  });
  await page.exposeFunction('codeAutomationExit', onExit);
}

// The workbench's own log shares the channel with the extension host's console.
const workbenchNoise = new RegExp(
  [
    String.raw`^\[(AgentHost|ChatModelSelection|AccountPolicyGate|reconnection-grace-time|Service Worker|lifecycle)`,
    String.raw`^\[RemoteAgentHostProtocol`,
    '^Resolv(ing|ed) connection token',
    '^Creating a socket',
    '^(Updating|Ignoring fetching) additional builtin',
    '^Error while fetching the extension under development',
    '^No search provider registered',
    String.raw`/out/vs/code/browser/workbench/workbench\.js:`,
  ].join('|'),
);
