import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

/** A folder may import only from itself and from folders before it. */
const order = [
  'base',
  'shared',
  'protocol',
  'transport',
  'auth',
  'client',
  'servers',
  'tools',
  'policy',
  'prompts',
  'audit',
  'calls',
  'bridge',
  'vscode',
];

const root = path.resolve(import.meta.dirname, '../..');

interface Import {
  readonly from: string;
  readonly to: string;
  readonly typeOnly: boolean;
}

/** Every import, re-export and dynamic import in a file, types included. */
function importsOf(file: string): Import[] {
  const text = readFileSync(path.join(root, file), 'utf8');
  const pattern =
    /(?:^|\n)\s*(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/g;
  return Array.from(text.matchAll(pattern), ([, type, stated, dynamic]) => ({
    from: file,
    to: stated ?? dynamic ?? '',
    typeOnly: type !== undefined,
  }));
}

function target({ from, to }: Import): string {
  return path.posix.normalize(path.posix.join(path.posix.dirname(from), to));
}

const files = globSync(['src/**/*.ts', 'webview/**/*.ts'], { cwd: root }).map((file) =>
  file.split(path.sep).join('/'),
);
const imports = files.flatMap(importsOf);
const show = (list: readonly Import[]): string[] => list.map(({ from, to }) => `${from} imports ${to}`);

test('the imports are really read', () => {
  assert.ok(files.length > 50, `only ${files.length} files`);
  assert.ok(imports.some(({ from, to }) => from === 'src/base/abort.ts' && to === './errors.ts'));
});

test('every folder of src has its place in the order', () => {
  const folders = new Set(files.flatMap((file) => /^src\/([^/]+)\//.exec(file)?.[1] ?? []));
  assert.deepEqual(
    Array.from(folders).filter((folder) => !order.includes(folder)),
    [],
  );
});

test('folders import only from those before them', () => {
  const wrong = imports.filter((entry) => {
    const from = /^src\/([^/]+)\//.exec(entry.from)?.[1];
    const to = entry.to.startsWith('.') ? /^src\/([^/]+)\//.exec(target(entry))?.[1] : undefined;
    return from !== undefined && to !== undefined && order.indexOf(to) > order.indexOf(from);
  });
  assert.deepEqual(show(wrong), []);
});

test('only src/vscode and src/extension.ts know the editor, not even its types', () => {
  const wrong = imports.filter(
    ({ from, to }) => to === 'vscode' && !from.startsWith('src/vscode/') && from !== 'src/extension.ts',
  );
  assert.deepEqual(show(wrong), []);
});

test('nothing but the root imports src/extension.ts, and nothing imports tests', () => {
  const wrong = imports.filter(
    (entry) =>
      entry.to.startsWith('.') && (target(entry) === 'src/extension.ts' || target(entry).startsWith('test/')),
  );
  assert.deepEqual(show(wrong), []);
});

test('the page imports only itself, src/shared and, in one file, the controls', () => {
  const wrong = imports.filter((entry) => {
    if (!entry.from.startsWith('webview/')) return false;
    if (entry.to === '@vscode/webview-ui-toolkit') return entry.from !== 'webview/common/controls.ts';
    return !entry.to.startsWith('.') || !/^(webview|src\/shared)\//.test(target(entry));
  });
  assert.deepEqual(show(wrong), []);
});

test('what the page imports needs no Node', () => {
  const reached = new Set<string>();
  const visit = (file: string): void => {
    if (reached.has(file)) return;
    reached.add(file);
    for (const entry of imports)
      if (entry.from === file && entry.to.startsWith('.') && !entry.typeOnly) visit(target(entry));
  };
  for (const file of files) if (file.startsWith('webview/') || file.startsWith('src/shared/')) visit(file);
  const wrong = imports.filter(
    ({ from, to }) => reached.has(from) && (to.startsWith('node:') || to === 'vscode'),
  );
  assert.deepEqual(show(wrong), []);
});

test('the controls come from the toolkit in one file only', () => {
  const users = imports.filter(
    ({ to }) => to.startsWith('@vscode/webview-ui-toolkit') || to.startsWith('@microsoft/fast'),
  );
  assert.deepEqual(Array.from(new Set(users.map(({ from }) => from))), ['webview/common/controls.ts']);
});

test('only the one road calls a tool', () => {
  const callers = files.filter(
    (file) => file.startsWith('src/') && /\.callTool\s*\(/.test(readFileSync(path.join(root, file), 'utf8')),
  );
  assert.deepEqual(callers, ['src/calls/callSender.ts']);
  const senders = imports.filter(({ to, typeOnly }) => to.endsWith('/callSender.ts') && !typeOnly);
  assert.deepEqual(Array.from(new Set(senders.map(({ from }) => from))), ['src/calls/toolInvoker.ts']);
});

test('nothing turns text into markup or into a program', () => {
  const sinks =
    /\b(innerHTML|outerHTML|insertAdjacentHTML|setHTMLUnsafe|createContextualFragment|DOMParser|srcdoc|eval)\b|\bdocument\.write|new Function\b/;
  const found = files.filter((file) => sinks.test(readFileSync(path.join(root, file), 'utf8')));
  assert.deepEqual(found, []);
});

test('prompts are answered from the page alone: no command, tool or caller can', () => {
  const answering = files.filter((file) =>
    /\bqueue\.answer\(/.test(readFileSync(path.join(root, file), 'utf8')),
  );
  assert.deepEqual(answering, ['src/prompts/pageSession.ts']);
});
