import { rmSync } from 'node:fs';
import path from 'node:path';
import { buildFixture } from '../bundle.ts';
import { copyDemoWorkspace, demoSettings } from '../demo.ts';
import { repoRoot } from '../paths.ts';
import { makeProfile, type Profile } from '../profile.ts';

/** What `npm start` opens: a profile, a workspace and the extensions under development. */
export type DemoWindow = Readonly<{ profile: Profile; workspace: string; develop: readonly string[] }>;

/** Prepares a demo of its own for each start. */
export async function makeDemoWindow(): Promise<DemoWindow> {
  return {
    // The Chat view is where the demo begins.
    profile: makeProfile({
      settings: { ...demoSettings, 'workbench.secondarySideBar.defaultVisibility': 'visible' },
    }),
    workspace: copyDemoWorkspace(),
    develop: [repoRoot, await buildFixture('demo-model')],
  };
}

/** Deletes what `makeDemoWindow` made. */
export function removeDemoWindow({ profile, workspace }: DemoWindow): void {
  for (const folder of [profile.root, path.dirname(workspace)])
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
