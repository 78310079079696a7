import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { bundleForHost } from './bundle.ts';
import { makeTempFolder, nodePath, toolsFolder } from './paths.ts';
import { makeProfile, type Profile, type Settings } from './profile.ts';
import { readSuiteReport, type SuiteEvent } from './suiteReport.ts';

/** Suites to run inside the extension host through `@vscode/test-electron`. */
export type SuiteRun = Readonly<{
  /** `shim` runs the server build, `desktop` a desktop VS Code that is downloaded. */
  editor: 'shim' | 'desktop';
  /** Test files, in TypeScript. */
  files: readonly string[];
  /** Extensions to load in development mode. */
  develop: readonly string[];
  settings?: Settings;
  /** Profile to use instead of a fresh one, for example with the package installed; `settings` do not apply. */
  profile?: Profile;
  /** Workspace folder; a fresh empty one if absent. */
  workspace?: string;
  env?: Readonly<Record<string, string>>;
  signal?: AbortSignal;
}>;

/** What came of them. `events` is the truth; `exitCode` is what the editor made of it. */
export type SuiteResult = Readonly<{ events: readonly SuiteEvent[]; exitCode: number; output: string }>;

/** True only if at least one test ran, all passed, and the host lived until the end. */
export function suitesPassed({ events, exitCode }: SuiteResult): boolean {
  const kinds = new Set(events.map((event) => event.kind));
  return exitCode === 0 && kinds.has('passed') && kinds.has('ended') && !kinds.has('failed');
}

/** Bundles the suites, runs them in a fresh profile and reads their report. */
export async function runSuites(run: SuiteRun): Promise<SuiteResult> {
  const temp = makeTempFolder('host');
  // Below the repository, so that the bundles find mocha.
  const bundles = path.join(toolsFolder, 'suites', path.basename(temp));
  const report = path.join(temp, 'report.jsonl');
  const workspace = run.workspace ?? path.join(temp, 'workspace');
  mkdirSync(workspace, { recursive: true });
  try {
    const entry = path.join(import.meta.dirname, 'suiteEntry.ts');
    await bundleForHost([entry, ...run.files], bundles, path.dirname(import.meta.dirname));
    const profile =
      run.profile ?? makeProfile({ root: temp, ...(run.settings && { settings: run.settings }) });
    const { exitCode, output } = await testElectron(run.signal, {
      editor: run.editor,
      options: {
        extensionDevelopmentPath: run.develop,
        extensionTestsPath: bundled(entry, bundles),
        launchArgs: [
          workspace,
          `--user-data-dir=${profile.userData}`,
          `--extensions-dir=${profile.extensions}`,
        ],
        extensionTestsEnv: {
          ...run.env,
          RIG_REPORT: report,
          RIG_SUITES: JSON.stringify(run.files.map((file) => bundled(file, bundles))),
        },
      },
    });
    return { events: readSuiteReport(report), exitCode, output };
  } finally {
    for (const folder of [temp, bundles]) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function bundled(file: string, bundles: string): string {
  const relative = path.relative(path.dirname(import.meta.dirname), file);
  return path.join(bundles, relative.replace(/\.ts$/, '.cjs'));
}

// In a process of its own, since the library writes the editor's output straight to ours.
async function testElectron(
  signal: AbortSignal | undefined,
  work: unknown,
): Promise<Readonly<{ exitCode: number; output: string }>> {
  const script = path.join(import.meta.dirname, 'testElectron.ts');
  const child = spawn(nodePath, [script, JSON.stringify(work)], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-200_000);
    });
  // A plain kill would leave the editor behind; the library ends it on an interrupt.
  signal?.addEventListener('abort', () => child.kill('SIGINT'), { once: true });
  await once(child, 'close');
  return { exitCode: child.exitCode ?? 1, output };
}
