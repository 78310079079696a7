// `npm start [-- --editor desktop|server]`: builds, and opens a real VS Code with the extension and the demo.
import { downloadAndUnzipVSCode } from '@vscode/test-electron';
import { parseArgs } from 'node:util';
import { runCommand } from '../runner/checkStage.ts';
import { SetupError } from '../setup/setupError.ts';
import { chooseEditor, type EditorChoice } from '../start/editorChoice.ts';
import { makeDemoWindow, removeDemoWindow, type DemoWindow } from '../start/demoWindow.ts';
import { findDesktop, hasDisplay } from '../start/findDesktop.ts';
import { startDesktop } from '../start/startDesktop.ts';
import { startServer, type RunningEditor } from '../start/startServer.ts';

const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interrupted.abort());

const choice = chooseEditor({ asked: askedEditor(), hasDisplay: hasDisplay(), installed: findDesktop() });
console.log('Building …');
const built = await runCommand(['node', 'esbuild.mjs'], interrupted.signal);
if (built.exitCode !== 0) {
  console.error(built.output);
  process.exit(1);
}
const demo = await makeDemoWindow();
try {
  const editor = await open(choice, demo);
  const stopped = new Promise<void>((resolve) => {
    if (interrupted.signal.aborted) resolve();
    interrupted.signal.addEventListener('abort', () => resolve());
  });
  await Promise.race([editor.ended, stopped]);
  await editor.stop();
} catch (error) {
  // What a person has to install is told as a plain sentence.
  console.error(error instanceof SetupError ? error.message : error);
  process.exitCode = 1;
} finally {
  removeDemoWindow(demo);
}

function askedEditor(): 'desktop' | 'server' | undefined {
  const { values } = parseArgs({ options: { editor: { type: 'string' } } });
  const { editor } = values;
  if (editor === undefined || editor === 'desktop' || editor === 'server') return editor;
  console.error('--editor takes "desktop" or "server"');
  process.exit(2);
}

async function open(chosen: EditorChoice, window: DemoWindow): Promise<RunningEditor> {
  switch (chosen.kind) {
    case 'installed':
      console.log(`Opening the installed VS Code, ${chosen.program} (${chosen.why}).`);
      return startDesktop(chosen.program, window);
    case 'server':
      console.log(`Opening the server build of VS Code (${chosen.why}).`);
      return startServer(window);
    case 'download': {
      console.log(`Downloading a desktop VS Code (${chosen.why}) …`);
      const program = await download(chosen.fallback);
      if (program !== undefined) return startDesktop(program, window);
      console.log('Nothing could be downloaded, so the server build of VS Code is opened instead.');
      return startServer(window);
    }
  }
}

async function download(fallback: boolean): Promise<string | undefined> {
  try {
    return await downloadAndUnzipVSCode({ version: 'stable', extractSync: true });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (!fallback) throw new SetupError(`No desktop VS Code could be downloaded (${reason}); install one.`);
    console.log(reason);
    return undefined;
  }
}
