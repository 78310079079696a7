import { type ChildProcess, spawn } from 'node:child_process';

/*
 * A server is started as the leader of its own process group, so that what it starts (npx starts node,
 * uvx starts python) ends with it. Windows has no groups: `taskkill /T` walks the tree instead.
 */

/** Sends a signal to the leader and everything in its group. False when nothing is left to signal. */
export function signalGroup(leader: number, signal: 'SIGTERM' | 'SIGKILL'): boolean {
  if (process.platform === 'win32') {
    spawn('taskkill', ['/pid', String(leader), '/T', ...(signal === 'SIGKILL' ? ['/F'] : [])], {
      stdio: 'ignore',
      windowsHide: true,
    }).on('error', () => undefined);
    return true;
  }
  try {
    process.kill(-leader, signal);
    return true;
  } catch {
    // ESRCH: all gone. EPERM: what is left belongs to somebody else by now.
    return false;
  }
}

const watchScript = [
  "trap '' HUP INT TERM",
  'read -r line && exit 0',
  'sleep 2',
  'kill -TERM -"$1" 2>/dev/null || exit 0',
  'sleep 2',
  'kill -KILL -"$1" 2>/dev/null',
].join('\n');

/** Ends a process group if we die without having done so. */
export interface GroupWatch {
  /** The group has ended: nothing to watch any more. Must be called before its number can be used again. */
  dismiss(): void;
}

/**
 * A shell that waits on a pipe from us. When we are killed the pipe closes; a server that ignores the end
 * of its own input is then ended by the shell. A dismissal is one line. POSIX only: on Windows a server
 * that ignores the end of its input outlives a killed editor.
 */
export function watchGroup(leader: number): GroupWatch {
  if (process.platform === 'win32') return { dismiss: () => undefined };
  let shell: ChildProcess;
  try {
    shell = spawn('/bin/sh', ['-c', watchScript, 'sh', String(leader)], {
      // Its own group, so that what ends ours does not end the watch.
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      cwd: '/',
      env: { PATH: '/usr/bin:/bin' },
    });
  } catch {
    return { dismiss: () => undefined };
  }
  // Without a shell there is no watch; the server itself still works.
  shell.on('error', () => undefined);
  shell.stdin?.on('error', () => undefined);
  shell.unref();
  return { dismiss: () => shell.stdin?.end('done\n') };
}
