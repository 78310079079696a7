import assert from 'node:assert/strict';
import type { LogLevel, LogMessage } from '../../../src/protocol/model.ts';
import type { ServerLogLine } from '../../../src/servers/connector.ts';
import { entryLevel, levelToAsk, logText, type ShownLevel } from '../../../src/servers/followLog.ts';
import { describe, it } from '../../helpers/nodeTest.ts';

describe('what a server is asked to log', () => {
  // shown level → modern not asked yet, modern asked, legacy not asked yet, legacy asked
  const rows: readonly (readonly [ShownLevel, ...ReturnType<typeof levelToAsk>[]])[] = [
    ['trace', 'debug', 'debug', 'debug', 'debug'],
    ['debug', 'debug', 'debug', 'debug', 'debug'],
    ['info', 'keep', 'none', 'keep', 'info'],
    ['warn', 'keep', 'none', 'keep', 'warning'],
    ['error', 'keep', 'none', 'keep', 'error'],
    ['off', 'keep', 'none', 'keep', 'emergency'],
  ];
  for (const [shown, ...expected] of rows)
    it(`while its log is looked at with "${shown}"`, () => {
      assert.deepEqual(
        [
          levelToAsk(shown, 'modern', false),
          levelToAsk(shown, 'modern', true),
          levelToAsk(shown, 'legacy', false),
          levelToAsk(shown, 'legacy', true),
        ],
        expected,
      );
    });
});

describe('a log message as an entry', () => {
  const levels: readonly (readonly [LogLevel, ServerLogLine['level'], string])[] = [
    ['debug', 'debug', 'x'],
    ['info', 'info', 'x'],
    ['notice', 'info', 'notice: x'],
    ['warning', 'warn', 'x'],
    ['error', 'error', 'x'],
    ['critical', 'error', 'critical: x'],
    ['alert', 'error', 'alert: x'],
    ['emergency', 'error', 'emergency: x'],
  ];
  for (const [severity, level, text] of levels)
    it(`of severity "${severity}"`, () => {
      assert.deepEqual([entryLevel(severity), logText({ level: severity, data: 'x' })], [level, text]);
    });

  const texts: readonly (readonly [string, LogMessage, string])[] = [
    ['an object', { level: 'info', data: { a: [1, null] } }, '{"a":[1,null]}'],
    [
      'a list that is endless',
      { level: 'info', data: Array.from({ length: 1e6 }, () => 0) },
      `[${'0,'.repeat(5_000).slice(0, 9_999)}…`,
    ],
    ['nothing', { level: 'info', data: null }, 'null'],
    ['a logger', { level: 'info', logger: 'db', data: 'x' }, '[db] x'],
    ['an empty logger', { level: 'info', logger: '', data: 'x' }, 'x'],
    ['an endless logger', { level: 'info', logger: 'n'.repeat(9e6), data: 'x' }, `[${'n'.repeat(100)}] x`],
  ];
  for (const [what, message, text] of texts) it(`with ${what}`, () => assert.equal(logText(message), text));
});
