import assert from 'node:assert/strict';
import { parseShimArguments } from '../../rig/codeShimArguments.ts';
import { absentFiles, strayFiles } from '../../rig/packageExtension.ts';
import { chooseStages, parseTestArguments } from '../../rig/runner/arguments.ts';
import { stages } from '../../rig/runner/stages.ts';
import { editHtml } from '../../rig/serverPage.ts';
import { chooseEditor, type EditorFacts } from '../../rig/start/editorChoice.ts';
import { describe, it } from '../../helpers/nodeTest.ts';

describe('the editor that is opened', () => {
  const rows: readonly Readonly<{ facts: EditorFacts; kind: string; fallback?: boolean }>[] = [
    { facts: { asked: undefined, hasDisplay: false, installed: '/code' }, kind: 'server' },
    { facts: { asked: undefined, hasDisplay: true, installed: '/code' }, kind: 'installed' },
    { facts: { asked: undefined, hasDisplay: true, installed: undefined }, kind: 'download', fallback: true },
    {
      facts: { asked: 'desktop', hasDisplay: false, installed: undefined },
      kind: 'download',
      fallback: false,
    },
    { facts: { asked: 'server', hasDisplay: true, installed: '/code' }, kind: 'server' },
  ];
  for (const { facts, kind, fallback } of rows)
    it(JSON.stringify(facts), () => {
      const choice = chooseEditor(facts);
      const seen = { kind: choice.kind, fallback: choice.kind === 'download' ? choice.fallback : undefined };
      assert.deepEqual(seen, { kind, fallback });
    });
});

describe('the stages that run', () => {
  const all = stages.map(({ name }) => name);
  const rows = [
    { argv: [], chosen: all },
    { argv: ['--only', 'unit'], chosen: ['unit'] },
    { argv: ['--only', 'unit,e2e'], chosen: ['build', 'unit', 'e2e'] },
    { argv: ['some/file'], chosen: ['build', 'unit', 'integration', 'webview', 'suite', 'e2e'] },
  ];
  for (const { argv, chosen } of rows)
    it(`npm test -- ${argv.join(' ')}`, () => {
      const names = chooseStages(stages, parseTestArguments(argv, all)).map(({ name }) => name);
      assert.deepEqual(names, chosen);
    });

  for (const argv of [['--only', 'nothing'], ['--editor', 'emacs'], ['--unknown']])
    it(`refuses ${argv.join(' ')}`, () => {
      assert.throws(() => parseTestArguments(argv, all));
    });
});

it('the shim reads the command line of test-electron', () => {
  const argv = ['/folder', '--user-data-dir', '/data', '--no-sandbox', '--disable-workspace-trust'];
  const more = [
    '--extensionTestsPath=/tests',
    '--extensionDevelopmentPath=/a',
    '--extensionDevelopmentPath=/b',
  ];
  assert.deepEqual(parseShimArguments([...argv, ...more]), {
    develop: ['/a', '/b'],
    tests: '/tests',
    userData: '/data',
    extensions: undefined,
    proposedApi: [],
    workspaceTrust: false,
    open: ['/folder'],
  });
});

it('the package holds only what runs', () => {
  const good = [
    'package.json',
    'readme.md',
    'changelog.md',
    'LICENSE.txt',
    '.vsixmanifest',
    'dist/extension.cjs',
  ];
  const stray = [
    'dist/extension.cjs.map',
    'src/extension.ts',
    'test/unit/x.test.ts',
    'node_modules/a/index.js',
  ];
  assert.deepEqual(strayFiles([...good, 'dist/webview/approvals.css', 'media/icon.svg', ...stray]), stray);
  assert.deepEqual(absentFiles(['package.json']), [
    'dist/extension.cjs',
    'dist/schemaWorker.cjs',
    'dist/webview/approvals.js',
  ]);
});

it('the page’s configuration gets the development options and keeps the rest', () => {
  const html =
    '<meta id="vscode-workbench-web-configuration" data-settings="{&quot;a&quot;:&quot;1&amp;2&quot;}">';
  const edited = editHtml(html, 'h:1', { develop: ['/x'], folder: '/f' });
  const attribute = /data-settings="([^"]*)"/.exec(edited)?.[1] ?? '';
  const uri = (path: string) => ({ scheme: 'vscode-remote', authority: 'h:1', path });
  assert.deepEqual(JSON.parse(attribute.replaceAll('&quot;', '"').replaceAll('&amp;', '&')), {
    a: '1&2',
    developmentOptions: { extensions: [uri('/x')] },
    folderUri: uri('/f'),
  });
});
