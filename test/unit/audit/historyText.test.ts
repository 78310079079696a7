import assert from 'node:assert/strict';
import type { CallEntry, HistoryFilter } from '../../../src/audit/history/callEntry.ts';
import { durationText, entryRow, timeText } from '../../../src/audit/history/entryText.ts';
import { filterText, isEmptyFilter, parseWhen } from '../../../src/audit/history/filterText.ts';
import { code, fence } from '../../../src/audit/history/markdown.ts';
import { describe, it } from '../../helpers/nodeTest.ts';

const local = (...parts: [number, number, number, number?, number?, number?]): Date => {
  const [year, month, day, hour = 0, minute = 0, second = 0] = parts;
  return new Date(year, month - 1, day, hour, minute, second);
};
const time = local(2026, 5, 4, 9, 8, 7);
const sameDay = local(2026, 5, 4, 23, 59).getTime();

const entry: CallEntry = {
  sessionId: '0123456789ab',
  callId: 'c1',
  time: time.toISOString(),
  callerKind: 'chat',
  callerLabel: 'Model',
  serverId: 'github',
  tool: 'create_issue',
  end: 'ok',
  decidedBy: 'person',
  reason: undefined,
  edited: false,
  withheld: false,
  durationMs: 12.4,
  bytes: 90,
  preview: '{"title":"a"}',
  records: [],
};

describe('a row of the history', () => {
  it('says what, where, how it ended, when, and with what', () => {
    assert.deepEqual(entryRow(entry, sameDay), {
      label: 'create_issue',
      description: 'github · OK in 12 ms · 09:08:07 · {"title":"a"}',
      tooltip:
        'github · create_issue\nOK in 12 ms. The server answered.\n2026-05-04 09:08:07, asked by chat (Model)\nDecided by a person\n{"title":"a"}',
      spoken: 'create_issue of github, OK in 12 ms, 09:08:07',
    });
  });

  const rows: readonly [name: string, change: Partial<CallEntry>, description: string][] = [
    ['denied', { end: 'denied', durationMs: undefined }, 'github · Denied · 09:08:07 · {"title":"a"}'],
    ['no arguments', { preview: '{}' }, 'github · OK in 12 ms · 09:08:07'],
    ['nothing on record', { preview: '' }, 'github · OK in 12 ms · 09:08:07'],
    [
      'edited and withheld',
      { edited: true, withheld: true, preview: '' },
      'github · OK in 12 ms, edited, withheld · 09:08:07',
    ],
    [
      'a server that forges lines and turns text around',
      { serverId: 'a\nb\u202Ec', preview: '' },
      'a⟦U+000A LF⟧b⟦U+202E RLO⟧c · OK in 12 ms · 09:08:07',
    ],
    ['no server', { serverId: '', preview: '' }, '(no server) · OK in 12 ms · 09:08:07'],
    ['a time that is none', { time: 'soon\u0000', preview: '' }, 'github · OK in 12 ms · soon⟦U+0000 NUL⟧'],
  ];
  for (const [name, change, description] of rows) {
    it(`shows ${name}`, () =>
      assert.equal(entryRow({ ...entry, ...change }, sameDay).description, description));
  }

  it('names the day of older calls', () => {
    assert.equal(timeText(entry.time, local(2026, 5, 5).getTime()), '2026-05-04 09:08:07');
  });

  for (const [ms, text] of [
    [0.4, '0 ms'],
    [999, '999 ms'],
    [1_049, '1.0 s'],
    [59_940, '59.9 s'],
    [185_000, '3 min 5 s'],
  ] as const) {
    it(`${ms} ms are ${text}`, () => assert.equal(durationText(ms), text));
  }
});

describe('a filter in words', () => {
  const rows: readonly [HistoryFilter, string | undefined][] = [
    [{}, undefined],
    [{ server: 'github', tool: 'create_issue' }, 'server github · tool create_issue'],
    [{ ends: ['denied', 'failed'], decidedBy: ['person'] }, 'Denied or Failed · decided by a person'],
    [{ callerKind: 'bridge', text: 'a\nb' }, 'asked by bridge · "a⟦U+000A LF⟧b"'],
    [
      { from: local(2026, 5, 4).getTime(), to: local(2026, 5, 4, 12, 30, 5).getTime() },
      'since 2026-05-04 00:00 · until 2026-05-04 12:30:05',
    ],
  ];
  for (const [filter, text] of rows) {
    it(text ?? 'everything', () => {
      assert.equal(filterText(filter), text);
      assert.equal(isEmptyFilter(filter), text === undefined);
    });
  }
});

describe('a time as typed', () => {
  const day = local(2026, 12, 1).getTime();
  const rows: readonly [string, number | undefined, number | undefined][] = [
    ['2026-12-01', day, day + 86_399_999],
    [' 2026-12-1 ', day, day + 86_399_999],
    ['2026-12-01 14:30', day + 52_200_000, day + 52_259_999],
    ['2026-12-01T14:30:05', day + 52_205_000, day + 52_205_999],
    ['2026-02-30', undefined, undefined],
    ['2026-13-01', undefined, undefined],
    ['2026-12-01 24:00', undefined, undefined],
    ['2026-12-01 12:60', undefined, undefined],
    ['yesterday', undefined, undefined],
    ['', undefined, undefined],
  ];
  for (const [text, start, end] of rows) {
    it(JSON.stringify(text), () =>
      assert.deepEqual([parseWhen(text, false), parseWhen(text, true)], [start, end]),
    );
  }
});

describe('foreign text in Markdown', () => {
  const rows: readonly [string, string][] = [
    ['plain', '`plain`'],
    ['<img src=x>', '`<img src=x>`'],
    ['a`b', '``a`b``'],
    ['``', '``` `` ```'],
    [' a', '`  a `'],
    ['a\n# b', '`a⟦U+000A LF⟧# b`'],
    ['', '(empty)'],
  ];
  for (const [text, span] of rows) it(JSON.stringify(text), () => assert.equal(code(text), span));

  it('a block is longer than any fence within', () => {
    assert.equal(fence('json', 'a\n```\nb'), '````json\na\n```\nb\n````');
    assert.equal(fence('json', '1'), '```json\n1\n```');
  });
});
