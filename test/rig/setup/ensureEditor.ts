import { ensureChromium } from './chromium.ts';
import { ensureCodeServer } from './codeServer.ts';
import { withSetupLock } from './setupLock.ts';

/** Installs the browser if it is missing. */
export async function ensureBrowser(): Promise<void> {
  await withSetupLock(ensureChromium);
}

/** Installs what is missing to run the server build of VS Code, without a browser of ours. */
export async function ensureServer(): Promise<void> {
  await withSetupLock(ensureCodeServer);
}

/** Installs what is missing to drive the server build of VS Code from a test. */
export async function ensureEditor(): Promise<void> {
  await ensureBrowser();
  await ensureServer();
}
