import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { codeServerPackage, nodePath } from './paths.ts';
import type { Profile } from './profile.ts';
import type { HostOptions } from './serverHost.ts';
import type { PageChanges } from './serverPage.ts';

/** How a server is started. */
export type ServerOptions = Readonly<{
  profile: Profile;
  page: PageChanges;
  /** Workspace trust is on, so that a folder opens in Restricted Mode. */
  restricted?: boolean;
  /** 0 takes any free port; persistence across servers needs a fixed one. */
  port?: number;
  /** Secret that a browser must show first; none in tests. */
  token?: string;
  /** Extensions that may use proposed API. */
  proposedApi?: readonly string[];
  env?: Readonly<Record<string, string>>;
}>;

const serverMain = path.join(codeServerPackage, 'lib/vscode/out/server-main.js');

const folders = (profile: Profile): Readonly<Record<string, string>> => ({
  'server-data-dir': profile.root,
  'user-data-dir': profile.userData,
  'extensions-dir': profile.extensions,
});

// Variables that a surrounding VS Code terminal leaks and that change the server.
const leaks = /^(CODE_SERVER_PARENT_PID|ELECTRON_RUN_AS_NODE|VSCODE_.*)$/;

/** The environment for the server and its command line: ours without what a surrounding editor leaks. */
export function serverEnvironment(extra: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !leaks.test(name));
  // Without a service URL the server never calls an extension gallery.
  return { EXTENSIONS_GALLERY: '{"serviceUrl":""}', ...Object.fromEntries(own), ...extra };
}

/** Command line of the server's own CLI, for example for `--install-extension`. */
export function cliArguments(profile: Profile, ...rest: readonly string[]): string[] {
  const where = Object.entries(folders(profile)).flatMap(([name, folder]) => [`--${name}`, folder]);
  return [serverMain, '--accept-server-license-terms', ...where, ...rest];
}

function hostOptions(options: ServerOptions): HostOptions {
  return {
    codeServer: codeServerPackage,
    port: options.port ?? 0,
    keyFile: path.join(options.profile.userData, 'secret-key'),
    page: options.page,
    args: {
      host: '127.0.0.1',
      'accept-server-license-terms': true,
      ...(options.token === undefined
        ? { 'without-connection-token': true }
        : { 'connection-token': options.token }),
      compatibility: '1.64',
      ...folders(options.profile),
      'telemetry-level': 'off',
      'disable-telemetry': true,
      'disable-experiments': true,
      'disable-update-check': true,
      'disable-getting-started-override': true,
      ...(options.restricted !== true && { 'disable-workspace-trust': true }),
      ...(options.proposedApi !== undefined && { 'enable-proposed-api': options.proposedApi }),
    },
  };
}

/** A running VS Code server. */
export class EditorServer {
  readonly profile: Profile;
  readonly port: number;
  /** File with everything the server wrote to its standard error. */
  readonly logFile: string;
  readonly #child: ChildProcess;

  private constructor(profile: Profile, port: number, logFile: string, child: ChildProcess) {
    this.profile = profile;
    this.port = port;
    this.logFile = logFile;
    this.#child = child;
  }

  /** Starts a server on 127.0.0.1 and returns once it listens. */
  static async start(options: ServerOptions): Promise<EditorServer> {
    const logFile = path.join(options.profile.root, 'server.log');
    const log = openSync(logFile, 'a');
    const host = path.join(import.meta.dirname, 'serverHost.ts');
    // A process group of its own, so that everything which it forks can be ended with it.
    const child = spawn(nodePath, [host, JSON.stringify(hostOptions(options))], {
      stdio: ['pipe', 'pipe', log],
      env: serverEnvironment(options.env),
      detached: true,
    });
    closeSync(log);
    try {
      const port = await listeningPort(child);
      return new EditorServer(options.profile, port, logFile, child);
    } catch (error) {
      await endGroup(child);
      throw new Error(`the server did not start:\n${readFileSync(logFile, 'utf8')}`, { cause: error });
    }
  }

  /** Root address, without a query. */
  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Process id of the host, which is also its process group. */
  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Resolves when the server has ended, for whatever reason. */
  async ended(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) await once(this.#child, 'exit');
  }

  /** Ends the server and everything it forked. */
  async stop(): Promise<void> {
    await endGroup(this.#child);
  }
}

async function listeningPort(child: ChildProcess): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  let text = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    text = (text + chunk).slice(-10_000);
    const port = /^RIG PORT (\d+)$/m.exec(text)?.[1];
    if (port !== undefined) resolve(Number(port));
  });
  child.once('error', reject);
  child.once('exit', (code, signal) => reject(new Error(`exit ${code ?? signal} after:\n${text}`)));
  const timer = setTimeout(() => reject(new Error(`no port within 60 s:\n${text}`)), 60_000);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}

async function endGroup(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const group = -child.pid;
  const gone = once(child, 'exit');
  signalGroup(group, 'SIGTERM');
  const timer = setTimeout(() => signalGroup(group, 'SIGKILL'), 5_000);
  await gone;
  clearTimeout(timer);
}

function signalGroup(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(group, signal);
  } catch {
    // The group has ended already.
  }
}
