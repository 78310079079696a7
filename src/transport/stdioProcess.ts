import type { ChildProcess } from 'node:child_process';
import { stat } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import spawn from 'cross-spawn';
import { delay } from '../base/abort.ts';
import type { Clock } from '../base/clock.ts';
import { errorMessage, HostError } from '../base/errors.ts';
import { type GroupWatch, signalGroup, watchGroup } from './processGroup.ts';
import { searchPath, serverEnvironment } from './stdioEnvironment.ts';

/** What is started, and where. */
export interface StdioCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** Over the pinned safe list of our own variables. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /**
   * How long the server may take to end by itself after its input closed, and again after SIGTERM.
   * Milliseconds; 2,000 by default.
   */
  readonly graceMs?: number;
}

/** How a server's process ended. */
export interface ProcessExit {
  readonly code: number | null;
  readonly signal: string | null;
  /** It turned out that it never ran: on Windows a missing command shows only when the shell around it ends. */
  readonly failure?: HostError;
}

const defaultGraceMs = 2_000;
/** How long a killed process may take to be gone. Milliseconds. */
const killMs = 1_000;

/** A running server process with everything that it started. */
export class StdioProcess {
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Settles when the process itself has ended; its output may still be read after that. */
  readonly exited: Promise<ProcessExit>;
  /** Settles when the process has ended and its output has been read to the end. */
  readonly drained: Promise<void>;
  readonly #clock: Clock;
  readonly #graceMs: number;
  readonly #watch: GroupWatch;
  #groupEnd: Promise<void> | undefined;

  private constructor(child: RunningChild, clock: Clock, command: StdioCommand, env: Record<string, string>) {
    this.pid = child.pid;
    this.stdin = child.stdin;
    this.stdout = child.stdout;
    this.stderr = child.stderr;
    this.#clock = clock;
    this.#graceMs = command.graceMs ?? defaultGraceMs;
    this.#watch = watchGroup(child.pid);
    this.exited = new Promise((resolve) => {
      child.once('exit', (code, signal) => resolve({ code, signal }));
      child.once('error', (cause) => {
        void spawnError(command, env, cause).then((failure) =>
          resolve({ code: null, signal: null, failure }),
        );
      });
    });
    this.drained = new Promise((resolve) => {
      child.once('close', () => resolve());
    });
  }

  /**
   * Starts a process and waits until the system has started it.
   * @throws HostError `spawnFailed` (details: command, path searched, cwd)
   */
  static async start(command: StdioCommand, clock: Clock): Promise<StdioProcess> {
    const env = serverEnvironment(process.env, command.env, process.platform);
    try {
      const child = spawn(command.command, [...command.args], {
        cwd: command.cwd,
        env,
        stdio: ['pipe', 'pipe', 'pipe'],
        detached: process.platform !== 'win32',
        windowsHide: true,
      });
      await new Promise<void>((resolve, reject) => {
        child.once('spawn', resolve);
        // Stays registered: a later error of the process object is told by its exit as well.
        child.on('error', reject);
      });
      if (isRunning(child)) return new StdioProcess(child, clock, command, env);
      throw new Error('the process has no pipes');
    } catch (cause) {
      throw await spawnError(command, env, cause);
    }
  }

  /** Ends the process and its group: closed input, then SIGTERM, then SIGKILL. */
  async end(): Promise<void> {
    this.stdin.end();
    if (!(await this.exitsWithinGrace())) {
      signalGroup(this.pid, 'SIGTERM');
      if (!(await this.exitsWithinGrace())) {
        signalGroup(this.pid, 'SIGKILL');
        await this.#exitsWithin(killMs);
      }
    }
    await this.endGroup();
  }

  /** Ends what the process has left behind. To be called once it has exited. */
  endGroup(): Promise<void> {
    // Once only: later the number may belong to somebody else.
    return (this.#groupEnd ??= this.#endGroup());
  }

  async #endGroup(): Promise<void> {
    if (process.platform !== 'win32' && signalGroup(this.pid, 'SIGTERM')) {
      await delay(this.#clock, 200);
      signalGroup(this.pid, 'SIGKILL');
    }
    this.#watch.dismiss();
  }

  /** Lets go of the pipes, which a process that outlives its group would keep open. */
  release(): void {
    for (const stream of [this.stdin, this.stdout, this.stderr]) stream.destroy();
  }

  /** True when the process ends by itself soon. */
  exitsWithinGrace(): Promise<boolean> {
    return this.#exitsWithin(this.#graceMs);
  }

  async #exitsWithin(ms: number): Promise<boolean> {
    return Promise.race([this.exited.then(() => true), delay(this.#clock, ms).then(() => false)]);
  }
}

interface RunningChild extends ChildProcess {
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
}

function isRunning(child: ChildProcess): child is RunningChild {
  return child.pid !== undefined && child.stdin !== null && child.stdout !== null && child.stderr !== null;
}

async function spawnError(
  { command, cwd }: StdioCommand,
  env: Readonly<Record<string, string>>,
  cause: unknown,
): Promise<HostError> {
  const path = searchPath(env);
  const details = { command, path, cwd };
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (code === 'ENOENT') {
    // The system says the same for a missing folder and a missing program.
    const folder = await stat(cwd).catch(() => undefined);
    if (folder?.isDirectory() !== true)
      return new HostError('spawnFailed', `The folder "${cwd}" to start "${command}" in does not exist.`, {
        cause,
        details,
      });
    const searched = /[\\/]/.test(command) ? '' : ` PATH searched: ${path === '' ? '(empty)' : path}`;
    return new HostError('spawnFailed', `The command "${command}" was not found.${searched}`, {
      cause,
      details,
    });
  }
  const reason = code === 'EACCES' ? 'it may not be run' : errorMessage(cause);
  return new HostError('spawnFailed', `The command "${command}" could not be started: ${reason}.`, {
    cause,
    details,
  });
}
