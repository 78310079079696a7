import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as fc from 'fast-check';
import { sealLine } from '../../../src/audit/record.ts';
import { KeyedDigest } from '../../../src/audit/redaction/keyedDigest.ts';
import { formatEnd } from '../../../src/audit/formatEvent.ts';
import { readNotedEnds } from '../../../src/audit/notedEnd.ts';
import { deleteHistory } from '../../../src/audit/retention.ts';
import { verifyDocument } from '../../../src/audit/verifyDocument.ts';
import { verifyFolder } from '../../../src/audit/verifyFolder.ts';
import { verifyJournal } from '../../../src/audit/verifyJournal.ts';
import { type Finding, describeFinding } from '../../../src/audit/verifyReport.ts';
import type { JsonObject } from '../../../src/base/json.ts';
import {
  type AuditKit,
  auditDigest,
  auditKit,
  intent,
  makeCalls,
  result,
  subject,
} from '../../helpers/auditKit.ts';
import { describe, it } from '../../helpers/nodeTest.ts';

/** A closed journal of 22 records in one file, and its text. */
async function journal(): Promise<{ kit: AuditKit; path: string; lines: readonly string[] }> {
  const kit = auditKit();
  const log = kit.open();
  await makeCalls(log, 10);
  const path = log.path ?? assert.fail('no file');
  await log.close('done');
  return { kit, path, lines: kit.lines(basename(path)) };
}

const text = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');

/** Findings in short: kind and where. */
function short(finding: Finding): string {
  assert.ok(describeFinding(finding).length > 10);
  const place = 'line' in finding ? `@${finding.line}` : '';
  const seq = 'seq' in finding ? ` ${finding.seq}` : '';
  const range = 'fromSeq' in finding ? ` ${finding.fromSeq}-${finding.toSeq}` : '';
  const end = 'expectedSeq' in finding ? ` ${finding.foundSeq}<>${finding.expectedSeq}` : '';
  return `${finding.kind}${place}${seq}${range}${end}`;
}

/** The lines after a change to one of them, with the chain made right again, as a forger would. */
function reforged(lines: readonly string[], from: number, change: (line: string) => string): string[] {
  const kept = lines.slice(0, from);
  let previous = (JSON.parse(kept.at(-1) ?? '{"hash":"none"}') as JsonObject)['hash'];
  for (const [index, line] of lines.slice(from).entries()) {
    const {
      v: _v,
      seq,
      time,
      call,
      step,
      prev: _prev,
      hash: _hash,
      ...event
    } = JSON.parse(index === 0 ? change(line) : line) as JsonObject;
    const place = call === undefined ? undefined : { call: Number(call), step: Number(step) };
    const sealed = sealLine(
      { seq: Number(seq), time: JSON.stringify(time).slice(1, -1), place },
      JSON.stringify(event),
      JSON.stringify(previous).slice(1, -1),
    );
    previous = sealed.hash;
    kept.push(sealed.line);
  }
  return kept;
}

const evil = (line: string): string => line.replace('"hello', '"HELLO');
const swap = (lines: readonly string[], a: number, b: number): string[] => {
  const changed = [...lines];
  [changed[a], changed[b]] = [lines[b] ?? '', lines[a] ?? ''];
  return changed;
};

/** What somebody does to the 22 lines (numbers from 0), and what is found. */
const tampering: readonly (readonly [
  name: string,
  act: (lines: readonly string[]) => string,
  ...found: string[],
])[] = [
  ['nothing', (lines) => text(lines)],
  ['one letter of a record', (lines) => text(lines.with(5, evil(lines[5] ?? ''))), 'altered@6 6'],
  [
    'one letter of the last record',
    (lines) => text(lines.with(21, (lines[21] ?? '').replace('done', 'gone'))),
    'altered@22 22',
  ],
  [
    'one letter of the first record',
    (lines) => text(lines.with(0, (lines[0] ?? '').replace('redacted', 'rebacted'))),
    'altered@1 1',
  ],
  [
    'a hash',
    (lines) => text(lines.with(5, (lines[5] ?? '').replace(/"hash":"./, '"hash":"!'))),
    'altered@6 6',
  ],
  [
    'a previous hash',
    (lines) => text(lines.with(5, (lines[5] ?? '').replace(/"prev":"./, '"prev":"!'))),
    'altered@6 6',
    'brokenChain@6 6',
  ],
  [
    'a number',
    (lines) => text(lines.with(5, (lines[5] ?? '').replace('"seq":6', '"seq":7'))),
    'altered@6 7',
    'missing@6 6-6',
    'outOfOrder@7 7',
  ],
  [
    'a record made anew with a right hash of its own',
    (lines) => text([...reforged(lines.slice(0, 6), 5, evil), ...lines.slice(6)]),
    'brokenChain@7 7',
  ],
  ['a record deleted', (lines) => text(lines.toSpliced(5, 1)), 'missing@6 6-6'],
  ['three records deleted', (lines) => text(lines.toSpliced(5, 3)), 'missing@6 6-8'],
  ['the first record deleted', (lines) => text(lines.slice(1)), 'wrongStart@1 2'],
  ['the last record deleted', (lines) => text(lines.slice(0, -1)), 'truncated 21<>22'],
  ['ten records cut off', (lines) => text(lines.slice(0, 12)), 'truncated 12<>22'],
  ['all records cut off', () => '', 'truncated 0<>22'],
  [
    'cut off within a record',
    (lines) => text(lines).slice(0, text(lines.slice(0, 12)).length + 50),
    'tornTail@13',
    'truncated 12<>22',
  ],
  ['the last line break cut off', (lines) => text(lines).slice(0, -1), 'tornTail@22', 'truncated 21<>22'],
  ['a record repeated', (lines) => text(lines.toSpliced(6, 0, lines[5] ?? '')), 'outOfOrder@7 6'],
  [
    'a record inserted',
    (lines) =>
      text(lines.toSpliced(6, 0, reforged([...lines.slice(0, 6), lines[5] ?? ''], 6, evil)[6] ?? '')),
    'outOfOrder@7 6',
    'brokenChain@8 7',
  ],
  ['junk inserted', (lines) => text(lines.toSpliced(6, 0, 'junk')), 'unreadable@7'],
  ['an empty line inserted', (lines) => text(lines.toSpliced(6, 0, '')), 'unreadable@7'],
  [
    'two records swapped',
    (lines) => text(swap(lines, 5, 6)),
    'missing@6 6-6',
    'outOfOrder@7 6',
    'missing@8 7-7',
  ],
  [
    'a record moved to the end',
    (lines) => text([...lines.toSpliced(5, 1), lines[5] ?? '']),
    'missing@6 6-6',
    'outOfOrder@22 6',
    'truncated 6<>22',
  ],
  [
    'a line break made something else',
    (lines) => text(lines).replace('}\n{', '}x{'),
    'unreadable@1',
    'wrongStart@2 3',
  ],
  [
    'a record appended',
    (lines) => text(reforged([...lines, lines[3] ?? ''], 22, (line) => line.replace('"seq":4', '"seq":23'))),
    'beyondEnd 23<>22',
  ],
  [
    'the rest of the chain made anew',
    (lines) => text(reforged(lines, 5, evil)),
    'rewritten 22',
    'rewritten 22',
  ],
  [
    'everything made anew',
    (lines) => text(reforged(lines, 0, (line) => line.replace('redacted', 'rebacted'))),
    'rewritten 22',
    'rewritten 22',
  ],
];

describe('tampering with a journal', () => {
  it('is found, with the place', async () => {
    const { kit, path, lines } = await journal();
    assert.equal(lines.length, 22);
    for (const [name, act, ...found] of tampering) {
      writeFileSync(path, act(lines));
      const report = await verifyJournal(path, { key: auditDigest });
      assert.deepEqual(report.findings.map(short), found, name);
      assert.equal(report.intact, found.length === 0, name);
    }
    await kit.end();
  });

  it('gives the place in bytes too', async () => {
    const { kit, path, lines } = await journal();
    writeFileSync(path, text(lines.with(5, evil(lines[5] ?? ''))));
    const [finding] = (await verifyJournal(path)).findings;
    assert.deepEqual(finding, {
      kind: 'altered',
      level: 'damage',
      seq: 6,
      line: 6,
      offset: Buffer.byteLength(text(lines.slice(0, 5))),
    });
    await kit.end();
  });

  it('is found for any change of any bytes', async () => {
    const { kit, path } = await journal();
    const whole = readFileSync(path);
    await fc.assert(
      fc.asyncProperty(
        fc.nat(whole.length - 1),
        fc.nat(300),
        fc.uint8Array({ maxLength: 300 }),
        async (at, removed, inserted) => {
          const changed = Buffer.concat([whole.subarray(0, at), inserted, whole.subarray(at + removed)]);
          fc.pre(!changed.equals(whole));
          writeFileSync(path, changed);
          assert.equal((await verifyJournal(path)).intact, false);
        },
      ),
      { numRuns: 300 },
    );
    await kit.end();
  });

  it('is found when the head was changed to fit, by the seal', async () => {
    const { kit, path, lines } = await journal();
    const forged = reforged(lines, 5, evil);
    writeFileSync(path, text(forged));
    const headPath = path.replace('.jsonl', '.head');
    const head = JSON.parse(readFileSync(headPath, 'utf8')) as JsonObject;
    const hash = (JSON.parse(forged.at(-1) ?? '') as JsonObject)['hash'];
    const attempts: readonly (readonly [JsonObject, ...string[]])[] = [
      [{ ...head, hash }, 'rewritten 22'],
      [{ ...head, hash, seal: { ...(head['seal'] as JsonObject), hash } }, 'forgedHead'],
      [{ ...head, hash, seal: undefined }, 'unsealed'],
    ];
    for (const [changed, ...found] of attempts) {
      writeFileSync(headPath, JSON.stringify(changed));
      assert.deepEqual((await verifyJournal(path, { key: auditDigest })).findings.map(short), found);
    }
    rmSync(headPath);
    assert.deepEqual((await verifyJournal(path, { key: auditDigest })).findings.map(short), ['headMissing']);
    // What a person copied from the output channel still tells.
    const copied = JSON.parse(lines[21] ?? '') as { seq: number; hash: string };
    const known = [{ ...copied, by: 'the hash you gave' }];
    assert.deepEqual((await verifyJournal(path, { known })).findings.map(short), [
      'headMissing',
      'rewritten 22',
    ]);
    await kit.end();
  });

  it('is told from another key', async () => {
    const { kit, path } = await journal();
    const key = new KeyedDigest(new Uint8Array(32).fill(9));
    assert.deepEqual((await verifyJournal(path, { key })).findings.map(short), ['forgedHead']);
    await kit.end();
  });
});

describe('a journal that was not ended', () => {
  it('reads, and a torn last line is reported and never taken for tampering', async () => {
    const kit = auditKit();
    const log = kit.open();
    await makeCalls(log, 2);
    const path = log.path ?? '';
    const whole = readFileSync(path);
    const next = sealLine({ seq: 6, time: 't', place: undefined }, '{"kind":"x","text":"häß"}', 'p').line;
    const copy = join(kit.root, basename(path));
    copyFileSync(path.replace('.jsonl', '.head'), copy.replace('.jsonl', '.head'));
    for (let bytes = 1; bytes <= Buffer.byteLength(next); bytes++) {
      writeFileSync(copy, Buffer.concat([whole, Buffer.from(next).subarray(0, bytes)]));
      const report = await verifyJournal(copy, { key: auditDigest });
      assert.deepEqual(
        [report.intact, report.records, report.findings],
        [true, 5, [{ kind: 'tornTail', level: 'notice', bytes, line: 6, offset: whole.length }]],
      );
    }
    await kit.end();
  });

  it('may have lost what was not on the disk when the machine stopped, but nothing else', async () => {
    const kit = auditKit();
    const log = kit.open();
    await makeCalls(log, 2);
    const path = log.path ?? '';
    const lines = kit.lines();
    const headPath = path.replace('.jsonl', '.head');
    const head = JSON.parse(readFileSync(headPath, 'utf8')) as JsonObject;
    const copy = join(kit.root, basename(path));
    const rows: readonly (readonly [restarted: boolean, synced: number, found: string])[] = [
      [true, 3, 'unsyncedTail 3<>5'],
      [true, 4, 'truncated 3<>5'],
      [false, 3, 'truncated 3<>5'],
    ];
    for (const [restarted, synced, found] of rows) {
      writeFileSync(copy, text(lines.slice(0, 3)));
      const boot = Number(head['boot']) - (restarted ? 100_000 : 0);
      writeFileSync(
        copy.replace('.jsonl', '.head'),
        JSON.stringify({ ...head, boot, synced, seal: undefined }),
      );
      assert.deepEqual((await verifyJournal(copy)).findings.map(short), [found]);
    }
    await kit.end();
  });

  it('tells the calls that were sent and have no outcome', async () => {
    const kit = auditKit();
    const log = kit.open();
    await makeCalls(log, 2);
    await log.intent(intent(subject('open1')), { personDecided: false });
    await log.intent(intent(subject('open2')), { personDecided: false });
    log.record({ kind: 'cancelled', ...subject('open2'), by: 'caller' });
    await log.sync();
    const report = await verifyJournal(log.path ?? '');
    assert.deepEqual(
      [report.end, report.openCalls.map(({ callId, serverId, tool, seq }) => [callId, serverId, tool, seq])],
      ['live', [['open1', 'everything', 'echo', 6]]],
    );
    // In a window that lives, it simply runs.
    assert.deepEqual((await verifyFolder(kit.folder)).openCalls, []);
    await log.close('x');
    const closed = await verifyFolder(kit.folder);
    assert.deepEqual(
      closed.openCalls.map((call) => call.callId),
      ['open1'],
    );
    await kit.end();
  });
});

describe('the files of a folder', () => {
  /** Three sessions, the second one of several files. */
  async function folder(): Promise<AuditKit> {
    const kit = auditKit();
    for (const [name, size] of [
      ['a', 1e6],
      ['b', 4_000],
      ['c', 1e6],
    ] as const) {
      const log = kit.open({ maximumFileBytes: size });
      await makeCalls(log, 20, name);
      await log.close('x');
      kit.clock.advance(60_000);
    }
    assert.ok(kit.files().length >= 5);
    return kit;
  }
  const found = async (kit: AuditKit): Promise<string[]> => {
    const report = await verifyFolder(kit.folder, { key: auditDigest });
    return [...report.findings, ...report.files.flatMap((file) => file.findings)].map(short);
  };

  it('are one chain per session, through all of its files', async () => {
    const kit = await folder();
    const report = await verifyFolder(kit.folder, { key: auditDigest });
    assert.deepEqual([report.intact, report.findings, report.openCalls], [true, [], []]);
    assert.deepEqual(
      report.files.map((file) => basename(file.path)),
      kit.files(),
    );
    assert.equal(
      report.files.reduce((sum, file) => sum + file.records, 0),
      kit.lines().length,
    );
    await kit.end();
  });

  it('are missed when they are gone', async () => {
    for (const index of [0, 1, 2]) {
      const kit = await folder();
      const file = kit.files()[index] ?? '';
      rmSync(kit.path(file));
      const report = await verifyFolder(kit.folder, { key: auditDigest });
      assert.deepEqual(
        report.findings.map((finding) => [finding.kind, 'file' in finding && finding.file]),
        [['missingFile', file]],
      );
      await kit.end();
    }
  });

  it('are known to one another, so that a forger would have to change them all', async () => {
    const kit = await folder();
    const file = kit.files()[0] ?? '';
    const lines = kit.lines(file);
    const forged = reforged(lines, 3, evil);
    writeFileSync(kit.path(file), text(forged));
    rmSync(kit.path(file.replace('.jsonl', '.head')));
    const all = await found(kit);
    assert.ok(all.filter((one) => one === `rewritten ${lines.length}`).length >= 2, all.join());
    await kit.end();
  });

  describe('against a hash that was noted elsewhere', () => {
    /** The folder, the line that each session would have copied when it ended, and the sessions' files. */
    async function noted(): Promise<{ kit: AuditKit; lines: readonly string[]; sessions: string[][] }> {
      const kit = await folder();
      const sessions = Map.groupBy(kit.files(), (file) => file.split('-')[2] ?? '');
      const lines = [...sessions].map(([sessionId, files]) => {
        const last = JSON.parse(kit.lines(files.at(-1)).at(-1) ?? '') as { seq: number; hash: string };
        return formatEnd(sessionId, last).text;
      });
      return { kit, lines, sessions: [...sessions.values()] };
    }
    const check = async (kit: AuditKit, text: string): Promise<readonly [boolean, string[]]> => {
      const report = await verifyFolder(kit.folder, { key: auditDigest, noted: readNotedEnds(text) });
      return [
        report.intact,
        [...report.findings, ...report.files.flatMap((file) => file.findings)].map(short),
      ];
    };

    it('it is whole, whichever session and file the hash belongs to', async () => {
      const { kit, lines, sessions } = await noted();
      assert.equal(lines.length, 3);
      assert.deepEqual(await check(kit, lines.join('\n')), [true, []]);
      for (const file of sessions[1] ?? []) {
        const middle = JSON.parse(kit.lines(file)[1] ?? '') as { seq: number; hash: string };
        const text = formatEnd(file.split('-')[2] ?? '', middle).text;
        assert.deepEqual(await check(kit, text), [true, []]);
        const other = text.replace(/hash (.)/, (_all, first) => `hash ${first === 'A' ? 'B' : 'A'}`);
        assert.deepEqual(await check(kit, other), [false, [`rewritten ${middle.seq}`]]);
      }
      await kit.end();
    });

    it('a report of an earlier check serves as well', async () => {
      const { kit } = await noted();
      const text = verifyDocument(await verifyFolder(kit.folder), '2026-05-01T12:00:00.000Z');
      assert.equal(readNotedEnds(text).length, kit.files().length);
      assert.deepEqual(await check(kit, text), [true, []]);
      await kit.end();
    });

    it('not even a forger who rewrites every file of the folder gets by', async () => {
      const { kit, lines } = await noted();
      const file = kit.files()[0] ?? '';
      const forged = reforged(kit.lines(file), 3, evil);
      for (const each of kit.files().slice(1)) rmSync(kit.path(each));
      for (const each of kit.files()) rmSync(kit.path(each.replace('.jsonl', '.head')));
      writeFileSync(kit.path(file), text(forged));
      assert.equal((await verifyFolder(kit.folder)).intact, true);
      const [intact, findings] = await check(kit, lines.join(' '));
      assert.equal(intact, false);
      assert.ok(
        findings.some((finding) => finding.startsWith('rewritten')),
        findings.join(),
      );
      assert.equal(findings.filter((finding) => finding === 'missingSession').length, 2);
      await kit.end();
    });

    it('a session that was deleted on record is no damage', async () => {
      const { kit, lines } = await noted();
      const log = kit.open();
      await makeCalls(log, 1, 'd');
      await deleteHistory(log);
      const [intact, findings] = await check(kit, lines.join('\n'));
      assert.deepEqual([intact, new Set(findings)], [true, new Set(['deletedSession'])]);
      await kit.end();
    });

    const none = [
      '',
      'hash',
      'Record of session abc ends with 1, hash x',
      formatEnd('0123456789ab', { seq: 1, hash: 'x'.repeat(44) }).text,
    ];
    for (const text of none)
      it(`nothing is read out of ${JSON.stringify(text)}`, () => assert.deepEqual(readNotedEnds(text), []));
  });

  it('are told apart when one takes the place of another', async () => {
    const kit = await folder();
    const [first = '', second = ''] = kit.files();
    for (const end of ['.jsonl', '.head']) {
      renameSync(kit.path(first.replace('.jsonl', end)), kit.path('x'));
      renameSync(kit.path(second.replace('.jsonl', end)), kit.path(first.replace('.jsonl', end)));
      renameSync(kit.path('x'), kit.path(second.replace('.jsonl', end)));
    }
    const all = await found(kit);
    assert.ok(all.filter((one) => one.startsWith('wrongStart')).length >= 2, all.join());
    await kit.end();
  });

  it('may belong to windows that write at the same time, each its own', async () => {
    const kit = auditKit();
    const logs = [kit.open(), kit.open(), kit.open()];
    await Promise.all(logs.map((log, index) => makeCalls(log, 30, `w${index}-`)));
    assert.equal(new Set(logs.map((log) => log.path)).size, 3);
    for (const log of logs) {
      const calls = kit
        .lines(basename(log.path ?? ''))
        .map((line) => (JSON.parse(line) as JsonObject)['callId']);
      const own = `w${logs.indexOf(log)}-`;
      assert.ok(
        calls.every(
          (callId) => callId === undefined || (typeof callId === 'string' && callId.startsWith(own)),
        ),
      );
    }
    assert.equal((await verifyFolder(kit.folder, { key: auditDigest })).intact, true);
    await kit.end();
  });
});

describe('an outcome in the next file', () => {
  it('closes the call', async () => {
    const kit = auditKit();
    const log = kit.open({ maximumFileBytes: 1 });
    const of = subject('c1');
    await log.intent(intent(of), { personDecided: false });
    log.record(result(of));
    await log.close('x');
    assert.equal(kit.files().length, 2);
    const report = await verifyFolder(kit.folder);
    assert.deepEqual([report.intact, report.openCalls], [true, []]);
    await kit.end();
  });
});
