import { randomBytes } from 'node:crypto';
import { EditorServer } from '../server.ts';
import { ensureServer } from '../setup/ensureEditor.ts';
import type { DemoWindow } from './demoWindow.ts';

/** An editor that `npm start` has opened. */
export type RunningEditor = Readonly<{ ended: Promise<void>; stop: () => Promise<void> }>;

/** Starts the server build on the demo and prints the address to open in a browser. */
export async function startServer(demo: DemoWindow): Promise<RunningEditor> {
  await ensureServer();
  // Others on this machine reach the port as well, and an editor lets its user run anything.
  const token = randomBytes(16).toString('hex');
  const server = await EditorServer.start({
    profile: demo.profile,
    token,
    page: { develop: demo.develop, folder: demo.workspace },
  });
  console.log(`Open this address in a browser on this machine:\n\n  ${server.url}/?tkn=${token}\n`);
  console.log('Ctrl-C ends the editor.');
  return { ended: server.ended(), stop: () => server.stop() };
}
