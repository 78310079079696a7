import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** The repository's root folder. */
export const repoRoot = path.resolve(import.meta.dirname, '../..');

/** Downloads and builds that belong to this checkout and are never committed. */
export const toolsFolder = path.join(repoRoot, '.vscode-test');

/** Where a failing editor test leaves its pictures and logs. */
export const outFolder = path.join(repoRoot, 'test/out');

/** Extensions that exist for the tests and the demo. */
export const fixturesFolder = path.join(repoRoot, 'test/fixtures');

/** The folder into which the server build of VS Code is installed. */
export const codeServerFolder = path.join(toolsFolder, 'code-server');

/** The installed `code-server` package. */
export const codeServerPackage = path.join(codeServerFolder, 'node_modules/code-server');

/** Identity of the extension under test, as VS Code writes it. */
export const extensionId = 'countersign.countersign';

/** The Node that runs the rig, the server build and the demo server. */
export const nodePath = process.execPath;

/** Makes a temporary folder; short, because sockets below it have a length limit. */
export function makeTempFolder(prefix: string): string {
  return realpathSync(mkdtempSync(path.join(process.env['RIG_TEMP'] ?? tmpdir(), `cs-${prefix}-`)));
}
