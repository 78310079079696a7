import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/base/json.ts';
import { Catalogue } from '../../../src/tools/catalogue.ts';
import { CatalogueEntry } from '../../../src/tools/catalogueEntry.ts';
import { exposeTools, modelTool, offeredEntries, readyTools } from '../../../src/tools/exposedTools.ts';
import { MAX_LOOKED_AT, readCall, readSearch, searchAnswer } from '../../../src/tools/hostTools.ts';
import { ToolSearch } from '../../../src/tools/toolSearch.ts';
import { wordsOf } from '../../../src/tools/words.ts';
import { describe, it } from '../../helpers/nodeTest.ts';
import { turnsDuring } from '../../helpers/turnsDuring.ts';
import { makeTool, memoryStore } from './toolSamples.ts';

async function catalogueOf(tools: readonly ReturnType<typeof makeTool>[]): Promise<Catalogue> {
  const catalogue = new Catalogue({ enabled: memoryStore() });
  await catalogue.setServerTools('s', { tools, rejected: [{ name: '#9', reason: 'no tool' }] });
  return catalogue;
}

/** A usable entry of which nothing has been made for models yet. */
function entryOf(tool: ReturnType<typeof makeTool>): CatalogueEntry {
  return new CatalogueEntry({
    key: tool.name,
    serverId: 's',
    toolName: tool.name,
    isAddressable: true,
    tool,
    modelName: `s_${tool.name}`,
    fingerprint: tool.name,
    state: { kind: 'usable' },
    flags: [],
    enabled: true,
  });
}

describe('exposeTools', () => {
  it('lists what is usable and switched on, and says what cannot be listed', async () => {
    const tools = [
      makeTool('a', { description: 'Does a.' }),
      makeTool('off'),
      makeTool('a'),
      makeTool('text', { inputSchema: { type: 'string' } }),
      makeTool('b', { title: 'Title of b', description: ' ' }),
    ];
    const catalogue = await catalogueOf(tools);
    catalogue.setEnabled('s', ['off'], false);
    const exposed = await exposeTools(catalogue.entries);
    const inputSchema = { type: 'object', properties: {} };
    assert.deepEqual(exposed, {
      kind: 'list',
      tools: [
        { name: 's_a', description: 'Does a.', inputSchema },
        { name: 's_b', description: 'Title of b', inputSchema },
      ],
      leftOut: [
        {
          entry: catalogue.find('s', 'text'),
          reason: 'Arguments are an object, but the schema wants "string".',
        },
      ],
    });
  });

  const counts: readonly (readonly [tools: number, others: number, kind: string])[] = [
    [128, 0, 'list'],
    [127, 1, 'list'],
    [128, 1, 'search'],
    [130, 0, 'search'],
    [0, 0, 'list'],
  ];
  for (const [count, others, kind] of counts) {
    it(`${count} tools and ${others} others: ${kind}`, async () => {
      const tools = Array.from({ length: count }, (_, index) => makeTool(`t${index}`));
      const catalogue = await catalogueOf(tools);
      const exposed = await exposeTools(catalogue.entries, 128, others);
      assert.equal(exposed.kind, kind);
      if (exposed.kind === 'search') assert.equal(exposed.count, count);
    });
  }

  it('does not count what cannot be given to a model', async () => {
    const bad = Array.from({ length: 150 }, (_, index) =>
      makeTool(`bad${index}`, { inputSchema: { allOf: [false] } }),
    );
    const catalogue = await catalogueOf([...bad, makeTool('good')]);
    const exposed = await exposeTools(catalogue.entries, 128, 1);
    assert.ok(exposed.kind === 'list');
    assert.deepEqual([exposed.tools.map(({ name }) => name), exposed.leftOut.length], [['s_good'], 150]);
  });

  it('gives way to other work while it writes schemas for models', async () => {
    const properties = Object.fromEntries(
      Array.from({ length: 3000 }, (_, index) => [`p${index}`, { type: 'string' }]),
    );
    const entries = Array.from({ length: 60 }, (_, index) => {
      const tool = makeTool(`t${index}`, { inputSchema: { type: 'object', properties } });
      return entryOf(tool);
    });
    const turns = await turnsDuring(() => exposeTools(entries));
    // Every one takes longer than a slice, or nearly.
    assert.ok(turns > 10, `${turns} turns of the loop`);
  });

  it('cuts a description that is too long', async () => {
    const catalogue = await catalogueOf([makeTool('a', { description: 'x'.repeat(34_500) })]);
    const [entry] = catalogue.entries;
    assert.ok(entry !== undefined);
    const made = modelTool(entry);
    assert.equal(made.kind === 'ready' ? made.tool.description.length : 0, 10_000);
  });
});

describe('wordsOf', () => {
  const rows: readonly (readonly [text: string, words: readonly string[]])[] = [
    ['createIssue', ['create', 'issue']],
    ['list_pull-requests.v2', ['list', 'pull', 'requests', 'v2']],
    ['Größe Café', ['grosse', 'cafe']],
    ['検索する', ['検索', '索す', 'する', 'る']],
    ['Dosya Işık', ['dosya', 'isik']],
    ['', []],
    ['🙂', []],
  ];
  for (const [text, words] of rows) it(JSON.stringify(text), () => assert.deepEqual(wordsOf(text), words));
});

describe('ToolSearch', () => {
  const tools = [
    makeTool('createIssue', { description: 'Opens a ticket in a repository.' }),
    makeTool('close_issue', { title: 'Close', description: 'Ends it.' }),
    makeTool('send', { title: 'Mail', description: 'Sends mail about an issue.' }),
    makeTool('weather', { description: 'Forecast. '.repeat(300) + 'Also for zanzibar.' }),
    makeTool('__proto__', { description: 'constructor' }),
    makeTool('ru', { title: 'Создать задачу' }),
    makeTool('zh', { title: '列出文件' }),
  ];
  const rows: readonly (readonly [query: string, found: readonly string[]])[] = [
    ['issue', ['close_issue', 'createIssue', 'send']],
    ['create issue', ['createIssue', 'close_issue', 'send']],
    ['close the issues', ['close_issue', 'createIssue', 'send']],
    ['tick', ['createIssue']],
    ['MAIL', ['send']],
    ['zanzibar', ['weather']],
    ['constructor', ['__proto__']],
    ['задачи', ['ru']],
    ['件', ['zh']],
    ['文件', ['zh']],
    ['toString', []],
    ['', []],
    ['???', []],
  ];
  for (const [query, found] of rows) {
    it(JSON.stringify(query), async () => {
      const catalogue = await catalogueOf(tools);
      const results = await new ToolSearch().search(offeredEntries(catalogue.entries), query, 10);
      assert.deepEqual(
        results.map(({ toolName }) => toolName),
        found,
      );
    });
  }

  it('follows the catalogue', async () => {
    const catalogue = await catalogueOf([makeTool('alpha'), makeTool('beta')]);
    const search = new ToolSearch();
    const find = async (query: string): Promise<readonly string[]> =>
      (await search.search(offeredEntries(catalogue.entries), query, 10)).map(({ toolName }) => toolName);
    const before = await find('alpha');
    await catalogue.setServerTools('s', {
      tools: [makeTool('beta', { description: 'now with alpha' }), makeTool('gamma')],
      rejected: [],
    });
    const after = await find('alpha');
    catalogue.setEnabled('s', ['beta'], false);
    assert.deepEqual(
      [before, after, await find('alpha'), await find('gamma')],
      [['alpha'], ['beta'], [], ['gamma']],
    );
  });

  it('goes on after a search that was cancelled', async () => {
    const catalogue = await catalogueOf(tools);
    const search = new ToolSearch();
    const entries = offeredEntries(catalogue.entries);
    await assert.rejects(search.search(entries, 'issue', 10, AbortSignal.abort()), { code: 'cancelled' });
    assert.equal((await search.search(entries, 'zanzibar', 10)).length, 1);
  });
});

describe('search_tools and call_tool', () => {
  const searches: readonly (readonly [input: unknown, expected: unknown])[] = [
    [{ query: 'x' }, { kind: 'asked', request: { query: 'x', limit: 8 } }],
    [
      { query: 'x', limit: 1000 },
      { kind: 'asked', request: { query: 'x', limit: 25 } },
    ],
    [
      { query: 'x', limit: '3' },
      { kind: 'asked', request: { query: 'x', limit: 8 } },
    ],
    [{ query: ' ' }, { kind: 'wrong', message: '"query" must be a text with words to search for.' }],
    [undefined, { kind: 'wrong', message: '"query" must be a text with words to search for.' }],
  ];
  for (const [input, expected] of searches) {
    it(`search ${JSON.stringify(input)}`, () => assert.deepEqual(readSearch(input), expected));
  }

  const wrongArguments = {
    kind: 'wrong',
    message: '"arguments" must be an object with the arguments of the tool.',
  };
  const calls: readonly (readonly [input: unknown, expected: unknown])[] = [
    [
      { name: 's_a', arguments: { x: 1 } },
      { kind: 'asked', request: { name: 's_a', arguments: { x: 1 } } },
    ],
    [{ name: 's_a' }, { kind: 'asked', request: { name: 's_a', arguments: {} } }],
    [
      { name: 's_a', arguments: '{"x":1}' },
      { kind: 'asked', request: { name: 's_a', arguments: { x: 1 } } },
    ],
    [{ name: 's_a', arguments: 'x' }, wrongArguments],
    [{ name: 's_a', arguments: [1] }, wrongArguments],
    [{ name: '' }, { kind: 'wrong', message: '"name" must be the name of a tool that search_tools gave.' }],
    [null, { kind: 'wrong', message: '"name" must be the name of a tool that search_tools gave.' }],
  ];
  for (const [input, expected] of calls) {
    it(`call ${JSON.stringify(input)}`, () => assert.deepEqual(readCall(input), expected));
  }

  it('answers with what a model needs to call', async () => {
    const catalogue = await catalogueOf([makeTool('a', { description: 'Does a.' })]);
    const text = async (found: readonly CatalogueEntry[]): Promise<string> =>
      searchAnswer(await readyTools(found, 8), 'q')
        .parts.map((part) => (part.kind === 'text' ? part.text : ''))
        .join('');
    assert.deepEqual(
      [await text(offeredEntries(catalogue.entries)), await text([])],
      [
        '{"name":"s_a","description":"Does a.","inputSchema":{"type":"object","properties":{}}}',
        'No tool was found for "q". Try other or fewer words.',
      ],
    );
    const impossible = await catalogueOf([makeTool('b', { inputSchema: { allOf: [false] } })]);
    assert.match(
      await text(offeredEntries(impossible.entries)),
      /^What was found for "q" cannot be called by a model: ./,
    );
  });

  it('passes over what cannot be given to a model', async () => {
    const bad = Array.from({ length: 50 }, (_, index) =>
      makeTool(`create_${index}`, { description: 'create issue', inputSchema: { allOf: [false] } }),
    );
    const catalogue = await catalogueOf([...bad, makeTool('other', { description: 'Can create as well.' })]);
    const entries = offeredEntries(catalogue.entries);
    const found = await new ToolSearch().search(entries, 'create issue', MAX_LOOKED_AT);
    const ready = await readyTools(found, 8);
    assert.deepEqual(
      ready.tools.map(({ name }) => name),
      ['s_other'],
    );
  });

  it('ends when it is cancelled', async () => {
    const entries = [entryOf(makeTool('a'))];
    await assert.rejects(readyTools(entries, 8, AbortSignal.abort()), { code: 'cancelled' });
  });
});

describe('the tokens of a tool', () => {
  const many = Object.fromEntries(
    Array.from({ length: 300 }, (_, index) => [`p${index}`, { $ref: '#/$defs/x' }]),
  );
  const rows: readonly (readonly [title: string, inputSchema: JsonObject, least: number, most: number])[] = [
    [
      'of references that are written out',
      { type: 'object', properties: many, $defs: { x: { type: 'string', description: 'word '.repeat(10) } } },
      5000,
      8000,
    ],
    ['of texts that are cut', { type: 'object', description: 'word '.repeat(20_000) }, 900, 1200],
    ['of what no model can be given', { allOf: [false], description: 'word '.repeat(100) }, 0, 0],
  ];
  for (const [title, inputSchema, least, most] of rows) {
    it(title, async () => {
      const catalogue = await catalogueOf([makeTool('a', { inputSchema })]);
      const tokens = catalogue.find('s', 'a')?.tokens ?? -1;
      assert.ok(tokens >= least && tokens <= most, `${tokens} tokens`);
    });
  }

  it('are estimated from the own schema before, and counted again after', () => {
    const entry = entryOf(
      makeTool('a', { inputSchema: { type: 'object', description: 'word '.repeat(20_000) } }),
    );
    const before = entry.tokens;
    assert.ok(before > 20_000, `${before} tokens`);
    assert.equal(entry.modelSchema.kind, 'ready');
    assert.ok(entry.tokens < 1200, `${entry.tokens} tokens`);
  });
});
