import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { systemClock } from '../../../src/base/clock.ts';
import { splitCommandLine } from '../../../src/servers/commandLine.ts';
import { findCommand, loginShellPath, mergeSearchPaths } from '../../../src/servers/commandSearch.ts';

const root = mkdtempSync(path.join(tmpdir(), 'countersign-search-'));
after(() => rmSync(root, { recursive: true, force: true }));

function script(name: string, text: string): string {
  const file = path.join(root, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\n${text}\n`);
  chmodSync(file, 0o755);
  return file;
}

test('a command is found in the first folder that has an executable of that name', () => {
  const wanted = script('two/tool', '');
  mkdirSync(path.join(root, 'one/tool'), { recursive: true });
  mkdirSync(path.join(root, 'zero'), { recursive: true });
  writeFileSync(path.join(root, 'zero/tool'), 'not executable', { mode: 0o644 });
  const search = ['zero', 'missing', 'one', 'two'].map((name) => path.join(root, name)).join(path.delimiter);
  assert.equal(findCommand('tool', search, '/', {}), wanted);
  assert.equal(findCommand('other', search, '/', {}), undefined);
  assert.equal(findCommand('./two/tool', '', root, {}), wanted);
  assert.equal(findCommand('two/none', search, root, {}), undefined);
});

test('the login shell is asked for its PATH and its greetings are left out', async () => {
  const shell = script(
    'shell',
    'echo "Welcome! PATH is great"\nPATH="/from/login:$PATH"\nexec /bin/sh -c "$2"',
  );
  assert.equal(
    await loginShellPath({ SHELL: shell, PATH: '/usr/bin:/bin' }, systemClock),
    '/from/login:/usr/bin:/bin',
  );
});

test('a shell that never answers is ended with everything that it started', async () => {
  const pidFile = path.join(root, 'pid');
  const shell = script('hang', `sleep 1000 & echo $! > "${pidFile}"\nwait`);
  // The time limit is the shell's own: it passes as soon as the file is there.
  const limit = { ...systemClock, after: (_: number, run: () => void) => systemClock.after(300, run) };
  assert.equal(await loginShellPath({ SHELL: shell, PATH: process.env['PATH'] }, limit), undefined);
});

for (const environment of [{}, { SHELL: 'sh' }, { SHELL: path.join(root, 'no-such-shell') }]) {
  test(`no usable shell: ${JSON.stringify(Object.keys(environment))}`, async () => {
    assert.equal(await loginShellPath(environment, systemClock), undefined);
  });
}

test('search paths are merged without repeating a folder', () => {
  const join = (...folders: string[]): string => folders.join(path.delimiter);
  assert.equal(mergeSearchPaths(join('/a', '/b', ''), join('/b', '/c')), join('/a', '/b', '/c'));
});

const lines: readonly [string, string[] | undefined][] = [
  ['npx -y  pkg', ['npx', '-y', 'pkg']],
  ['"my prog" --x="a b" ""', ['my prog', '--x=a b', '']],
  [String.raw`say "a \"b\" c" C:\x`, ['say', 'a "b" c', String.raw`C:\x`]],
  ['open "quote', undefined],
  ['  ', undefined],
  ['$(rm -rf) ; & |', ['$(rm', '-rf)', ';', '&', '|']],
];
for (const [line, expected] of lines) {
  test(`command line: ${line}`, () => assert.deepEqual(splitCommandLine(line), expected));
}
