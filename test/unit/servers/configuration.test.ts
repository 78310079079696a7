import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseServers } from '../../../src/servers/configuration.ts';

const stdio = (command: string) => ({
  kind: 'stdio' as const,
  command,
  args: [],
  env: {},
  cwd: undefined,
});

const rows: readonly {
  name: string;
  entry: unknown;
  problems: readonly { key: string; message: string }[];
}[] = [
  { name: 'a number', entry: 5, problems: [{ key: '', message: 'must be an object, but is 5.' }] },
  { name: 'null', entry: null, problems: [{ key: '', message: 'must be an object, but is null.' }] },
  {
    name: 'an unknown type',
    entry: { type: 'pipe', command: 'x' },
    problems: [{ key: 'type', message: 'must be "stdio" or "http", but is "pipe".' }],
  },
  {
    name: 'no command',
    entry: { type: 'stdio' },
    problems: [{ key: 'command', message: 'must be the program to start, but is missing.' }],
  },
  {
    name: 'a blank command',
    entry: { type: 'stdio', command: ' ' },
    problems: [{ key: 'command', message: 'must be the program to start, but is " ".' }],
  },
  {
    name: 'arguments as one string',
    entry: { type: 'stdio', command: 'x', args: '-y pkg' },
    problems: [{ key: 'args', message: 'must be an array of strings, but is "-y pkg".' }],
  },
  {
    name: 'several wrong keys at once',
    entry: { type: 'stdio', command: 'x', args: ['a', 1], env: { A: 1 }, cwd: 2, comand: 'y' },
    problems: [
      {
        key: 'comand',
        message: 'is not a key of a server of type "stdio" (those are type, command, args, env, cwd).',
      },
      { key: 'cwd', message: 'must be a folder path, but is 2.' },
      { key: 'args[1]', message: 'must be a string, but is 1.' },
      { key: 'env.A', message: 'must be a string, but is 1.' },
    ],
  },
  {
    name: 'http without an address',
    entry: { type: 'http' },
    problems: [{ key: 'url', message: "must be the server's address, but is missing." }],
  },
  {
    name: 'a key of the other type',
    entry: { type: 'http', url: 'https://example.com', command: 'x' },
    problems: [
      { key: 'command', message: 'is not a key of a server of type "http" (those are type, url, headers).' },
    ],
  },
];

for (const { name, entry, problems } of rows) {
  test(`a wrong entry (${name}) names its key and leaves the others alone`, () => {
    assert.deepEqual(
      parseServers({ user: { bad: entry, good: { type: 'stdio', command: 'x' } }, workspace: undefined }),
      {
        entries: [
          { kind: 'invalid', id: 'bad', origin: 'user', problems },
          { kind: 'valid', id: 'good', origin: 'user', config: stdio('x') },
        ],
        warnings: [],
      },
    );
  });
}

test('the type follows from the other keys where it is left out', () => {
  assert.deepEqual(
    parseServers({ user: { a: { command: 'x' }, b: { url: 'https://e.org' } }, workspace: undefined })
      .entries,
    [
      { kind: 'valid', id: 'a', origin: 'user', config: stdio('x') },
      { kind: 'valid', id: 'b', origin: 'user', config: { kind: 'http', url: 'https://e.org', headers: {} } },
    ],
  );
});

test('a workspace cannot put another program behind the id of a user server', () => {
  const parsed = parseServers({
    user: { files: { command: 'mine' } },
    workspace: { files: { command: 'theirs' }, other: { command: 'new' } },
  });
  assert.deepEqual(parsed.entries, [
    { kind: 'valid', id: 'files', origin: 'user', config: stdio('mine') },
    { kind: 'valid', id: 'other', origin: 'workspace', config: stdio('new') },
  ]);
  assert.equal(parsed.warnings.length, 1);
  assert.match(parsed.warnings[0] ?? '', /"files".*ignored/);
});

test('a workspace cannot take the id of a user server even where the user wrote it wrongly', () => {
  const parsed = parseServers({
    user: { files: { command: 1 } },
    workspace: { files: { command: 'theirs' } },
  });
  assert.deepEqual(
    parsed.entries.map((entry) => [entry.kind, entry.origin]),
    [['invalid', 'user']],
  );
});

test('an id with invisible characters is refused', () => {
  const [entry] = parseServers({ user: { 'git\u200bhub': { command: 'x' } }, workspace: undefined }).entries;
  assert.equal(entry?.kind, 'invalid');
});

test('settings that are no object are reported, not thrown on', () => {
  assert.deepEqual(parseServers({ user: [], workspace: 'x' }), {
    entries: [],
    warnings: [
      '"countersign.servers" in user settings must be an object: server id → how to start it.',
      '"countersign.servers" in workspace settings must be an object: server id → how to start it.',
    ],
  });
});
