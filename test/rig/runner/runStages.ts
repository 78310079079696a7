import { ensureBrowser, ensureEditor } from '../setup/ensureEditor.ts';
import { formatOutcome, isSuccess, noTests, type Outcome } from './outcome.ts';
import { buildStageName, type Stage, type StageRun } from './stage.ts';

/** What came of one stage. */
export type StageResult = Readonly<{ name: string; outcome: Outcome; seconds: number }>;

/** Runs stages one after another; a stage that fails, or cannot run, does not keep the next from running. */
export async function runStages(stages: readonly Stage[], run: StageRun): Promise<readonly StageResult[]> {
  const results: StageResult[] = [];
  for (const stage of stages) {
    if (run.signal.aborted) break;
    run.print(`\n▶ ${stage.name}`);
    const start = performance.now();
    const outcome = await (stage.afterBuild && buildFailed(results) ? notRun(run) : runStage(stage, run));
    const seconds = (performance.now() - start) / 1000;
    // With filters, a stage without a matching file was not asked for.
    const asked = run.filters.length === 0 || outcome.passed + outcome.failed > 0;
    if (asked) results.push({ name: stage.name, outcome, seconds });
    run.print(`  ${stage.name}: ${formatOutcome(outcome)} in ${seconds.toFixed(1)} s`);
  }
  return results;
}

function buildFailed(results: readonly StageResult[]): boolean {
  return results.some(({ name, outcome }) => name === buildStageName && outcome.failed > 0);
}

function notRun({ print }: StageRun): Outcome {
  print('  ✖ not run, since the build failed');
  return { ...noTests, failed: 1 };
}

async function runStage(stage: Stage, run: StageRun): Promise<Outcome> {
  try {
    await ensure(stage.needs, run.editor);
    const outcome = await stage.run(run);
    if (outcome.failed > 0 || isSuccess(outcome) || run.filters.length > 0) return outcome;
    run.print('  ✖ no test ran');
    return { ...outcome, failed: 1 };
  } catch (error) {
    run.print(`  ✖ the stage itself failed: ${error instanceof Error ? error.message : String(error)}`);
    return { ...noTests, failed: 1 };
  }
}

async function ensure(needs: Stage['needs'], editor: StageRun['editor']): Promise<void> {
  switch (needs) {
    case 'nothing':
      return;
    case 'browser':
      return ensureBrowser();
    case 'shim':
      return editor === 'shim' ? ensureEditor() : undefined;
    case 'editor':
      return ensureEditor();
  }
}
