import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { spawnSync } from 'node:child_process';
import { describe, it } from '../../helpers/nodeTest.ts';

// The stage runs in a process of its own, since Node's runner cannot run inside itself.
const stage = path.resolve(import.meta.dirname, '../../rig/runner/nodeStage.ts');
const program = (folder: string) => `
  const { nodeStage } = await import(${JSON.stringify(stage)});
  const lines = [];
  const run = { filters: [], verbose: false, editor: 'shim', signal: new AbortController().signal };
  const outcome = await nodeStage('x', ${JSON.stringify(folder)}, { concurrency: 2 })
    .run({ ...run, print: (line) => lines.push(line) });
  console.log(JSON.stringify({ outcome, text: lines.join('\\n') }));
`;

const start = "import test, { describe, before } from 'node:test';\n";
const rows = [
  {
    name: 'passing and skipped',
    code: "test('a', () => {}); test.skip('b');",
    counts: [1, 0, 1],
    says: /^$/,
  },
  { name: 'failing', code: "test('a', () => { throw new Error('why'); });", counts: [0, 1, 0], says: /why/ },
  {
    name: 'failing below a suite',
    code: "describe('s', () => { test('a', () => { throw new Error('why'); }); test('b', () => {}); });",
    counts: [1, 1, 0],
    says: /s › a[^]*why/,
  },
  {
    name: 'a hook that fails',
    code: "describe('s', () => { before(() => { throw new Error('hook'); }); test('a', () => {}); });",
    counts: [0, 2, 0],
    says: /hook/,
  },
  { name: 'no test', code: "console.log('nothing');", counts: [0, 1, 0], says: /ran no test/ },
  {
    name: 'a syntax error',
    code: "test('a', () => {}); await import('./none.ts');",
    counts: [1, 1, 0],
    says: /none/,
  },
  {
    name: 'an exit with code 0 in the middle',
    code: "test('a', () => {}); test('b', () => { process.exit(0); }); test('c', () => {});",
    counts: [0, 1, 0],
    says: /ended before its tests did/,
  },
  {
    name: 'an exit with another code',
    code: "test('a', () => { console.log('last words'); process.exit(3); });",
    counts: [0, 1, 0],
    says: /last words/,
  },
];

describe('counting the tests of Node’s runner', () => {
  for (const { name, code, counts, says } of rows)
    it(name, () => {
      const folder = mkdtempSync(path.join(tmpdir(), 'cs-tally-'));
      try {
        writeFileSync(path.join(folder, 'row.test.ts'), start + code);
        const { NODE_TEST_CONTEXT: _, ...env } = process.env;
        const main = path.join(folder, 'main.mjs');
        writeFileSync(main, program(folder));
        const child = spawnSync(process.execPath, [main], { encoding: 'utf8', env });
        const { outcome, text } = JSON.parse(child.stdout || JSON.stringify({ text: child.stderr }));
        const [passed, failed, skipped] = counts;
        assert.deepEqual(outcome, { passed, failed, skipped }, text);
        assert.match(text, says);
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
});
