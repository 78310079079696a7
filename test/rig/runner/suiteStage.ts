import { buildFixture } from '../bundle.ts';
import { copyDemoWorkspace, demoSettings } from '../demo.ts';
import { repoRoot } from '../paths.ts';
import { runSuites, type SuiteResult } from '../runSuites.ts';
import { noTests, type Outcome } from './outcome.ts';
import type { Stage, StageRun } from './stage.ts';
import { findTestFiles } from './testFiles.ts';

/** The suites that run inside the extension host, in one window on the demo workspace. */
export const suiteStage: Stage = {
  name: 'suite',
  needs: 'shim',
  afterBuild: true,
  hasFiles: true,
  run: async (stage) => {
    const files = findTestFiles('test/vscode/suite', stage.filters);
    if (files.length === 0) return noTests;
    const result = await runSuites({
      editor: stage.editor,
      files,
      develop: [repoRoot, await buildFixture('demo-model')],
      settings: demoSettings,
      workspace: copyDemoWorkspace(),
      signal: stage.signal,
    });
    return tallySuites(result, stage);
  },
};

/** Counts and prints what came of suites inside the extension host. */
export function tallySuites(
  { events, exitCode, output }: SuiteResult,
  { print, verbose }: StageRun,
): Outcome {
  let { passed, failed, skipped } = noTests;
  let ended = false;
  for (const event of events)
    switch (event.kind) {
      case 'passed':
        passed++;
        if (verbose) print(`  ✔ ${event.title} (${event.milliseconds} ms)`);
        break;
      case 'failed':
        failed++;
        print(`  ✖ ${event.title}\n${event.error}`);
        break;
      case 'skipped':
        skipped++;
        break;
      case 'ended':
        ended = true;
        break;
    }
  if (!ended || (exitCode !== 0 && failed === 0)) {
    failed++;
    print(`  ✖ the extension host did not come to an orderly end (exit code ${exitCode})`);
  }
  if (failed > 0) print(output);
  return { passed, failed, skipped };
}
