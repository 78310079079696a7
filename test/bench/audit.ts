import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { AuditLog, type AuditSettings } from '../../src/audit/auditLog.ts';
import type { HistoryFilter } from '../../src/audit/history/callEntry.ts';
import { HistoryReader } from '../../src/audit/history/historyReader.ts';
import { verifyFolder } from '../../src/audit/verifyFolder.ts';
import { systemClock } from '../../src/base/clock.ts';
import { auditDigest, auditKey, intent, result, subject } from '../helpers/auditKit.ts';

/*
 * `node test/bench/audit.ts [records]`: what recording costs a call, and how a history of a million records opens.
 * Times of this thread's own work (`work`) do not count other programs on the machine; `wall` does.
 */
const records = Number(process.argv[2] ?? 1_000_000);
const root = mkdtempSync(join(tmpdir(), 'countersign-bench-'));

function openLog(name: string, settings: Partial<AuditSettings> = {}): AuditLog {
  const all = {
    folder: join(root, name),
    storage: 'redacted',
    sync: 'group',
    whenFailing: 'stop',
    ...settings,
  } as const;
  const log = new AuditLog(all, auditKey, systemClock);
  log.setKnownSecrets(['sk-one-of-the-secrets', 'another+secret/of=the+user', '0123456789abcdef']);
  log.onRecorded(() => undefined);
  return log;
}

function workUs(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}

async function perCall(name: string, lanes: number, personDecided: boolean, calls: number): Promise<void> {
  const log = openLog(`calls-${name}`);
  const args = {
    owner: 'acme',
    repo: 'site',
    title: 'Fix the build',
    body: 'It fails since yesterday. '.repeat(10),
  };
  const prepared = intent(subject('x'), args);
  let made = 0;
  const lane = async (until: number): Promise<void> => {
    while (made < until) {
      const of = subject(`call-${++made}`);
      await log.intent({ ...prepared, ...of }, { personDecided });
      log.record(result(of));
    }
  };
  const round = async (count: number): Promise<{ work: number; wall: number }> => {
    const [work, wall] = [workUs(), performance.now()];
    await Promise.all(Array.from({ length: lanes }, () => lane(made + count)));
    return { work: (workUs() - work) / count, wall: ((performance.now() - wall) * 1_000) / count };
  };
  await round(Math.ceil(calls / 4));
  const rounds = [];
  for (let index = 0; index < 5; index++) rounds.push(await round(calls));
  rounds.sort((a, b) => a.work - b.work);
  const { work, wall } = rounds[2] ?? { work: NaN, wall: NaN };
  print(`${name}, per call (intent and result)`, `work ${work.toFixed(1)} µs, wall ${wall.toFixed(1)} µs`);
  await log.close('done');
}

async function million(): Promise<void> {
  const log = openLog('million');
  const servers = ['github', 'files', 'browser', 'database'];
  const start = performance.now();
  for (let call = 0; call < records / 2; call++) {
    const of = subject(`call-${call}`, `tool_${call % 40}`, servers[call % servers.length]);
    log.record(intent(of, { query: `question ${call}.`, limit: call % 100 }));
    log.record(result(of, `answer ${call}: ${'some words of a result, '.repeat(call % 12)}`));
    if (call % 500 === 499) await new Promise((resolve) => setImmediate(resolve));
  }
  await log.close('done');
  const files = readdirSync(log.folder).filter((file) => file.endsWith('.jsonl'));
  const bytes = files.reduce((sum, file) => sum + statSync(join(log.folder, file)).size, 0);
  print(
    `${records} records written`,
    `${((performance.now() - start) / 1_000).toFixed(1)} s, ${files.length} files, ${(bytes / 1e6).toFixed(0)} MB`,
  );

  await look(log.folder, 'first page of 50', {}, 1);
  await look(log.folder, 'twenty pages of 50', {}, 20);
  await look(log.folder, 'first page of one tool', { tool: 'tool_7' }, 1);
  await look(log.folder, 'first page of a frequent word', { text: 'words of a result' }, 1);
  await look(log.folder, 'oldest call, by its text', { text: 'question 3.' }, Infinity);
  await look(log.folder, 'a text that is nowhere', { text: 'nowhere at all' }, Infinity);
  await look(log.folder, 'failed calls (there are none)', { ends: ['failed'] }, Infinity);

  const verifying = performance.now();
  const { intact } = await verifyFolder(log.folder, { key: auditDigest });
  print('checking all of it', `${((performance.now() - verifying) / 1_000).toFixed(1)} s, intact: ${intact}`);
}

async function look(folder: string, name: string, filter: HistoryFilter, pages: number): Promise<void> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const start = performance.now();
  const reader = new HistoryReader(folder, filter);
  let found = 0;
  let scanned = 0;
  for (let page = 0; page < pages; page++) {
    const { entries, ended, scanned: seen } = await reader.next(50);
    found += entries.length;
    scanned = seen;
    if (ended) break;
  }
  const wall = performance.now() - start;
  delay.disable();
  print(
    `history: ${name}`,
    `${wall.toFixed(0)} ms, ${found} calls, ${scanned} records looked at, longest pause ${(delay.max / 1e6).toFixed(1)} ms`,
  );
}

function print(name: string, text: string): void {
  console.log(`${name.padEnd(52)} ${text}`);
}

try {
  await perCall('one after the other', 1, false, 10_000);
  await perCall('64 at a time', 64, false, 20_000);
  await perCall('decided by a person, one after the other', 1, true, 200);
  await perCall('decided by a person, 64 at a time', 64, true, 2_000);
  await million();
} finally {
  rmSync(root, { recursive: true, force: true });
}
