import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';

test('the official conformance suite has nothing to object to', () => {
  const run = path.resolve(import.meta.dirname, '../conformance/run.ts');
  const { status, stdout, stderr } = spawnSync(process.execPath, [run, '--no-auth'], { encoding: 'utf8' });
  assert.equal(status, 0, `${stdout}\n${stderr}`);
  assert.match(stdout, /^(\d+) of \1 scenarios passed\.$/m);
});
