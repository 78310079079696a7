// Bundled, and loaded by VS Code inside the extension host (`extensionTestsPath`): runs mocha over the suites
// that the environment names and reports to a file, since the host's exit code alone cannot be trusted.
import Mocha from 'mocha';
import { appendSuiteEvent, type SuiteEvent } from './suiteReport.ts';

/** Called by VS Code; a rejection makes the run fail. */
export async function run(): Promise<void> {
  const files: readonly string[] = JSON.parse(process.env['RIG_SUITES'] ?? '[]');
  const report = process.env['RIG_REPORT'];
  if (report === undefined) throw new Error('RIG_REPORT names no file');
  process.setSourceMapsEnabled(true);
  const mocha = new Mocha({ ui: 'bdd', color: false, timeout: 120_000, reporter: 'dot' });
  for (const file of files) mocha.addFile(file);
  const failures = await new Promise<number>((resolve) => {
    record(mocha.run(resolve), (event) => appendSuiteEvent(report, event));
  });
  appendSuiteEvent(report, { kind: 'ended' });
  if (failures > 0) throw new Error(`${failures} failed`);
}

function record(runner: Mocha.Runner, add: (event: SuiteEvent) => void): void {
  runner.on('pass', (test) =>
    add({ kind: 'passed', title: test.fullTitle(), milliseconds: test.duration ?? 0 }),
  );
  runner.on('pending', (test) => add({ kind: 'skipped', title: test.fullTitle() }));
  // A failing hook arrives here as well.
  runner.on('fail', (test, error) => {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    add({ kind: 'failed', title: test.fullTitle(), error: text });
  });
}
