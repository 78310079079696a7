import assert from 'node:assert/strict';
import { toolsText } from '../../../src/vscode/treeText.ts';
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
