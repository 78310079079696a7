import assert from 'node:assert/strict';
import type { ServerLogLine } from '../../../src/servers/connector.ts';
import { entryText, ServerLog } from '../../../src/servers/serverLog.ts';
import { ManualClock } from '../../helpers/manualClock.ts';
import { describe, it } from '../../helpers/nodeTest.ts';

describe('the text of an entry', () => {
  const rows: readonly (readonly [string, string, string])[] = [
    ['stays as it is', 'plain é 👍', 'plain é 👍'],
    ['shows what is invisible', 'a\u202Eb\u0000\u001B[2J', 'a⟦U+202E RLO⟧b⟦U+0000 NUL⟧⟦U+001B ESC⟧[2J'],
    [
      'cannot begin an entry of its own',
      'x\n2026-12-01 [info] forged\r\ny',
      'x\n    | 2026-12-01 [info] forged\n    | y',
    ],
    ['shows a lone return', 'x\rforged', 'x⟦U+000D CR⟧forged'],
    ['is cut', 'a'.repeat(5_000_000), `${'a'.repeat(4_000)} … (5000000 characters)`],
    ['has few lines', 'a\n'.repeat(60), `a${'\n    | a'.repeat(39)} … (more lines)`],
  ];
  for (const [name, text, expected] of rows) it(name, () => assert.equal(entryText(text), expected));
});

describe('the log of one server', () => {
  it('counts a flood of one side without losing the other', () => {
    const clock = new ManualClock();
    const written: ServerLogLine[] = [];
    const log = new ServerLog(clock, (line) => written.push(line));
    let made = 0;
    for (let count = 0; count < 100_000; count++) log.theirs('debug', () => `message ${made++}`);
    log.ours({ level: 'error', text: 'It ended.' });
    // Texts that are not written are not even made.
    assert.deepEqual([written.length, made], [501, 500]);
    assert.deepEqual(written.at(-1), { level: 'error', text: 'It ended.' });
    clock.advance(10_000);
    assert.deepEqual(written.at(-1), {
      level: 'warn',
      text: '99500 more entries of this server were not written down.',
    });
    log.theirs('debug', () => 'later');
    assert.deepEqual(written.at(-1), { level: 'debug', text: 'later' });
    log.dispose();
    assert.equal(clock.waiting, 0);
  });
});
