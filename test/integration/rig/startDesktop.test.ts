// A desktop VS Code cannot be had on every machine; a program that only notes its arguments takes its place.
import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startDesktop } from '../../rig/start/startDesktop.ts';
import { waitFor } from '../../rig/waitFor.ts';
import { describe, it } from '../../helpers/nodeTest.ts';

async function withProgram(
  script: string,
  body: (program: string, folder: string) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'cs-desktop-'));
  const program = path.join(folder, 'code');
  writeFileSync(program, `#!/bin/sh\ncd ${folder}\n${script}\n`);
  chmodSync(program, 0o755);
  try {
    await body(program, folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const demo = (folder: string) => ({
  workspace: `${folder}/workspace`,
  profile: { root: folder, userData: `${folder}/data`, extensions: `${folder}/ext` },
  develop: ['/a', '/b'],
});

describe('a desktop editor', () => {
  it('is given the demo, and stop ends it with its children', async () => {
    const script = 'printf "%s\\n" "$@" > draft; sleep 600 & echo $! > child; mv draft arguments; wait';
    await withProgram(script, async (program, folder) => {
      const editor = await startDesktop(program, demo(folder));
      await waitFor('the program', () => existsSync(path.join(folder, 'arguments')));
      await editor.stop();
      const args = readFileSync(path.join(folder, 'arguments'), 'utf8').split('\n');
      assert.deepEqual(args.slice(0, 5), [
        `${folder}/workspace`,
        `--user-data-dir=${folder}/data`,
        `--extensions-dir=${folder}/ext`,
        '--extensionDevelopmentPath=/a',
        '--extensionDevelopmentPath=/b',
      ]);
      const child = Number(readFileSync(path.join(folder, 'child'), 'utf8'));
      await waitFor('the end of the child', () => !runs(child));
    });
  });

  it('has ended when its window was closed', async () => {
    await withProgram('exit 0', async (program, folder) => {
      const editor = await startDesktop(program, demo(folder));
      await editor.ended;
      await editor.stop();
    });
  });
});

function runs(pid: number): boolean {
  try {
    // An ended child whose new parent has not yet taken note of it is no longer running.
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
