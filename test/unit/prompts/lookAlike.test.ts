import assert from 'node:assert/strict';
import { LookAlikeIndex, skeleton } from '../../../src/prompts/lookAlike.ts';
import { mixedScripts } from '../../../src/prompts/scripts.ts';
import { describe, it } from '../../helpers/nodeTest.ts';

describe('skeleton', () => {
  const same: readonly (readonly [string, string])[] = [
    ['create_issue', 'create-issue'],
    ['create_issue', 'createIssue'],
    ['create_issue', 'сreate_issue'],
    ['create_issue', 'create_\u200Bissue'],
    ['create_issue', 'ｃｒｅａｔｅ＿issue'],
    ['create_issue', 'create_íssue'],
    ['paypal', 'paypaI'],
    ['paypal', 'ραypal'],
    ['google', 'g00gle'],
    ['modern', 'modem'],
    ['HELP', 'НЕLР'],
    ['𝗀𝗂𝗍𝗁𝗎𝖻', 'github'],
  ];
  for (const [left, right] of same) {
    it(`${left} looks like ${right}`, () => assert.equal(skeleton(left), skeleton(right)));
  }
  for (const [left, right] of [
    ['create_issue', 'create_issues'],
    ['get', 'set'],
    ['read', 'lead'],
  ] as const) {
    it(`${left} does not look like ${right}`, () => assert.notEqual(skeleton(left), skeleton(right)));
  }
});

describe('LookAlikeIndex', () => {
  const index = new LookAlikeIndex([
    { serverId: 'github', toolName: 'search' },
    { serverId: 'github', toolName: 'create_issue' },
    { serverId: 'github', toolName: 'create_issues' },
    { serverId: 'githud', toolName: 'other' },
    { serverId: 'ghithub', toolName: 'other2' },
    { serverId: 'gtihub', toolName: 'other3' },
    { serverId: 'gіthub', toolName: 'search' },
    { serverId: 'files', toolName: 'create_lssue' },
    { serverId: 'fs', toolName: 'x' },
    { serverId: 'gs', toolName: 'y' },
  ]);
  it('finds servers that are nearly called the same', () => {
    assert.deepEqual(index.find({ serverId: 'github', toolName: 'new' }), [
      { kind: 'server', serverId: 'githud' },
      { kind: 'server', serverId: 'ghithub' },
      { kind: 'server', serverId: 'gtihub' },
      { kind: 'server', serverId: 'gіthub' },
    ]);
  });
  it('finds tools that look alike, and those with the same name elsewhere', () => {
    const tools = (serverId: string, toolName: string): unknown =>
      index.find({ serverId, toolName }).filter(({ kind }) => kind !== 'server');
    assert.deepEqual(tools('github', 'create_issue'), [
      { kind: 'tool', serverId: 'files', toolName: 'create_lssue' },
    ]);
    assert.deepEqual(tools('github', 'search'), [
      { kind: 'sameTool', serverId: 'gіthub', toolName: 'search' },
    ]);
  });
  it('leaves short names alone unless they look the same', () => {
    assert.deepEqual(index.find({ serverId: 'fs', toolName: 'x' }), []);
  });
});

describe('mixedScripts', () => {
  for (const [text, scripts] of [
    ['search', []],
    ['поиск', []],
    ['seаrch', ['Latin', 'Cyrillic']],
    ['αbc', ['Latin', 'Greek']],
    ['検索search', []],
    ['123_-', []],
  ] as const) {
    it(`${text}: ${scripts.join('+') || 'none'}`, () => assert.deepEqual(mixedScripts(text), scripts));
  }
});
