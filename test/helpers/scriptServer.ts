import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export interface ScriptServer {
  /** The entry for `countersign.servers`. */
  readonly entry: object;
  /** Replaces the tools; the server announces it. */
  readonly setTools: (tools: readonly object[]) => void;
  /** What reached the server. */
  readonly calls: () => readonly { readonly name: string; readonly arguments: unknown }[];
}

/**
 * A real server process whose tools the test can change while it runs. A tool's `reply` (`{result}` or `{error}`) is
 * what calls of it are answered with, and is not told to the client. `serverName`: what the server calls itself.
 */
export function scriptServer(tools: readonly object[], serverName = 'script'): ScriptServer {
  const folder = mkdtempSync(path.join(tmpdir(), 'countersign-script-'));
  const toolsFile = path.join(folder, 'tools.json');
  const callsFile = path.join(folder, 'calls.jsonl');
  const setTools = (list: readonly object[]): void => writeFileSync(toolsFile, JSON.stringify(list));
  setTools(tools);
  const program = path.resolve(import.meta.dirname, '../fixtures/scriptServer.mjs');
  return {
    entry: { type: 'stdio', command: process.execPath, args: [program, toolsFile, callsFile, serverName] },
    setTools,
    calls: () =>
      existsSync(callsFile)
        ? readFileSync(callsFile, 'utf8')
            .split('\n')
            .filter((line) => line !== '')
            .map((line) => JSON.parse(line) as { name: string; arguments: unknown })
        : [],
  };
}
