import assert from 'node:assert/strict';
import { describe, it } from '../../helpers/nodeTest.ts';
import * as fc from 'fast-check';
import { NameRegistry } from '../../../src/tools/nameRegistry.ts';
import { modelName, oddNameReason, type ToolKey } from '../../../src/tools/toolNames.ts';

/** The names of tools that came in this order. */
function modelNames(keys: readonly ToolKey[], ids: readonly string[]): string[] {
  const registry = new NameRegistry();
  registry.setIds(ids);
  const id = (key: ToolKey): string => JSON.stringify([key.serverId, key.toolName]);
  for (const key of keys) registry.add(id(key), key);
  return keys.map((key) => registry.nameOf(id(key)));
}

const rows: readonly {
  readonly title: string;
  readonly serverId: string;
  readonly toolName: string;
  readonly ids?: readonly string[];
  readonly name: string | RegExp;
}[] = [
  { title: 'plain', serverId: 'github', toolName: 'create_issue', name: 'github_create_issue' },
  { title: 'case is kept', serverId: 'GitHub', toolName: 'getUser', name: 'GitHub_getUser' },
  { title: 'hyphens', serverId: 'my-server', toolName: 'do-it', name: 'my-server_do-it' },
  { title: 'underscore in the id', serverId: 'my_server', toolName: 'echo', name: 'my_server_echo' },
  { title: 'dot', serverId: 's', toolName: 'a.b', name: /^s_a_b_[0-9a-f]{8}$/ },
  { title: 'space and slash', serverId: 's', toolName: 'a b/c', name: /^s_a_b_c_[0-9a-f]{8}$/ },
  { title: 'not ASCII', serverId: 's', toolName: 'größe', name: /^s_gr__e_[0-9a-f]{8}$/ },
  { title: 'half a surrogate pair', serverId: 's', toolName: '\ud83d', name: /^s___[0-9a-f]{8}$/ },
  { title: 'exactly 64', serverId: 's', toolName: 'x'.repeat(62), name: `s_${'x'.repeat(62)}` },
  { title: '65', serverId: 's', toolName: 'x'.repeat(63), name: /^s_x{53}_[0-9a-f]{8}$/ },
  { title: 'empty name', serverId: 's', toolName: '', name: /^s__[0-9a-f]{8}$/ },
  { title: 'scoped package as id', serverId: '@a/b', toolName: 't', name: /^_a_b_t_[0-9a-f]{8}$/ },
  {
    title: 'looks like a hashed name',
    serverId: 's',
    toolName: 't_deadbeef',
    name: /^s_t_deadbeef_[0-9a-f]{8}$/,
  },
  { title: 'our own tool', serverId: 'call', toolName: 'tool', name: /^call_tool_[0-9a-f]{8}$/ },
  {
    title: 'another id is a longer beginning',
    serverId: 'my',
    toolName: 'server_echo',
    ids: ['my', 'my_server'],
    name: /^my_server_echo_[0-9a-f]{8}$/,
  },
  {
    title: 'the longer id keeps the plain name',
    serverId: 'my_server',
    toolName: 'echo',
    ids: ['my', 'my_server'],
    name: 'my_server_echo',
  },
];

describe('modelName', () => {
  for (const row of rows) {
    it(row.title, () => {
      const name = modelName(row, row.ids ?? [row.serverId]);
      if (typeof row.name === 'string') assert.equal(name, row.name);
      else assert.match(name, row.name);
    });
  }

  it('is short, clean and unique for any keys, whatever their order', () => {
    const part = fc.oneof(
      fc.string({ unit: fc.constantFrom('a', 'b', '_', '-'), maxLength: 4 }),
      fc.string({ unit: 'binary', maxLength: 90 }),
      fc.constantFrom('search', 'tools', '__proto__', 'constructor', 'read', 'result'),
    );
    const key = fc.record({ serverId: part, toolName: part });
    const keys = fc.uniqueArray(key, {
      selector: ({ serverId, toolName }) => JSON.stringify([serverId, toolName]),
      maxLength: 30,
    });
    fc.assert(
      fc.property(keys, (list) => {
        const ids = [...new Set(list.map((item) => item.serverId))];
        const names = modelNames(list, ids);
        assert.equal(new Set(names).size, list.length);
        for (const name of names) assert.match(name, /^[A-Za-z0-9_-]{1,64}$/);
        assert.deepEqual(modelNames(list.toReversed(), ids.toReversed()).toReversed(), names);
      }),
    );
  });

  it('does not depend on which other tools there are', () => {
    const ids = ['a', 'a_b'];
    const alone = modelNames([{ serverId: 'a', toolName: 'b_c' }], ids);
    const both = modelNames(
      [
        { serverId: 'a_b', toolName: 'c' },
        { serverId: 'a', toolName: 'b_c' },
      ],
      ids,
    );
    assert.equal(both[1], alone[0]);
  });
});

describe('NameRegistry', () => {
  it('gives long names to tools that share a short hash, for as long as they do', () => {
    const [one, other] = collision();
    const registry = new NameRegistry();
    const key = ({ toolName }: ToolKey): string => toolName;
    registry.add(key(one), one);
    const alone = registry.nameOf(key(one));
    const touched = registry.add(key(other), other);
    const both = [registry.nameOf(key(one)), registry.nameOf(key(other))];
    assert.deepEqual([...touched].sort(), [key(one), key(other)].sort());
    assert.notEqual(both[0], both[1]);
    for (const name of both) assert.match(name, /^s____[0-9a-f]{32}$/);
    assert.deepEqual([...registry.remove(key(other))], [key(one)]);
    assert.equal(registry.nameOf(key(one)), alone);
  });
});

/** Two tools of one server whose short names are the same: among 300,000 there is nearly always such a pair. */
function collision(): [ToolKey, ToolKey] {
  const seen = new Map<string, ToolKey>();
  for (let number = 0; number < 1_000_000; number += 1) {
    const toolName = String.fromCharCode(0x4e00 + (number % 5000), 0x4e00 + Math.floor(number / 5000));
    const tool = { serverId: 's', toolName };
    const name = modelName(tool, []);
    const before = seen.get(name);
    if (before !== undefined) return [before, tool];
    seen.set(name, tool);
  }
  throw new Error('No pair was found.');
}

describe('oddNameReason', () => {
  const table: readonly (readonly [string, string | undefined])[] = [
    ['getUser', undefined],
    ['DATA_EXPORT_v2', undefined],
    ['admin.tools.list', undefined],
    ['x'.repeat(128), undefined],
    ['x'.repeat(129), 'The name has 129 characters; the specification allows 128.'],
    ['', 'The name is empty.'],
    ['a b', 'The name contains U+0020; the specification allows letters, digits, "_", "-" and ".".'],
    ['a😀', 'The name contains U+1F600; the specification allows letters, digits, "_", "-" and ".".'],
  ];
  for (const [name, reason] of table) {
    it(JSON.stringify(name.slice(0, 20)), () => assert.equal(oddNameReason(name), reason));
  }
});
