import { checkStage } from './checkStage.ts';
import { nodeStage } from './nodeStage.ts';
import { packageStage } from './packageStage.ts';
import { buildStageName, type Stage } from './stage.ts';
import { suiteStage } from './suiteStage.ts';

/** Everything that `npm test` does, in order: the quick and telling parts first. */
export const stages: readonly Stage[] = [
  checkStage('format', [
    { title: 'prettier finds nothing to change', command: ['prettier', '--check', '.'] },
  ]),
  checkStage('lint', [
    {
      title: 'oxlint finds nothing',
      command: ['oxlint', '--type-aware', '--deny-warnings', 'src', 'webview', 'test', 'esbuild.mjs'],
    },
  ]),
  checkStage('types', [
    { title: 'extension and tests', command: ['tsc', '-p', 'tsconfig.json', '--noEmit'] },
    { title: 'webview pages', command: ['tsc', '-p', 'webview/tsconfig.json', '--noEmit'] },
  ]),
  checkStage(buildStageName, [{ title: 'esbuild bundles everything', command: ['node', 'esbuild.mjs'] }]),
  nodeStage('unit', 'test/unit', { concurrency: 2 }),
  nodeStage('integration', 'test/integration', { concurrency: 2 }),
  nodeStage('webview', 'test/webview', { concurrency: 2, needs: 'browser', afterBuild: true }),
  suiteStage,
  // One after another: each of them starts an editor and a browser of its own.
  nodeStage('e2e', 'test/vscode/e2e', { concurrency: 1, needs: 'editor', afterBuild: true }),
  packageStage,
];
