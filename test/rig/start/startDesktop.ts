import { spawn } from 'node:child_process';
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
  const ended = once(child, 'exit').then(() => undefined);
  return {
    ended,
    stop: async () => {
      if (child.pid !== undefined && child.exitCode === null) endTree(child.pid);
      await ended;
    },
  };
}

function endTree(pid: number): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGTERM');
  } catch {
    // It has ended by itself.
  }
}
