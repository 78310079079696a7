import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AuditLog } from '../../src/audit/auditLog.ts';
import { verifyFolder } from '../../src/audit/verifyFolder.ts';
import { HostError } from '../../src/base/errors.ts';
import { systemClock } from '../../src/base/clock.ts';
import { auditDigest, auditKey, intent, makeCalls, result, subject } from './auditKit.ts';

/*
 * A process with a journal under a fault that only a process of its own can have: a full disk, a limit, a lost
 * permission. Arguments: what to do, and a folder. Prints what happened as JSON.
 */
const [what = '', root = ''] = process.argv.slice(2);
const folder = join(root, 'audit');

function open(maximumFileBytes: number): AuditLog {
  const settings = {
    folder,
    storage: 'redacted',
    sync: 'group',
    whenFailing: 'stop',
    maximumFileBytes,
  } as const;
  return new AuditLog(settings, auditKey, systemClock);
}

/** Makes calls until one is refused. Returns their number and why the next one was refused. */
async function callsUntilRefused(
  log: AuditLog,
): Promise<{ readonly made: number; readonly refusal: string }> {
  for (let made = 0; made < 100_000; made++) {
    const of = subject(`call-${made}`);
    try {
      await log.intent(intent(of, { filler: 'x'.repeat(made % 900) }), { personDecided: false });
    } catch (error) {
      return {
        made,
        refusal: error instanceof HostError ? `${error.code}: ${error.message}` : String(error),
      };
    }
    log.record(result(of));
  }
  return { made: 100_000, refusal: '' };
}

async function report(log: AuditLog, facts: object): Promise<void> {
  const { intact, files, openCalls } = await verifyFolder(folder, { key: auditDigest });
  const findings = files.flatMap((file) => file.findings);
  const calls = { state: log.state.kind, intact, findings, openCalls: openCalls.map((call) => call.callId) };
  process.stdout.write(JSON.stringify({ ...facts, ...calls }));
}

async function fullDisk(): Promise<void> {
  const filler = join(root, 'filler');
  writeFileSync(filler, Buffer.alloc(150_000));
  const log = open(1_000_000);
  const first = await callsUntilRefused(log);
  const again = await callsUntilRefused(log);
  rmSync(filler);
  const after = await log.intent(intent(subject('after')), { personDecided: true }).then(
    () => 'made',
    (error: unknown) => String(error),
  );
  log.record(result(subject('after')));
  await log.close('done');
  await report(log, { first, again, after });
}

async function limit(): Promise<void> {
  const log = open(1_000_000);
  const first = await callsUntilRefused(log);
  const again = await callsUntilRefused(log);
  await report(log, { first, again });
}

async function permission(): Promise<void> {
  // To a super-user nothing is forbidden.
  if (process.getuid?.() === 0) process.setuid?.('nobody');
  const log = open(20_000);
  await makeCalls(log, 1, 'before-');
  chmodSync(folder, 0o500);
  const first = await callsUntilRefused(log);
  const again = await callsUntilRefused(log);
  chmodSync(folder, 0o700);
  await makeCalls(log, 1, 'after-');
  await log.close('done');
  await report(log, { first, again });
}

async function write(): Promise<void> {
  const log = open(50_000);
  await makeCalls(log, 300, `${process.pid}-`);
  await log.close('done');
  process.stdout.write(JSON.stringify({ sessionId: log.sessionId }));
}

const modes: Readonly<Record<string, () => Promise<void>>> = { fullDisk, limit, permission, write };
await modes[what]?.();
