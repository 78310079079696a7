import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { serverEnvironment } from '../server.ts';
import type { DemoWindow } from './demoWindow.ts';
import type { RunningEditor } from './startServer.ts';

/** Opens a desktop VS Code on the demo; it has ended when its window was closed. */
export async function startDesktop(program: string, demo: DemoWindow): Promise<RunningEditor> {
  const args = [
    demo.workspace,
    `--user-data-dir=${demo.profile.userData}`,
    `--extensions-dir=${demo.profile.extensions}`,
    ...demo.develop.map((folder) => `--extensionDevelopmentPath=${folder}`),
    '--new-window',
    '--disable-workspace-trust',
    '--disable-updates',
    '--skip-welcome',
    '--skip-release-notes',
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  ];
  // A process group of its own: an interrupt at the terminal reaches it through `stop`, once.
  const child = spawn(program, args, { env: serverEnvironment(), stdio: 'ignore', detached: true });
  await once(child, 'spawn');
  console.log('The editor is open. Ctrl-C here, or closing its window, ends it.');
  let asked = false;
  const ended = once(child, 'exit').then(() => {
    if (!asked && child.exitCode !== 0) console.error(`The editor ended by itself (${describeEnd(child)}).`);
  });
  return {
    ended,
    stop: async () => {
      asked = true;
      if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) endTree(child.pid);
      await ended;
    },
  };
}

function describeEnd({ exitCode, signalCode }: ChildProcess): string {
  return signalCode ?? `exit code ${exitCode}`;
}

function endTree(pid: number): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGTERM');
  } catch {
    // It has ended by itself.
  }
}
