import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stripVTControlCharacters } from 'node:util';
import { nodePath, repoRoot } from '../paths.ts';
import { noTests, sumOutcomes, type Outcome } from './outcome.ts';
import type { Stage, StageRun } from './stage.ts';

/** A command that must end with exit code 0; its first word is a program among the installed packages. */
export type Check = Readonly<{ title: string; command: readonly [string, ...string[]] }>;

/** A stage of checks, each counted as one test. */
export function checkStage(name: string, checks: readonly Check[]): Stage {
  const run = async (stage: StageRun) => {
    const outcomes: Outcome[] = [];
    for (const check of checks) outcomes.push(await runCheck(check, stage));
    return sumOutcomes(outcomes);
  };
  return { name, needs: 'nothing', afterBuild: false, hasFiles: false, run };
}

async function runCheck(check: Check, { signal, print, verbose }: StageRun): Promise<Outcome> {
  const { exitCode, output } = await runCommand(check.command, signal);
  if (exitCode === 0) {
    if (verbose) print(`  ✔ ${check.title}`);
    return { ...noTests, passed: 1 };
  }
  print(`  ✖ ${check.title} (exit code ${exitCode})\n${stripVTControlCharacters(output)}`);
  return { ...noTests, failed: 1 };
}

/** Runs a command in the repository and collects what it prints. */
export async function runCommand(
  [program, ...args]: readonly [string, ...string[]],
  signal: AbortSignal,
): Promise<Readonly<{ exitCode: number; output: string }>> {
  const executable = program === 'node' ? nodePath : program;
  const child = spawn(executable, args, { cwd: repoRoot, stdio: ['ignore', 'pipe', 'pipe'], signal });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  try {
    await once(child, 'close');
    return { exitCode: child.exitCode ?? 1, output };
  } catch (error) {
    return { exitCode: 1, output: `${output}\n${String(error)}` };
  }
}
