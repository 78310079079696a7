import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';

/** True if a window can be opened from here. */
export function hasDisplay(): boolean {
  if (process.platform !== 'linux') return process.env['SSH_CONNECTION'] === undefined;
  return Boolean(process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY']);
}

/** Program of an installed desktop VS Code: the editor itself, since its command line tool would not stay. */
export function findDesktop(): string | undefined {
  const local = process.env['LOCALAPPDATA'] ?? '';
  const candidates = [
    ...(process.env['PATH'] ?? '').split(path.delimiter).flatMap(besideTool),
    '/usr/share/code/code',
    '/Applications/Visual Studio Code.app/Contents/MacOS/Code',
    '/Applications/Visual Studio Code.app/Contents/MacOS/Electron',
    path.join(local, 'Programs/Microsoft VS Code/Code.exe'),
  ];
  return candidates.find((file) => path.isAbsolute(file) && existsSync(file));
}

// On Linux the tool `code` is a link into the `bin` folder below the editor's own.
function besideTool(folder: string): readonly string[] {
  const tool = path.join(folder, 'code');
  if (process.platform !== 'linux' || !existsSync(tool)) return [];
  return [path.join(path.dirname(realpathSync(tool)), '..', 'code')];
}
