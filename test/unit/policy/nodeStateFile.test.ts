import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../../src/base/clock.ts';
import { GrantStore } from '../../../src/policy/grantStore.ts';
import { NodeStateFile } from '../../../src/policy/nodeStateFile.ts';
import { describe, it } from '../../helpers/nodeTest.ts';

const base = mkdtempSync(path.join(tmpdir(), 'state-'));
after(() => rmSync(base, { recursive: true, force: true }));
let made = 0;

function newPlace(): string {
  made += 1;
  return path.join(base, `folder-${made}`, 'grants.json');
}

describe('NodeStateFile', () => {
  it('is nothing until something is stored', async () => {
    const file = new NodeStateFile(newPlace());
    assert.deepEqual([await file.read(), await file.mark()], [undefined, undefined]);
    assert.equal(await file.update(() => undefined), undefined);
    assert.equal(existsSync(file.place), false);
  });

  it('stores a text that only its owner can read, and leaves nothing else behind', async () => {
    const file = new NodeStateFile(newPlace());
    const mark = await file.update((text) => {
      assert.equal(text, undefined);
      return 'one';
    });
    assert.deepEqual(await file.read(), { text: 'one', mark });
    assert.deepEqual(readdirSync(path.dirname(file.place)), ['grants.json']);
    if (process.platform !== 'win32') assert.equal(statSync(file.place).mode & 0o777, 0o600);
  });

  it('changes its mark with the text, and only then', async () => {
    const file = new NodeStateFile(newPlace());
    const first = await file.update(() => 'one');
    assert.equal(await file.update(() => undefined), first);
    assert.equal(await file.mark(), first);
    const second = await file.update(() => 'two');
    assert.notEqual(second, first);
    assert.deepEqual(await file.read(), { text: 'two', mark: second });
  });

  it('gives every change the text of the one before', async () => {
    const place = newPlace();
    const files = Array.from({ length: 5 }, () => new NodeStateFile(place));
    await Promise.all(
      files.flatMap((file) => Array.from({ length: 10 }, () => file.update((text = '') => `${text}x`))),
    );
    assert.equal(readFileSync(place, 'utf8'), 'x'.repeat(50));
    assert.deepEqual(readdirSync(path.dirname(place)), ['grants.json']);
  });

  it('leaves the old text if a change throws, and lets the next one in', async () => {
    const file = new NodeStateFile(newPlace());
    await file.update(() => 'old');
    await assert.rejects(
      file.update(() => {
        throw new RangeError('no');
      }),
      RangeError,
    );
    assert.equal((await file.read())?.text, 'old');
    await file.update(() => 'new');
    assert.equal((await file.read())?.text, 'new');
    assert.deepEqual(readdirSync(path.dirname(file.place)), ['grants.json']);
  });

  it('takes over the lock of a process that died', async () => {
    const file = new NodeStateFile(newPlace());
    await file.update(() => 'one');
    const lock = `${file.place}.lock`;
    writeFileSync(lock, 'somebody');
    const longAgo = new Date(Date.now() - 60_000);
    utimesSync(lock, longAgo, longAgo);
    await Promise.all([file.update(() => 'two'), new NodeStateFile(file.place).update((text) => `${text}+`)]);
    assert.match(readFileSync(file.place, 'utf8'), /^two\+?$/);
    assert.deepEqual(readdirSync(path.dirname(file.place)), ['grants.json']);
  });

  it('moves a broken text aside only if it still is there', async () => {
    const file = new NodeStateFile(newPlace());
    await file.update(() => 'broken');
    assert.equal(await file.setAside('another'), undefined);
    const kept = await file.setAside('broken');
    assert.ok(kept !== undefined);
    assert.equal(readFileSync(kept, 'utf8'), 'broken');
    assert.equal(await file.read(), undefined);
  });

  it('says what is wrong when the place cannot be used', async () => {
    const folder = path.dirname(newPlace());
    writeFileSync(folder, '');
    const file = new NodeStateFile(path.join(folder, 'grants.json'));
    await assert.rejects(
      file.update(() => 'x'),
      /EEXIST|ENOTDIR/,
    );
  });
});

describe('several windows as processes of their own', () => {
  it('lose nothing to each other', async () => {
    const place = newPlace();
    const script = fileURLToPath(new URL('stateFileWriter.ts', import.meta.url));
    const names = ['one', 'two', 'three'];
    const windows = names.map((name) =>
      spawn(process.execPath, [script, place, name, '9'], { stdio: ['ignore', 'ignore', 'inherit'] }),
    );
    const codes = await Promise.all(
      windows.map(async (window) => {
        const [code] = await once(window, 'exit');
        return code;
      }),
    );
    assert.deepEqual(codes, [0, 0, 0]);
    const store = new GrantStore(new NodeStateFile(place), systemClock);
    await store.refresh();
    const expected = names.flatMap((name) => [0, 1, 3, 4, 6, 7].map((index) => [`${name}-${index}`, 1]));
    const uses = store.records().map((record) => [record.grant.toolName, record.uses]);
    assert.deepEqual(Object.fromEntries(uses), Object.fromEntries(expected));
    store.dispose();
    assert.deepEqual(readdirSync(path.dirname(place)), ['grants.json']);
  });
});
