import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { verifyFolder } from '../../src/audit/verifyFolder.ts';
import type { JsonObject } from '../../src/base/json.ts';
import { auditDigest } from '../helpers/auditKit.ts';
import { describe, it } from '../helpers/nodeTest.ts';

const kills = 200;
const atOnce = 4;
/** Calls that reach the server before the latest kills. */
const most = 300;
const server = fileURLToPath(new URL('../fixtures/callRecorder.mjs', import.meta.url));

/** What one killed process left behind. */
interface Remains {
  /** Calls that reached the server. */
  readonly reached: number;
  readonly torn: boolean;
  readonly files: number;
}

async function killOnce(main: string, root: string, number: number): Promise<Remains> {
  const folder = join(root, `audit-${number}`);
  const notes = join(root, `notes-${number}`);
  const child = spawn(process.execPath, [main, folder, server, notes], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await ready(child);
  // From the very first record to some hundred calls later: by what has reached the server, since how much that is
  // in a given time depends on the machine. What is added falls between two steps of the same call.
  const enough = number % 4 === 0 ? 0 : Math.floor(Math.random() ** 2 * most);
  await until(() => noted(notes).length >= enough);
  await setTimeout(Math.random() * 4);
  child.kill('SIGKILL');
  await once(child, 'exit');
  // The server lives on until it has read all that was sent to it.
  await until(() => noted(notes).at(-1) === 'end');
  const reached = noted(notes).slice(0, -1);

  const report = await verifyFolder(folder, { key: auditDigest });
  const files = report.files.map((file) => basename(file.path));
  const written = files.map((file) => readFileSync(join(folder, file)));
  const where = `kill ${number}: ${JSON.stringify(report.findings)} ${JSON.stringify(report.files.map((file) => file.findings))}`;
  assert.equal(report.intact, true, where);
  assert.deepEqual(report.findings, [], where);

  // Exactly the torn tail is reported: where there is one, with its size, and nowhere else.
  const found = report.files.flatMap((file) =>
    file.findings.filter((finding) => finding.kind === 'tornTail'),
  );
  const torn = written
    .map((bytes) => bytes.length - bytes.lastIndexOf(0x0a) - 1)
    .filter((bytes) => bytes > 0);
  assert.deepEqual(
    found.map((finding) => finding.bytes),
    torn,
    where,
  );
  for (const file of report.files) {
    const others = file.findings.filter(
      (finding) => finding.kind !== 'tornTail' && finding.kind !== 'unsealed',
    );
    // Killed between creating a file and its first record.
    assert.ok(others.length === 0 || file.records === 0, where);
  }

  // Every call that reached the server has an intact intent, and those without an outcome are told.
  const records = written.flatMap((bytes) => wholeLines(bytes).map((line) => JSON.parse(line) as JsonObject));
  const callsOf = (kind: string): Set<string> =>
    new Set(
      records
        .filter((record) => record['kind'] === kind)
        .map((record) => JSON.stringify(record['callId']).slice(1, -1)),
    );
  const [intents, outcomes] = [callsOf('intent'), callsOf('result')];
  assert.deepEqual(
    reached.filter((id) => !intents.has(id)),
    [],
    where,
  );
  const open = [...intents].filter((id) => !outcomes.has(id));
  assert.deepEqual(report.openCalls.map((call) => call.callId).toSorted(), open.toSorted(), where);
  return { reached: reached.length, torn: torn.length > 0, files: files.length };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await setTimeout(2);
}

function noted(notes: string): string[] {
  try {
    return readFileSync(notes, 'utf8').split('\n').slice(0, -1);
  } catch {
    return [];
  }
}

function wholeLines(bytes: Buffer): string[] {
  return bytes.toString('utf8').split('\n').slice(0, -1);
}

async function ready(child: ChildProcess): Promise<void> {
  const [first] = (await once(child.stdout ?? assert.fail(), 'data')) as [Buffer];
  assert.equal(first.toString(), 'ready\n');
}

describe('a process that is killed', () => {
  it(`${kills} times at any moment loses no call that reached its server`, async () => {
    const root = mkdtempSync(join(tmpdir(), 'countersign-crash-'));
    const main = join(root, 'main.mjs');
    await build({
      entryPoints: [fileURLToPath(new URL('../helpers/auditCrashMain.ts', import.meta.url))],
      outfile: main,
      bundle: true,
      platform: 'node',
      format: 'esm',
      banner: {
        js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
      },
      logLevel: 'error',
    });
    let next = 0;
    const all: Remains[] = [];
    const lane = async (): Promise<void> => {
      while (next < kills) all.push(await killOnce(main, root, ++next));
    };
    await Promise.all(Array.from({ length: atOnce }, lane));
    assert.equal(all.length, kills);
    const calls = all.reduce((sum, one) => sum + one.reached, 0);
    // Otherwise the kills came too early to mean anything.
    assert.ok(calls > kills, `${calls} calls`);
    assert.ok(all.some((one) => one.files > 1));
    rmSync(root, { recursive: true, force: true });
  });
});
