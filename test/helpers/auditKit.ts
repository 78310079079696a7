import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AuditLog, type AuditSettings } from '../../src/audit/auditLog.ts';
import type { AuditRecord, CallSubject, IntentEvent, ResultEvent } from '../../src/audit/events.ts';
import { KeyedDigest } from '../../src/audit/redaction/keyedDigest.ts';
import { digest } from '../../src/base/canonicalJson.ts';
import type { Clock } from '../../src/base/clock.ts';
import type { JsonObject } from '../../src/base/json.ts';
import { ManualClock } from './manualClock.ts';

/** The key of all journals in tests. */
export const auditKey = new Uint8Array(32).fill(7);
export const auditDigest = new KeyedDigest(auditKey);

/** A clock whose wall time can be set, as people do. */
export class SettableClock extends ManualClock {
  #shift = 0;

  override now(): number {
    return super.now() + this.#shift;
  }

  setBy(ms: number): void {
    this.#shift += ms;
  }
}

export interface AuditKit {
  /** Holds the journal's folder `audit` and nothing else. */
  readonly root: string;
  readonly folder: string;
  readonly clock: SettableClock;
  /** Another window: a log of its own on the same folder. */
  open(settings?: Partial<AuditSettings>, clock?: Clock): AuditLog;
  /** Everything that its logs have announced. */
  readonly announced: readonly AuditRecord[];
  /** Names of the journal files, oldest first. */
  files(): readonly string[];
  path(file: string): string;
  lines(file?: string): readonly string[];
  /** All records of all files, in order of the files. */
  records(): readonly JsonObject[];
  kinds(): readonly string[];
  /** Closes every log and deletes everything. */
  end(): Promise<void>;
}

/** A temporary folder with journals in it. */
export function auditKit(): AuditKit {
  const root = mkdtempSync(join(tmpdir(), 'countersign-audit-'));
  const folder = join(root, 'audit');
  const clock = new SettableClock();
  const logs: AuditLog[] = [];
  const announced: AuditRecord[] = [];
  const kit: AuditKit = {
    root,
    folder,
    clock,
    announced,
    open(settings = {}, time = clock) {
      const log = new AuditLog(
        { folder, storage: 'redacted', sync: 'group', whenFailing: 'stop', ...settings },
        auditKey,
        time,
      );
      log.onRecorded((record) => announced.push(record));
      logs.push(log);
      return log;
    },
    files: () =>
      readdirSync(folder)
        .filter((file) => file.endsWith('.jsonl'))
        .sort(),
    path: (file) => join(folder, file),
    lines: (file) =>
      (file === undefined ? kit.files() : [file]).flatMap((name) =>
        readFileSync(join(folder, name), 'utf8')
          .split('\n')
          .filter((line) => line !== ''),
      ),
    records: () => kit.lines().map((line) => JSON.parse(line) as JsonObject),
    kinds: () => kit.records().map((record) => JSON.stringify(record['kind']).slice(1, -1)),
    async end() {
      for (const log of logs) await log.close('end of test');
      rmSync(root, { recursive: true, force: true });
    },
  };
  return kit;
}

export function subject(callId: string, tool = 'echo', serverId = 'everything'): CallSubject {
  return { callId, caller: { kind: 'chat', label: 'model' }, serverId, tool };
}

export function intent(of: CallSubject, args: JsonObject = { message: 'hello' }): IntentEvent {
  const decision = { outcome: 'allow', by: { kind: 'rule', rule: 'r', source: 'user' } } as const;
  return { kind: 'intent', ...of, arguments: args, digest: digest(args), decision };
}

export function result(of: CallSubject, text = 'hello', isError = false): ResultEvent {
  return {
    kind: 'result',
    ...of,
    isError,
    durationMs: 5,
    result: { content: [{ type: 'text', text }], isError },
  };
}

/** Makes whole calls, allowed by a rule and answered. */
export async function makeCalls(log: AuditLog, count: number, name = 'c'): Promise<void> {
  for (let number = 1; number <= count; number++) {
    const of = subject(`${name}${number}`);
    await log.intent(intent(of, { message: `hello ${number}` }), { personDecided: false });
    log.record(result(of, `hello ${number}`));
  }
  await log.sync();
}
