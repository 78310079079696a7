import { cpSync } from 'node:fs';
import path from 'node:path';
import { fixturesFolder, makeTempFolder, nodePath, repoRoot } from './paths.ts';
import type { Settings } from './profile.ts';

/** Program of the published server that the demo and many tests use. */
export const everythingServer = path.join(
  repoRoot,
  'node_modules/@modelcontextprotocol/server-everything/dist/index.js',
);

/** User settings with that server configured over stdio. */
export const demoSettings: Settings = {
  'countersign.servers': {
    everything: { type: 'stdio', command: nodePath, args: [everythingServer, 'stdio'] },
  },
};

/** Copies the demo workspace to a temporary folder, so that nothing done in it reaches the repository. */
export function copyDemoWorkspace(): string {
  const folder = path.join(makeTempFolder('demo'), 'demo-workspace');
  cpSync(path.join(fixturesFolder, 'demo-workspace'), folder, { recursive: true });
  return folder;
}
