import assert from 'node:assert/strict';
import { searchText, toolsText } from '../../../src/vscode/treeText.ts';
import { it } from '../../helpers/nodeTest.ts';

const usable = { enabled: true, state: { kind: 'usable' }, tokens: 600 } as const;
const off = { ...usable, enabled: false };
const aside = { enabled: true, state: { kind: 'setAside', reason: 'why' }, tokens: 0 } as const;

for (const [entries, expected] of [
  [[], '0 tools, ~0 tokens'],
  [[usable], '1 tool, ~600 tokens'],
  [[usable, usable, off], '3 tools, ~1.2k tokens'],
  [[usable, aside, aside], '1 tool, ~600 tokens, 2 set aside'],
] as const) {
  it(`the row of a server says: ${expected}`, () => assert.equal(toolsText(entries), expected));
}

const unlisted = { ...usable, tokens: 0 };
for (const [title, entries, expected] of [
  ['as many as fit', [usable, usable, usable, off, aside, unlisted], ''],
  [
    'too many',
    [usable, usable, usable, usable],
    'Models search the 4 tools instead of getting a list, because they are more than 3. To have them listed, uncheck some or raise the setting countersign.toolLimit.',
  ],
  ['none', [], ''],
] as const) {
  it(`above the tools: ${title}`, () => assert.equal(searchText(entries, 4), expected));
}
