/*
 * `npm run conformance -- [--requirements REVISION]… [--scenario NAME]… [--no-auth]`
 *
 * Runs the official suite against our client and judges it more strictly than it does itself: every failure,
 * warning, time-out or non-zero exit of the driver fails, and so does a scenario with too few checks.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { isJsonObject } from '../../src/base/json.ts';
import { expectations, isAuthorization, isForeignExtension, type Revision } from './expectations.ts';

interface Verdict {
  readonly scenario: string;
  readonly revision: Revision;
  readonly checks: number;
  readonly problems: readonly string[];
}

const revisions: readonly Revision[] = ['2026-07-28', '2025-11-25'];
const scenarioTimeoutMs = 60_000;
const suite = path.join(
  path.dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json')),
  'dist/index.js',
);
const driver = fileURLToPath(new URL('driver.ts', import.meta.url));

const { values } = parseArgs({
  options: {
    requirements: { type: 'string', multiple: true },
    scenario: { type: 'string', multiple: true },
    'no-auth': { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
  },
});

const wanted = revisions.filter((revision) => values.requirements?.includes(revision) ?? true);
if (wanted.length === 0) throw new Error(`Known revisions: ${revisions.join(', ')}.`);

const verdicts: Verdict[] = [];
for (const revision of wanted) {
  for (const scenario of await selectScenarios(revision))
    verdicts.push(await runScenario(scenario, revision));
}

for (const { scenario, revision, checks, problems } of verdicts) {
  const mark = problems.length === 0 ? 'ok  ' : 'FAIL';
  console.log(`${mark} ${revision} ${scenario.padEnd(40)} ${String(checks).padStart(3)} checks`);
  for (const problem of problems) console.log(`       ${problem}`);
}
const failed = verdicts.filter((verdict) => verdict.problems.length > 0).length;
console.log(`${verdicts.length - failed} of ${verdicts.length} scenarios passed.`);
process.exitCode = failed === 0 ? 0 : 1;

/** What the revision requires, in the suite's own frozen list, and the unscored scenarios on top. */
async function selectScenarios(revision: Revision): Promise<readonly string[]> {
  const required = await readRequirements(revision);
  const unscored = expectations
    .filter(({ minimum }) => minimum[revision] !== undefined)
    .map(({ scenario }) => scenario);
  return [...new Set([...required, ...unscored])]
    .filter((scenario) => !isForeignExtension(scenario) && !(values['no-auth'] && isAuthorization(scenario)))
    .filter((scenario) => values.scenario?.includes(scenario) ?? true);
}

/** The `client:` list of the suite's requirements file: one `  - name` a line until the next key. */
async function readRequirements(revision: Revision): Promise<readonly string[]> {
  const file = path.join(path.dirname(suite), `../requirements/${revision}.yaml`);
  const lines = (await readFile(file, 'utf8')).split('\n');
  const start = lines.indexOf('client:');
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => /^\S/.test(line));
  const names = rest
    .slice(0, end === -1 ? rest.length : end)
    .flatMap((line) => /^ {2}- (\S+)/.exec(line)?.[1] ?? []);
  if (start === -1 || names.length === 0) throw new Error(`No client requirements in ${file}.`);
  return names;
}

async function runScenario(scenario: string, revision: Revision): Promise<Verdict> {
  const folder = await mkdtemp(path.join(tmpdir(), 'countersign-conformance-'));
  try {
    const report = path.join(folder, 'driver.json');
    const run = await runSuite(scenario, revision, path.join(folder, 'results'), report);
    const minimum = expectations.find((entry) => entry.scenario === scenario)?.minimum[revision];
    const checks = await readChecks(path.join(folder, 'results'));
    const succeeded = checks.filter((check) => check.status === 'SUCCESS').length;
    const problems = checks
      .filter((check) => check.status === 'FAILURE' || check.status === 'WARNING')
      .map((check) => `${check.status}: ${check.id}: ${check.message}`);
    if (minimum === undefined) problems.push('No minimum of checks is written down for this scenario.');
    else if (succeeded < minimum) problems.push(`Only ${succeeded} of at least ${minimum} checks succeeded.`);
    if (run.code !== 0) problems.push(`The suite ended with ${run.code}.`);
    const driverProblem = await readDriverReport(report);
    if (driverProblem !== undefined) problems.push(driverProblem);
    if (values.verbose || problems.length > 0) console.log(run.output);
    return { scenario, revision, checks: succeeded, problems };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function runSuite(
  scenario: string,
  revision: Revision,
  results: string,
  report: string,
): Promise<{ readonly code: number | null; readonly output: string }> {
  const command = [process.execPath, driver, '--report', report]
    .map((part) => JSON.stringify(part))
    .join(' ');
  const args = ['client', '--command', command, '--scenario', scenario, '--spec-version', revision];
  args.push('--timeout', String(scenarioTimeoutMs), '--output-dir', results);
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [suite, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output }));
  });
}

interface Check {
  readonly id: string;
  readonly status: string;
  readonly message: string;
}

async function readChecks(folder: string): Promise<readonly Check[]> {
  const files = await readdir(folder, { recursive: true }).catch((): string[] => []);
  const checks: Check[] = [];
  for (const file of files.filter((name) => path.basename(name) === 'checks.json')) {
    const list: unknown = JSON.parse(await readFile(path.join(folder, file), 'utf8'));
    for (const item of Array.isArray(list) ? list : []) {
      if (!isJsonObject(item)) continue;
      const { id, status, errorMessage, description } = item;
      checks.push({
        id: typeof id === 'string' ? id : '?',
        status: typeof status === 'string' ? status : '?',
        message: [errorMessage, description].find((text) => typeof text === 'string') ?? '',
      });
    }
  }
  return checks;
}

/** The driver writes down how it ended, because the suite does not look at its exit code or time-out. */
async function readDriverReport(file: string): Promise<string | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return 'The driver did not finish.';
  const report: unknown = JSON.parse(text);
  if (isJsonObject(report) && report['ok'] === true) return undefined;
  return `The driver failed: ${isJsonObject(report) ? JSON.stringify(report['error']) : text}`;
}
