import assert from 'node:assert/strict';
import { test } from 'node:test';
import { workspaceOverreach } from '../../../src/policy/workspaceOverreach.ts';

const reserved = new Set(['countersign.rules', 'countersign.trustedServers']);
const rows: readonly {
  readonly name: string;
  readonly text: string;
  readonly prefix?: readonly string[];
  readonly found: readonly string[];
}[] = [
  { name: 'none', text: '{"countersign.servers": {}, "editor.tabSize": 2}', found: [] },
  {
    name: 'two',
    text: '{"countersign.rules": [], "a": 1, "countersign.trustedServers": ["x"]}',
    found: ['countersign.rules', 'countersign.trustedServers'],
  },
  {
    name: 'with comments and a comma too many',
    text: '{ // hi\n "countersign.rules": [],\n}',
    found: ['countersign.rules'],
  },
  {
    name: 'written twice',
    text: '{"countersign.rules": 1, "countersign.rules": 2}',
    found: ['countersign.rules', 'countersign.rules'],
  },
  { name: 'with escapes', text: String.raw`{"countersign.\u0072ules": []}`, found: ['countersign.rules'] },
  {
    name: 'a value, not a key',
    text: '{"x": "countersign.rules", "y": {"countersign.rules": 1}}',
    found: [],
  },
  {
    name: 'workspace file',
    text: '{"folders": [], "settings": {"countersign.rules": []}}',
    prefix: ['settings'],
    found: ['countersign.rules'],
  },
  {
    name: 'workspace file, outside its settings',
    text: '{"countersign.rules": []}',
    prefix: ['settings'],
    found: [],
  },
  { name: 'half written', text: '{"countersign.rules": [', found: ['countersign.rules'] },
  { name: 'no object', text: '[1]', found: [] },
  { name: 'nothing', text: '', found: [] },
];

for (const { name, text, prefix, found } of rows) {
  void test(`settings that a workspace may not write: ${name}`, () => {
    const seen = workspaceOverreach(text, reserved, prefix);
    assert.deepEqual(
      seen.map(({ setting }) => setting),
      found,
    );
    for (const { setting, offset, length } of seen) {
      assert.equal(JSON.parse(text.slice(offset, offset + length)), setting);
    }
  });
}
