import assert from 'node:assert/strict';
import { describe, it } from '../../helpers/nodeTest.ts';
import { Catalogue, type CatalogueChange } from '../../../src/tools/catalogue.ts';
import { SchemaChecker } from '../../../src/tools/schemaChecker.ts';
import { makeTool, memoryStore } from './toolSamples.ts';

function summary(change: CatalogueChange): unknown {
  return {
    added: change.added.map((entry) => entry.modelName),
    changed: change.changed.map(({ after }) => after.modelName),
    removed: change.removed.map((entry) => entry.modelName),
  };
}

describe('Catalogue', () => {
  it('announces what was added, changed and removed', async () => {
    const catalogue = new Catalogue({ enabled: memoryStore() });
    const changes: unknown[] = [];
    catalogue.onDidChange((change) => changes.push(summary(change)));
    await catalogue.setServerTools('s', { tools: [makeTool('a'), makeTool('b')], rejected: [] });
    await catalogue.setServerTools('s', {
      tools: [makeTool('a'), makeTool('b', { description: 'new' }), makeTool('c')],
      rejected: [],
    });
    catalogue.removeServer('s');
    assert.deepEqual(changes, [
      { added: ['s_a', 's_b'], changed: [], removed: [] },
      { added: ['s_c'], changed: ['s_b'], removed: [] },
      { added: [], changed: [], removed: ['s_a', 's_b', 's_c'] },
    ]);
  });

  it('uses ten thousand tools of a server, and says how many are left out', async () => {
    const catalogue = new Catalogue({ enabled: memoryStore() });
    const tools = Array.from({ length: 10_003 }, (_, index) => makeTool(`t${index}`));
    const rejected = Array.from({ length: 1002 }, (_, index) => ({ name: `#${index}`, reason: 'no name' }));
    await catalogue.setServerTools('s', { tools, rejected });
    const { entries } = catalogue;
    assert.equal(entries.length, 11_001);
    assert.deepEqual(
      [entries[9999]?.toolName, entries[10_000]?.toolName, entries.at(-1)?.state],
      [
        't9999',
        '#0',
        {
          kind: 'setAside',
          reason: 'The server lists too many tools: 10000 are used, and 5 entries are set aside.',
        },
      ],
    );
  });

  it('sets the second of two equal names aside, and what was no tool', async () => {
    const catalogue = new Catalogue({ enabled: memoryStore() });
    await catalogue.setServerTools('s', {
      tools: [makeTool('a'), makeTool('a', { description: 'other' })],
      rejected: [{ name: '#3', reason: 'no name' }],
    });
    assert.deepEqual(
      catalogue.entries.map((entry) => [entry.toolName, entry.modelName, entry.state]),
      [
        ['a', 's_a', { kind: 'usable' }],
        ['a', '', { kind: 'setAside', reason: 'Another tool earlier in the list has the same name.' }],
        ['#3', '', { kind: 'setAside', reason: 'no name' }],
      ],
    );
    assert.equal(catalogue.find('s', 'a'), catalogue.entries[0]);
    assert.equal(catalogue.resolve('s_a'), catalogue.entries[0]);
    assert.equal(catalogue.resolve('constructor'), undefined);
  });

  it('names tools the same in whatever order servers start', async () => {
    const lists: readonly (readonly [string, readonly string[]])[] = [
      ['a', ['b_c', 'search']],
      ['a_b', ['c', 'search']],
      ['z', ['search', 'search!']],
    ];
    const orders = [lists, lists.toReversed(), [lists[1], lists[0], lists[2]]];
    const results: unknown[] = [];
    for (const order of orders) {
      const catalogue = new Catalogue({ enabled: memoryStore() });
      catalogue.setServerIds(['a', 'a_b', 'z']);
      for (const item of order) {
        if (item === undefined) continue;
        const tools = item[1].map((name) => makeTool(name));
        await catalogue.setServerTools(item[0], { tools, rejected: [] });
      }
      results.push(catalogue.entries.map((entry) => [entry.serverId, entry.toolName, entry.modelName]));
    }
    assert.deepEqual(results[1], results[0]);
    assert.deepEqual(results[2], results[0]);
    assert.deepEqual(
      catalogueNames(results[0]).filter((name) => !/_[0-9a-f]{8}$/.test(name)),
      ['a_search', 'a_b_c', 'a_b_search', 'z_search'],
    );
  });

  it('keeps the names of running servers when another one starts', async () => {
    const catalogue = new Catalogue({ enabled: memoryStore() });
    catalogue.setServerIds(['my', 'my_server']);
    await catalogue.setServerTools('my', { tools: [makeTool('server_echo')], rejected: [] });
    const before = catalogue.find('my', 'server_echo')?.modelName;
    await catalogue.setServerTools('my_server', { tools: [makeTool('echo')], rejected: [] });
    assert.equal(catalogue.find('my', 'server_echo')?.modelName, before);
    assert.equal(catalogue.resolve('my_server_echo')?.serverId, 'my_server');
  });

  it('remembers what is switched off, by server id and tool name', async () => {
    const enabled = memoryStore();
    const first = new Catalogue({ enabled });
    await first.setServerTools('s', { tools: [makeTool('a'), makeTool('b')], rejected: [] });
    first.setEnabled('s', ['b'], false);
    const second = new Catalogue({ enabled });
    await second.setServerTools('s', {
      tools: [makeTool('b', { description: 'new' }), makeTool('a')],
      rejected: [],
    });
    await second.setServerTools('t', { tools: [makeTool('b')], rejected: [] });
    assert.deepEqual(
      second.entries.map((entry) => [entry.modelName, entry.enabled]),
      [
        ['s_b', false],
        ['s_a', true],
        ['t_b', true],
      ],
    );
  });

  it('keeps the entry of a tool that did not change', async () => {
    const catalogue = new Catalogue({ enabled: memoryStore() });
    await catalogue.setServerTools('s', { tools: [makeTool('a'), makeTool('b')], rejected: [] });
    const before = catalogue.entries;
    await catalogue.setServerTools('s', { tools: [makeTool('a'), makeTool('b')], rejected: [] });
    assert.equal(catalogue.entries[0], before[0]);
    assert.equal(catalogue.entries[1], before[1]);
  });

  it('drops a list that was overtaken', async () => {
    const catalogue = new Catalogue({ enabled: memoryStore() });
    const many = Array.from({ length: 3000 }, (_, index) =>
      makeTool(`t${index}`, { description: 'x'.repeat(500) }),
    );
    const slow = catalogue.setServerTools('s', { tools: many, rejected: [] });
    const quick = catalogue.setServerTools('s', { tools: [makeTool('a')], rejected: [] });
    await Promise.all([slow, quick]);
    assert.deepEqual(
      catalogue.entries.map((entry) => entry.toolName),
      ['a'],
    );
  });

  it('drops a list whose server was removed meanwhile', async () => {
    const catalogue = new Catalogue({ enabled: memoryStore(), checker: new SchemaChecker() });
    const list = catalogue.setServerTools('s', { tools: [makeTool('a')], rejected: [] });
    catalogue.removeServer('s');
    await list;
    assert.deepEqual(catalogue.entries, []);
  });

  const schemas: readonly (readonly [
    title: string,
    tool: Parameters<typeof makeTool>[1],
    expected: unknown,
  ])[] = [
    [
      'an unknown dialect',
      { inputSchema: { $schema: 'https://example.com/my-dialect', type: 'object' } },
      {
        state: {
          kind: 'setAside',
          reason: 'Input schema: The dialect "https://example.com/my-dialect" is not supported.',
        },
        flags: [
          { kind: 'dialect', detail: 'The dialect "https://example.com/my-dialect" is not supported.' },
        ],
      },
    ],
    [
      'a reference to another document',
      { inputSchema: { type: 'object', properties: { a: { $ref: 'https://127.0.0.1:1/a.json' } } } },
      {
        state: {
          kind: 'setAside',
          reason: 'Input schema: The schema may take long to check, and there is no worker to check it.',
        },
        flags: [],
      },
    ],
    [
      'a schema that is not valid',
      { inputSchema: { type: 'object', properties: { a: { type: 'text' } } } },
      {
        state: {
          kind: 'setAside',
          reason:
            'Input schema: The schema is not valid 2020-12. "/properties/a/type" must be equal to one of the allowed values (["array","boolean","integer","null","number","object","string"]).',
        },
        flags: [],
      },
    ],
    [
      'a pattern of another language',
      { inputSchema: { type: 'object', properties: { a: { pattern: '^x\\Z' } } } },
      {
        state: {
          kind: 'setAside',
          reason: String.raw`Input schema: A pattern cannot be used. Invalid regular expression: /^x\Z/u: Invalid escape`,
        },
        flags: [],
      },
    ],
    [
      'an old tuple without a dialect',
      { inputSchema: { type: 'object', properties: { a: { type: 'array', items: [{ type: 'string' }] } } } },
      {
        state: { kind: 'usable' },
        flags: [
          {
            kind: 'dialect',
            detail:
              'It names no dialect and is not valid 2020-12, so it is read as draft-07. "/properties/a/items" must be object,boolean.',
          },
        ],
      },
    ],
    [
      'an output schema that is not valid',
      { outputSchema: { type: 'objekt' } },
      {
        state: { kind: 'usable' },
        flags: [
          {
            kind: 'outputSchema',
            detail:
              'Results cannot be checked. The schema is not valid 2020-12. "/type" must be equal to one of the allowed values (["array","boolean","integer","null","number","object","string"]).',
          },
        ],
      },
    ],
    [
      'an odd name and a cut emoji',
      { name: 'a b', description: 'cut \ud83d' },
      {
        state: { kind: 'usable' },
        flags: [
          {
            kind: 'oddName',
            detail: 'The name contains U+0020; the specification allows letters, digits, "_", "-" and ".".',
          },
          { kind: 'illFormedText', detail: 'A text in the definition is not valid Unicode.' },
        ],
      },
    ],
    [
      'hidden and direction-changing characters',
      {
        title: 'Read\u200b',
        description: 'Reads \u202e a file. \u{e0041}',
        inputSchema: { type: 'object', properties: { a: { enum: ['x\u2066'] } } },
      },
      {
        state: { kind: 'usable' },
        flags: [
          {
            kind: 'hiddenText',
            detail:
              'There are hidden or direction-changing characters in its title, description, input schema.',
          },
        ],
      },
    ],
    [
      'line breaks, tabs, emoji and joined letters, which hide nothing',
      { title: '👩‍🔬 می‌خواهم', description: 'One\n\ttwo\r\nthree' },
      { state: { kind: 'usable' }, flags: [] },
    ],
  ];
  for (const [title, definition, expected] of schemas) {
    it(`looks at ${title} and leaves the other tools alone`, async () => {
      const catalogue = new Catalogue({ enabled: memoryStore(), checker: new SchemaChecker() });
      const tools = [makeTool('before'), makeTool('it', definition), makeTool('after')];
      await catalogue.setServerTools('s', { tools, rejected: [] });
      // Costly schemas are looked at after the list is in place.
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      const states = catalogue.entries.map(({ state, flags }) => ({ state, flags }));
      const good = { state: { kind: 'usable' }, flags: [] };
      assert.deepEqual(states, [good, expected, good]);
    });
  }
});

function catalogueNames(rows: unknown): string[] {
  return (Array.isArray(rows) ? rows : []).map((row: unknown) => String(Array.isArray(row) ? row[2] : ''));
}
