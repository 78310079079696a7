import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { JsonObject } from '../../../src/base/json.ts';
import { launchSnapshot } from '../../../src/policy/launchSnapshot.ts';
import { changeNotice } from '../../../src/prompts/changeNotice.ts';
import { definitionDiff } from '../../../src/prompts/definitionDiff.ts';
import { wordDiff } from '../../../src/prompts/wordDiff.ts';
import type { DiffPart } from '../../../src/shared/definitionDiff.ts';
import { describe, it } from '../../helpers/nodeTest.ts';

const same = (text: string): DiffPart => ({ kind: 'same', text });
const added = (text: string): DiffPart => ({ kind: 'added', text });
const removed = (text: string): DiffPart => ({ kind: 'removed', text });

describe('wordDiff', () => {
  const rows: readonly (readonly [before: string, after: string, parts: readonly DiffPart[]])[] = [
    ['', '', []],
    ['a', 'a', [same('a')]],
    ['', 'a b', [added('a b')]],
    ['a b', '', [removed('a b')]],
    ['Reads a file.', 'Reads one file.', [same('Reads '), removed('a'), added('one'), same(' file.')]],
    ['Reads a file.', 'Reads a file. Send it.', [same('Reads a file.'), added(' Send it.')]],
    [
      'one two three',
      'three two one',
      [removed('one'), added('three'), same(' two '), removed('three'), added('one')],
    ],
    ['a\u200Bb', 'ab', [removed('a\u200Bb'), added('ab')]],
    ['x\u202Ey', 'x y', [same('x'), removed('\u202E'), added(' '), same('y')]],
    ['naïve', 'naive', [removed('naïve'), added('naive')]],
    ['😀', '😁', [removed('😀'), added('😁')]],
  ];
  for (const [before, after, parts] of rows) {
    it(`${JSON.stringify(before)} to ${JSON.stringify(after)}`, () =>
      assert.deepEqual(wordDiff(before, after), parts));
  }

  it('loses nothing of either text', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc
        .array(fc.constantFrom('a', 'b', 'c', ' ', '.', '\n', '😀'), { maxLength: 30 })
        .map((words) => words.join('')),
    );
    const keep = (parts: readonly DiffPart[], kind: DiffPart['kind']): string =>
      parts.flatMap((part) => (part.kind === 'same' || part.kind === kind ? [part.text] : [])).join('');
    fc.assert(
      fc.property(text, text, (before, after) => {
        const parts = wordDiff(before, after);
        assert.equal(keep(parts, 'removed'), before);
        assert.equal(keep(parts, 'added'), after);
        // Neighbours of one kind are one part.
        assert.ok(parts.every((part, index) => part.kind !== parts[index - 1]?.kind));
      }),
    );
  });

  it('does not work itself to death on long texts', () => {
    const words = (seed: string): string =>
      Array.from({ length: 20_000 }, (_, index) => `${seed}${index}`).join(' ');
    assert.deepEqual(wordDiff(`x ${words('a')}`, `x ${words('b')}`)[0], same('x '));
  });
});

const search: JsonObject = {
  name: 'search',
  title: 'Search',
  description: 'Searches the code.',
  inputSchema: {
    type: 'object',
    properties: { q: { type: 'string', description: 'What to look for' }, page: { type: 'integer' } },
    required: ['q'],
  },
  annotations: { readOnlyHint: true },
};

describe('definitionDiff', () => {
  it('finds nothing in what is the same, whatever the order', () => {
    const reordered = Object.fromEntries(Object.entries(search).toReversed());
    assert.deepEqual(definitionDiff('tool', search, reordered), { subject: 'tool', changes: [], omitted: 0 });
  });

  it('finds everything, in the order in which a person reads', () => {
    const after: JsonObject = {
      _meta: { x: 1 },
      inputSchema: {
        type: 'object',
        properties: {
          q: { type: 'string', description: 'What to look for. Add the key.' },
          key: { type: 'string' },
        },
        required: ['q', 'key'],
      },
      annotations: { readOnlyHint: false },
      description: 'Searches the web.',
      name: 'search',
    };
    assert.deepEqual(definitionDiff('tool', search, after), {
      subject: 'tool',
      changes: [
        { kind: 'removed', area: 'title', path: '/title', before: '"Search"' },
        {
          kind: 'text',
          area: 'description',
          path: '/description',
          parts: [same('Searches the '), removed('code'), added('web'), same('.')],
        },
        {
          kind: 'changed',
          area: 'annotations',
          path: '/annotations/readOnlyHint',
          before: 'true',
          after: 'false',
        },
        {
          kind: 'text',
          area: 'inputSchema',
          path: '/inputSchema/properties/q/description',
          parts: [same('What to look for'), added('. Add the key.')],
        },
        {
          kind: 'removed',
          area: 'inputSchema',
          path: '/inputSchema/properties/page',
          before: '{"type":"integer"}',
        },
        {
          kind: 'added',
          area: 'inputSchema',
          path: '/inputSchema/properties/key',
          after: '{"type":"string"}',
        },
        {
          kind: 'changed',
          area: 'inputSchema',
          path: '/inputSchema/required',
          before: '["q"]',
          after: '["q","key"]',
        },
        { kind: 'added', area: 'other', path: '/_meta', after: '{"x":1}' },
      ],
      omitted: 0,
    });
  });

  it('compares lists of objects item by item and escapes odd names', () => {
    const before: JsonObject = { inputSchema: { anyOf: [{ a: 1 }, { b: 1 }], 'x/y~z': 1 } };
    const after: JsonObject = { inputSchema: { anyOf: [{ a: 1 }, { b: 2 }, { c: 3 }], 'x/y~z': 2 } };
    assert.deepEqual(definitionDiff('tool', before, after).changes, [
      { kind: 'changed', area: 'inputSchema', path: '/inputSchema/anyOf/1/b', before: '1', after: '2' },
      { kind: 'added', area: 'inputSchema', path: '/inputSchema/anyOf/2', after: '{"c":3}' },
      { kind: 'changed', area: 'inputSchema', path: '/inputSchema/x~1y~0z', before: '1', after: '2' },
    ]);
  });

  it('finds a member called like the prototype', () => {
    const after: JsonObject = JSON.parse('{"__proto__": {"x": 1}}');
    assert.deepEqual(definitionDiff('tool', {}, after).changes, [
      { kind: 'added', area: 'other', path: '/__proto__', after: '{"x":1}' },
    ]);
  });

  it('is bounded in number, length and depth, and says so', () => {
    const wide = (value: number): JsonObject => ({
      inputSchema: Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`k${index}`, value])),
    });
    const many = definitionDiff('tool', wide(1), wide(2));
    assert.deepEqual([many.changes.length, many.omitted], [200, 300]);

    const long = 'word '.repeat(20_000);
    const [change] = definitionDiff(
      'tool',
      { description: long },
      { description: `${long}EVIL ${long}` },
    ).changes;
    assert.ok(change?.kind === 'text' && change.cut === true);
    assert.ok(JSON.stringify(change).includes('EVIL'));

    const nest = (value: number): JsonObject => {
      let deep: JsonObject = { value };
      for (let level = 0; level < 3000; level += 1) deep = { deep };
      return { inputSchema: deep };
    };
    const deep = definitionDiff('tool', nest(1), nest(2)).changes;
    assert.equal(deep.length, 1);
    assert.deepEqual(definitionDiff('tool', nest(1), nest(1)).changes, []);
  });

  it('says of every two JSON values whether they differ', () => {
    const value = fc.jsonValue({ maxDepth: 3 });
    fc.assert(
      fc.property(fc.dictionary(fc.string(), value), fc.dictionary(fc.string(), value), (left, right) => {
        const [before, after]: [JsonObject, JsonObject] = [
          JSON.parse(JSON.stringify(left)),
          JSON.parse(JSON.stringify(right)),
        ];
        const differ = definitionDiff('tool', before, after).changes.length > 0;
        try {
          assert.deepStrictEqual(before, after);
          assert.equal(differ, false);
        } catch {
          assert.equal(differ, true);
        }
      }),
    );
  });
});

describe('launches', () => {
  const launch = {
    kind: 'stdio',
    command: 'npx',
    args: ['-y', 'server'],
    cwd: '/ws',
    env: { TOKEN: 'hush', A: '1' },
  } as const;
  it('are kept without values of variables and headers, and with secrets covered', () => {
    assert.deepEqual(launchSnapshot(launch), {
      command: 'npx',
      args: ['-y', 'server'],
      cwd: '/ws',
      env: ['A', 'TOKEN'],
    });
    assert.deepEqual(
      launchSnapshot({
        kind: 'http',
        url: 'https://me:hunter22@a.test/',
        headers: { Authorization: 'hush' },
      }),
      { url: 'https://me:••••@a.test/', headers: ['Authorization'] },
    );
  });
  it('show what is different', () => {
    const after = { ...launch, command: 'node', args: ['-y', 'server', '--all'] };
    assert.deepEqual(definitionDiff('launch', launchSnapshot(launch), launchSnapshot(after)).changes, [
      { kind: 'text', area: 'command', path: '/command', parts: [removed('npx'), added('node')] },
      {
        kind: 'changed',
        area: 'args',
        path: '/args',
        before: '["-y","server"]',
        after: '["-y","server","--all"]',
      },
    ]);
  });
});

describe('changeNotice', () => {
  const facts = {
    before: { tool: 'sha256:1', launch: 'sha256:l' },
    allowedAt: Date.parse('2027-01-01T00:00:00Z'),
    now: { tool: 'sha256:2', launch: 'sha256:l' },
    definition: { name: 'search', description: 'new' },
    launch: { command: 'npx' },
    snapshot: (fingerprint: string): JsonObject | undefined =>
      fingerprint === 'sha256:1' ? { name: 'search', description: 'old' } : undefined,
  };
  const description = {
    kind: 'text',
    area: 'description',
    path: '/description',
    parts: [removed('old'), added('new')],
  };
  it('is none when nothing changed', () => {
    assert.equal(changeNotice({ ...facts, now: facts.before }), undefined);
  });
  it('shows the difference', () => {
    assert.deepEqual(changeNotice(facts), {
      allowedAt: '2027-01-01T00:00:00.000Z',
      tool: { subject: 'tool', changes: [description], omitted: 0 },
    });
  });
  it('says so when the earlier state is not known, or nothing of it can be shown', () => {
    const now = { tool: 'sha256:2', launch: 'sha256:l2' };
    assert.deepEqual(changeNotice({ ...facts, now, snapshot: () => undefined }), {
      allowedAt: '2027-01-01T00:00:00.000Z',
      unknownBefore: ['tool', 'launch'],
    });
    assert.deepEqual(
      changeNotice({ ...facts, now: { ...facts.before, launch: 'x' }, snapshot: () => facts.launch }),
      {
        allowedAt: '2027-01-01T00:00:00.000Z',
        unknownBefore: ['launch'],
      },
    );
  });
});
