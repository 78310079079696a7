import { spawn } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';
import type { Clock } from '../base/clock.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Where a command is found on a search path, or `undefined`. A command with a slash is a path of its own and
 * taken from `cwd`. Windows adds the endings of PATHEXT, as its own search does.
 */
export function findCommand(
  command: string,
  searchPath: string,
  cwd: string,
  environment: Environment,
): string | undefined {
  const endings =
    process.platform === 'win32'
      ? ['', ...(environment['PATHEXT'] ?? '.COM;.EXE;.BAT;.CMD').split(';')]
      : [''];
  const isPath = command.includes('/') || (process.platform === 'win32' && command.includes('\\'));
  const folders = isPath ? [cwd] : searchPath.split(path.delimiter).filter((folder) => folder !== '');
  for (const folder of folders) {
    for (const ending of endings) {
      const file = path.resolve(folder, command + ending);
      if (isExecutable(file)) return file;
    }
  }
  return undefined;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, process.platform === 'win32' ? constants.F_OK : constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

const marker = '\u001f';
const longestAnswer = 1_000_000;

/**
 * The PATH that the person's login shell sets up: version managers such as nvm and fnm write there, and an
 * editor started from a desktop never sees it. `undefined` on Windows, without a shell, or if the shell does
 * not answer within `timeoutMs`.
 */
export function loginShellPath(
  environment: Environment,
  clock: Clock,
  timeoutMs = 5000,
): Promise<string | undefined> {
  const shell = environment['SHELL'];
  if (process.platform === 'win32' || shell === undefined || !path.isAbsolute(shell))
    return Promise.resolve(undefined);
  return new Promise((resolve) => {
    // Interactive and login, since people set PATH in either start-up file. Markers part it from greetings.
    const child = spawn(shell, ['-ilc', `printf '${marker}%s${marker}' "$PATH"`], {
      env: { ...environment, TERM: 'dumb' },
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    });
    let output = '';
    const kill = (): void => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // It has ended by itself.
      }
    };
    const timer = clock.after(timeoutMs, kill);
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
      if (output.length > longestAnswer) kill();
    });
    child.on('error', () => resolve(undefined));
    child.on('close', () => {
      timer.dispose();
      resolve(output.split(marker)[1]);
    });
  });
}

/** Both search paths, the first one's folders first, each folder once. */
export function mergeSearchPaths(first: string, second: string): string {
  const folders = [...first.split(path.delimiter), ...second.split(path.delimiter)];
  return Array.from(new Set(folders.filter((folder) => folder !== ''))).join(path.delimiter);
}
