import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AuditEvent } from '../../../src/audit/events.ts';
import type { CallEntry, HistoryFilter } from '../../../src/audit/history/callEntry.ts';
import { HistoryReader } from '../../../src/audit/history/historyReader.ts';
import { readCall } from '../../../src/audit/history/readCall.ts';
import { ReverseLines } from '../../../src/audit/history/reverseLines.ts';
import { digest } from '../../../src/base/canonicalJson.ts';
import { type AuditKit, auditKit, intent, makeCalls, result, subject } from '../../helpers/auditKit.ts';
import { describe, it } from '../../helpers/nodeTest.ts';

async function all(folder: string, filter: HistoryFilter = {}, count = 7): Promise<CallEntry[]> {
  const reader = new HistoryReader(folder, filter);
  const entries: CallEntry[] = [];
  for (;;) {
    const page = await reader.next(count);
    entries.push(...page.entries);
    assert.ok(page.entries.length <= count);
    if (page.ended) return entries;
  }
}
const ids = (entries: readonly CallEntry[]): string[] => entries.map((entry) => entry.callId);

const askedBy = { kind: 'person', promptId: 'p1' } as const;
const ask = { outcome: 'ask', by: { kind: 'default' } } as const;

/** One call of every kind, a second apart; the name says how it ends. */
async function everyKind(kit: AuditKit): Promise<void> {
  const log = kit.open();
  const calls: Readonly<Record<string, readonly AuditEvent[]>> = {
    ok: [intent(subject('ok')), result(subject('ok'), 'Grüße "aus" Köln')],
    toolError: [
      intent(subject('toolError', 'write', 'files')),
      result(subject('toolError', 'write', 'files'), 'no', true),
    ],
    failed: [
      intent(subject('failed')),
      {
        kind: 'error',
        ...subject('failed'),
        source: 'host',
        code: 'timeout',
        message: 'No answer in time.',
        durationMs: 9,
      },
    ],
    denied: [
      { kind: 'decision', ...subject('denied'), decision: ask },
      { kind: 'promptShown', ...subject('denied'), promptId: 'p1', purpose: 'approval', digest: 'd' },
      {
        kind: 'decision',
        ...subject('denied'),
        decision: { outcome: 'deny', by: askedBy, reason: 'too risky' },
        arguments: { path: '/etc' },
        digest: digest({ path: '/etc' }),
      },
    ],
    edited: [
      {
        kind: 'argumentsEdited',
        ...subject('edited'),
        promptId: 'p1',
        before: { a: 1 },
        after: { a: 2 },
        beforeDigest: 'x',
        afterDigest: 'y',
      },
      { ...intent(subject('edited'), { a: 2 }), decision: { outcome: 'allow', by: askedBy } },
      result(subject('edited')),
      { kind: 'resultWithheld', ...subject('edited'), promptId: 'p2' },
    ],
    refused: [{ kind: 'callRefused', ...subject('refused'), stage: 'schema', message: 'path is missing' }],
    cancelled: [intent(subject('cancelled')), { kind: 'cancelled', ...subject('cancelled'), by: 'caller' }],
    unanswered: [intent({ ...subject('unanswered'), caller: { kind: 'bridge', label: 'agent' } })],
    open: [{ kind: 'promptShown', ...subject('open'), promptId: 'p', purpose: 'approval', digest: 'd' }],
  };
  for (const events of Object.values(calls)) {
    for (const event of events) log.record(event);
    kit.clock.advance(1_000);
  }
  log.record({ kind: 'serverStopped', serverId: 'everything', reason: 'Köln' });
  await log.sync();
}

describe('the history of calls', () => {
  it('tells of each call what it was and how it ended', async () => {
    const kit = auditKit();
    await everyKind(kit);
    const entries = await all(kit.folder);
    assert.deepEqual(
      entries.map(({ callId, end, decidedBy, reason, edited, withheld, durationMs, preview }) => [
        callId,
        end,
        decidedBy,
        reason,
        edited,
        withheld,
        durationMs,
        preview,
      ]),
      [
        ['open', 'open', undefined, undefined, false, false, undefined, ''],
        ['unanswered', 'unanswered', 'rule', undefined, false, false, undefined, '{"message":"hello"}'],
        ['cancelled', 'cancelled', 'rule', undefined, false, false, undefined, '{"message":"hello"}'],
        ['refused', 'refused', undefined, 'path is missing', false, false, undefined, ''],
        ['edited', 'ok', 'person', undefined, true, true, 5, '{"a":2}'],
        ['denied', 'denied', 'person', 'too risky', false, false, undefined, '{"path":"/etc"}'],
        ['failed', 'failed', 'rule', 'No answer in time.', false, false, 9, '{"message":"hello"}'],
        ['toolError', 'toolError', 'rule', undefined, false, false, 5, '{"message":"hello"}'],
        ['ok', 'ok', 'rule', undefined, false, false, 5, '{"message":"hello"}'],
      ],
    );
    const { records: _records, sessionId: _session, ...last } = entries.at(-1) ?? assert.fail('none');
    assert.deepEqual(last, {
      callId: 'ok',
      time: new Date(1_700_000_000_000).toISOString(),
      callerKind: 'chat',
      callerLabel: 'model',
      serverId: 'everything',
      tool: 'echo',
      end: 'ok',
      decidedBy: 'rule',
      reason: undefined,
      edited: false,
      withheld: false,
      durationMs: 5,
      bytes: Buffer.byteLength(JSON.stringify(result(subject('ok'), 'Grüße "aus" Köln').result)),
      preview: '{"message":"hello"}',
    });
    await kit.end();
  });

  const second = (number: number): number => 1_700_000_000_000 + number * 1_000;
  const filters: readonly (readonly [HistoryFilter, ...ids: string[]])[] = [
    [{ server: 'files' }, 'toolError'],
    [{ server: 'file' }],
    [{ tool: 'write' }, 'toolError'],
    [{ server: 'everything', tool: 'write' }],
    [{ callerKind: 'bridge' }, 'unanswered'],
    [{ ends: ['denied', 'refused'] }, 'refused', 'denied'],
    [{ ends: [] }],
    [{ decidedBy: ['person'] }, 'edited', 'denied'],
    [{ from: second(6), to: second(7) }, 'unanswered', 'cancelled'],
    [{ from: second(100) }],
    [{ to: second(0) }, 'ok'],
    [{ text: 'köln' }, 'ok'],
    [{ text: 'KÖLN' }, 'ok'],
    [{ text: '"AUS"' }, 'ok'],
    [{ text: 'too RISKY' }, 'denied'],
    [{ text: '/etc' }, 'denied'],
    [{ text: 'agent' }, 'unanswered'],
    [{ text: 'seq' }],
    [{ text: 'prev' }],
    [{ text: 'hello', ends: ['toolError'] }, 'toolError'],
    [
      { text: '' },
      'open',
      'unanswered',
      'cancelled',
      'refused',
      'edited',
      'denied',
      'failed',
      'toolError',
      'ok',
    ],
  ];
  it('can be filtered', async () => {
    const kit = auditKit();
    await everyKind(kit);
    for (const [filter, ...expected] of filters) {
      assert.deepEqual(ids(await all(kit.folder, filter)), expected, JSON.stringify(filter));
    }
    await kit.end();
  });

  it('is one for all sessions, the newest first', async () => {
    const kit = auditKit();
    const logs = [kit.open(), kit.open({ maximumFileBytes: 5_000 }), kit.open()];
    const expected: string[] = [];
    for (let round = 0; round < 30; round++) {
      const index = round % logs.length;
      await makeCalls(logs[index] ?? assert.fail(), 1, `r${round}-`);
      expected.unshift(`r${round}-1`);
      kit.clock.advance(1_000);
    }
    assert.deepEqual(ids(await all(kit.folder, {}, 4)), expected);
    assert.deepEqual(ids(await all(kit.folder, {}, 1_000)), expected);
    await kit.end();
  });

  it('puts a long call where it began, and takes parallel calls apart', async () => {
    const kit = auditKit();
    const log = kit.open({ maximumFileBytes: 20_000 });
    log.record(intent(subject('long')));
    for (let index = 0; index < 40; index++) {
      kit.clock.advance(10);
      log.record(intent(subject(`a${index}`)));
      log.record(intent(subject(`b${index}`)));
      await log.sync();
      log.record(result(subject(`b${index}`)));
      log.record(result(subject(`a${index}`)));
    }
    log.record(result(subject('long')));
    await log.sync();
    const entries = await all(kit.folder);
    const expected = Array.from({ length: 40 }, (_, index) => [`b${39 - index}`, `a${39 - index}`]).flat();
    assert.deepEqual(ids(entries), [...expected, 'long']);
    assert.deepEqual([...new Set(entries.map((entry) => entry.end))], ['ok']);
    await kit.end();
  });

  it('reads only as much as it shows', async () => {
    const kit = auditKit();
    const log = kit.open();
    await makeCalls(log, 3_000);
    const reader = new HistoryReader(kit.folder);
    const first = await reader.next(50);
    assert.deepEqual([first.entries.length, first.ended], [50, false]);
    assert.ok(first.scanned < 1_000, `${first.scanned}`);
    const entries = await all(kit.folder, {}, 500);
    assert.deepEqual([entries.length, new Set(ids(entries)).size], [3_000, 3_000]);
    assert.deepEqual(ids(await all(kit.folder, { text: 'hello 17"' })), []);
    assert.deepEqual(ids(await all(kit.folder, { text: 'hello 2999' })), ['c2999']);
    await kit.end();
  });

  it('comes back with what it has when there is no time for more', async () => {
    const kit = auditKit();
    await makeCalls(kit.open(), 2_000);
    const reader = new HistoryReader(kit.folder, { text: 'nothing like this' });
    const page = await reader.next(10, { budgetMs: 0 });
    assert.deepEqual([page.entries, page.ended], [[], false]);
    assert.deepEqual((await reader.next(10)).ended, true);
    const stopped = new HistoryReader(kit.folder).next(10, {
      signal: AbortSignal.abort(new Error('enough')),
    });
    await assert.rejects(stopped, /enough/);
    await kit.end();
  });

  it('takes what is damaged, torn, half deleted or foreign as it is', async () => {
    const kit = auditKit();
    const log = kit.open({ maximumFileBytes: 3_000 });
    log.record(intent(subject('split')));
    await makeCalls(log, 8);
    log.record(result(subject('split')));
    await log.close('x');
    const [oldest = '', second = ''] = kit.files();
    rmSync(kit.path(oldest));
    const lines = kit.lines(second);
    writeFileSync(
      kit.path(second),
      [...lines.slice(0, 2), 'junk', '', '{"v":1}', ...lines.slice(2)].join('\n'),
    );
    appendFileSync(kit.path(kit.files().at(-1) ?? ''), '{"v":1,"seq":99,"ti');
    writeFileSync(kit.path('journal-20200101T000000Z-000000000000-0001.jsonl'), Buffer.alloc(5_000));
    writeFileSync(kit.path('notes.txt'), 'x');
    const entries = await all(kit.folder);
    assert.ok(entries.length >= 5);
    // Its beginning was deleted; its end is still told.
    const split = entries.find((entry) => entry.callId === 'split');
    assert.deepEqual([split?.end, split?.preview], ['ok', '']);
    await kit.end();
  });
});

describe('one call', () => {
  it('is read again whole, and says whether its arguments are exact', async () => {
    const kit = auditKit();
    const log = kit.open();
    const long = 'x'.repeat(7_000);
    for (const [id, args] of [
      ['plain', { text: long }],
      ['secret', { token: 'abc' }],
    ] as const) {
      log.record(intent(subject(id), args));
      log.record({
        kind: 'messageTraced',
        ...subject(id),
        direction: 'sent',
        message: { method: 'tools/call' },
      });
      log.record(result(subject(id), 'fine'));
    }
    await log.sync();
    const details = await Promise.all(
      (await all(kit.folder)).map((entry) =>
        readCall(kit.folder, entry, (args, stored) => log.areExact(args, stored)),
      ),
    );
    assert.deepEqual(
      details.map(({ entry, argumentsExact, records, messages, result: given }) => [
        entry.callId,
        argumentsExact,
        records.map((record) => record.kind),
        messages,
        given,
      ]),
      ['secret', 'plain'].map((id) => [
        id,
        id === 'plain',
        ['intent', 'messageTraced', 'result'],
        [{ direction: 'sent', message: { method: 'tools/call' } }],
        { content: [{ type: 'text', text: 'fine' }], isError: false },
      ]),
    );
    assert.deepEqual(details[1]?.arguments, { text: long });
    await kit.end();
  });
});

describe('reading lines backwards', () => {
  it('finds the same lines as reading forwards, whatever their lengths', async () => {
    const kit = auditKit();
    await makeCalls(kit.open(), 1);
    const lengths = [0, 1, 300_000, 5, 0, 262_144, 262_143, 262_145, 700_000, 3];
    for (const ending of ['\n', '', 'tail']) {
      const lines = lengths.map((length, index) => String(index).repeat(length));
      const path = kit.path('lines.txt');
      writeFileSync(path, `${lines.join('\n')}${ending}`);
      const reader = new ReverseLines(path);
      const found: string[] = [];
      for (let block = await reader.next(); block !== undefined; block = await reader.next()) {
        for (const { bytes, offset } of block) {
          assert.deepEqual(bytes, readFileSync(path).subarray(offset, offset + bytes.length));
          found.push(bytes.toString());
        }
      }
      const forwards = readFileSync(path, 'utf8')
        .split('\n')
        .filter((line) => line !== '');
      assert.deepEqual(
        found.toReversed().map((line) => line.length),
        forwards.map((line) => line.length),
      );
      assert.deepEqual(found.toReversed(), forwards);
    }
    await kit.end();
  });
});
