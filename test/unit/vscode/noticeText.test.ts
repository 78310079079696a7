import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { noticeText } from '../../../src/vscode/noticeText.ts';
import { pickText } from '../../../src/vscode/pickText.ts';

// What the editor takes for a link in a notification (microsoft/vscode, `parseLinkedText`).
const link = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;

const texts = [
  '[Allow](command:workbench.action.terminal.new)',
  'x [a](https://evil.example) y [b](file:///etc/passwd "title")',
  '[[a]](command:x)',
  '[a]\u200b(command:x)',
  '[a](COMMAND:x)',
];

for (const text of texts) {
  void test(`no link is left in a notification: ${JSON.stringify(text)}`, () => {
    assert.doesNotMatch(noticeText(text), link);
  });
}

void test('other text stays as it is, hidden characters are shown, and long text is cut', () => {
  assert.equal(noticeText('The server "a" (stdio) failed [1].'), 'The server "a" (stdio) failed [1].');
  assert.doesNotMatch(noticeText('a\u202eb'), /\u202e/);
  assert.equal(noticeText('x'.repeat(5000)).length, 1001);
});

// What the editor takes for an icon (microsoft/vscode, `labelWithIconsRegex`); behind a backslash it is text.
const icon = /(?<!\\)\$\([A-Za-z0-9-]+(?:~[A-Za-z]+)?\)/;

for (const text of ['$(check)', 'a $(verified-filled) b$(x~spin)', '$($(check)', '$\u200b(check)']) {
  void test(`no icon is left in a list to choose from: ${JSON.stringify(text)}`, () => {
    assert.doesNotMatch(pickText(text), icon);
  });
}

const alone: readonly (readonly [string, RegExp, string])[] = [
  ['notifications are', /\bshow(Error|Warning|Information)Message\b/, 'notices.ts'],
  ['words in the status bar are', /\bsetStatusBarMessage\b/, 'notices.ts'],
  ['lists to choose from are', /\b(showQuickPick|createQuickPick)\b/, 'pick.ts'],
];
for (const [what, pattern, module] of alone) {
  void test(`${what} shown by one module only`, () => {
    const source = path.resolve(import.meta.dirname, '../../../src');
    const callers = globSync('**/*.ts', { cwd: source }).filter((file) =>
      pattern.test(readFileSync(path.join(source, file), 'utf8')),
    );
    assert.deepEqual(callers, [path.join('vscode', module)]);
  });
}
