import { spawnSync } from 'node:child_process';
import { globSync, statSync } from 'node:fs';
import path from 'node:path';
import { buildFixture } from '../bundle.ts';
import { absentFiles, packageExtension, packageName, strayFiles } from '../packageExtension.ts';
import { extensionId, fixturesFolder, makeTempFolder, nodePath } from '../paths.ts';
import { makeProfile, type Profile } from '../profile.ts';
import { runSuites } from '../runSuites.ts';
import { cliArguments, serverEnvironment } from '../server.ts';
import { noTests, sumOutcomes, type Outcome } from './outcome.ts';
import type { Stage, StageRun } from './stage.ts';
import { tallySuites } from './suiteStage.ts';

/** Packs the extension, installs it as a user would, and uses the installed copy. */
export const packageStage: Stage = {
  name: 'package',
  needs: 'editor',
  afterBuild: true,
  hasFiles: false,
  run: async (stage) => {
    const profile = makeProfile();
    const installed: Outcome[] = [
      await check('packs and installs', stage, async () => {
        const vsix = path.join(makeTempFolder('package'), packageName());
        await packageExtension(vsix, stage.signal);
        install(profile, vsix);
      }),
      await check('holds only what runs', stage, () => checkFiles(profile, stage)),
    ];
    return sumOutcomes([...installed, await probe(profile, stage)]);
  },
};

async function check(
  title: string,
  { print, verbose }: StageRun,
  work: () => void | Promise<void>,
): Promise<Outcome> {
  try {
    await work();
    if (verbose) print(`  ✔ ${title}`);
    return { ...noTests, passed: 1 };
  } catch (error) {
    print(`  ✖ ${title}\n${String(error)}`);
    return { ...noTests, failed: 1 };
  }
}

function install(profile: Profile, vsix: string): void {
  const args = cliArguments(profile, '--install-extension', vsix);
  const { status, stdout, stderr } = spawnSync(nodePath, args, {
    encoding: 'utf8',
    env: serverEnvironment(),
  });
  if (status !== 0) throw new Error(`installing the package failed:\n${stdout}${stderr}`);
}

function checkFiles(profile: Profile, { print, verbose }: StageRun): void {
  const [folder, ...more] = globSync(`${extensionId}-*`, { cwd: profile.extensions });
  if (folder === undefined || more.length > 0) throw new Error(`installed: ${[folder, ...more].join(', ')}`);
  const root = path.join(profile.extensions, folder);
  const files = globSync(['**/*', '**/.*'], { cwd: root })
    .filter((file) => statSync(path.join(root, file)).isFile())
    .map((file) => file.replaceAll(path.sep, '/'))
    .sort();
  if (verbose) print(files.map((file) => `    ${file} ${statSync(path.join(root, file)).size}`).join('\n'));
  const stray = strayFiles(files);
  const absent = absentFiles(files);
  if (stray.length + absent.length > 0)
    throw new Error(
      `does not belong there: ${stray.join(', ') || '-'}; missing: ${absent.join(', ') || '-'}`,
    );
}

async function probe(profile: Profile, stage: StageRun): Promise<Outcome> {
  const result = await runSuites({
    editor: 'shim',
    files: [path.join(fixturesFolder, 'package-probe/suites/installed.ts')],
    develop: [await buildFixture('package-probe')],
    profile,
    signal: stage.signal,
  });
  return tallySuites(result, stage);
}
