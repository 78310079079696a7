import assert from 'node:assert/strict';
import { utimesSync } from 'node:fs';
import { basename } from 'node:path';
import { applyRetention, deleteHistory, planRetention } from '../../../src/audit/retention.ts';
import { verifyFolder } from '../../../src/audit/verifyFolder.ts';
import { type AuditKit, auditDigest, auditKit, makeCalls } from '../../helpers/auditKit.ts';
import { describe, it } from '../../helpers/nodeTest.ts';

const day = 86_400_000;
const none = { days: undefined, totalBytes: undefined };

describe('what is kept', () => {
  const file = (name: string, lastWritten: number, bytes = 100, live = false) => ({
    file: name,
    bytes,
    lastWritten,
    live,
  });
  const files = [
    file('new', 9 * day),
    file('old', 1 * day),
    file('mid', 5 * day),
    file('used', 0, 100, true),
  ];
  const plan = (limits: typeof none | { days?: number; totalBytes?: number }): string[] =>
    planRetention(files, { ...none, ...limits }, 10 * day).map(
      (removal) => `${removal.file} ${removal.cause}`,
    );
  const rows: readonly (readonly [limits: { days?: number; totalBytes?: number }, ...gone: string[]])[] = [
    [{}],
    [{ days: 10 }],
    [{ days: 6 }, 'old age'],
    [{ days: 0 }, 'old age', 'mid age', 'new age'],
    [{ totalBytes: 400 }],
    [{ totalBytes: 399 }, 'old totalSize'],
    [{ totalBytes: 250 }, 'old totalSize', 'mid totalSize'],
    [{ totalBytes: 0 }, 'old totalSize', 'mid totalSize', 'new totalSize'],
    [{ days: 6, totalBytes: 250 }, 'old age', 'mid totalSize'],
  ];
  it('is what is young enough and fits, and what is in use', () => {
    for (const [limits, ...gone] of rows) assert.deepEqual(plan(limits), gone, JSON.stringify(limits));
  });
});

/** Sessions that were closed 30, 20 and 10 days ago, and one that is open. */
async function aged(): Promise<{ kit: AuditKit; log: ReturnType<AuditKit['open']> }> {
  const kit = auditKit();
  for (const age of [30, 20, 10]) {
    const log = kit.open();
    await makeCalls(log, 3, `d${age}-`);
    const path = log.path ?? '';
    await log.close('x');
    const time = new Date(kit.clock.now() - age * day);
    utimesSync(path, time, time);
    kit.clock.advance(5_000);
  }
  const log = kit.open();
  await makeCalls(log, 1, 'now-');
  return { kit, log };
}

describe('deletion', () => {
  it('is on record, and then nothing is missed', async () => {
    const { kit, log } = await aged();
    const before = kit.files();
    const removed = await applyRetention(log, { ...none, days: 15 }, kit.clock.now());
    assert.deepEqual(
      removed.map(({ file, cause }) => [file, cause]),
      [
        [before[0], 'age'],
        [before[1], 'age'],
      ],
    );
    assert.deepEqual(kit.files(), before.slice(2));
    const noted = kit.records().filter((record) => record['kind'] === 'journalDeleted');
    assert.deepEqual(
      noted.map(({ file, cause, last }) => [file, cause, (last as { seq: number }).seq]),
      [
        [before[0], 'age', 8],
        [before[1], 'age', 8],
      ],
    );
    const { intact, findings } = await verifyFolder(kit.folder, { key: auditDigest });
    assert.deepEqual([intact, findings], [true, []]);
    await kit.end();
  });

  it('by total size takes the oldest', async () => {
    const { kit, log } = await aged();
    const before = kit.files();
    const removed = await applyRetention(log, { ...none, totalBytes: 1 }, kit.clock.now());
    assert.deepEqual(
      removed.map(({ file }) => file),
      before.slice(0, 3),
    );
    assert.deepEqual(kit.files(), before.slice(3));
    await kit.end();
  });

  it('leaves alone what another window still writes to', async () => {
    const { kit, log } = await aged();
    const other = kit.open();
    await makeCalls(other, 1, 'other-');
    await deleteHistory(log);
    assert.deepEqual(kit.files(), [log.path, other.path].map((path) => basename(path ?? '')).toSorted());
    await makeCalls(other, 1, 'more-');
    assert.equal(kit.kinds().includes('journalDisturbed'), false);
    await kit.end();
  });

  it('stays explained when the record of it is deleted too', async () => {
    const { kit, log } = await aged();
    // This one knows all the others, and stays.
    const witness = kit.open();
    await makeCalls(witness, 1, 'w-');
    await applyRetention(log, { ...none, days: 15 }, kit.clock.now());
    const path = log.path ?? '';
    await log.close('x');
    const old = new Date(kit.clock.now() - 100 * day);
    utimesSync(path, old, old);
    assert.deepEqual(
      (await applyRetention(witness, { ...none, days: 50 }, kit.clock.now())).map(({ file }) => file),
      [basename(path)],
    );
    const { intact, findings } = await verifyFolder(kit.folder, { key: auditDigest });
    assert.deepEqual([intact, findings], [true, []]);
    await kit.end();
  });

  it('by two windows at once is no trouble', async () => {
    const { kit, log } = await aged();
    const other = kit.open();
    await makeCalls(other, 1, 'o-');
    await Promise.all([log, other].map((one) => applyRetention(one, { ...none, days: 1 }, kit.clock.now())));
    assert.equal(kit.files().length, 2);
    const { intact, findings } = await verifyFolder(kit.folder, { key: auditDigest });
    assert.deepEqual([intact, findings], [true, []]);
    await kit.end();
  });
});

describe('rotation', () => {
  it('by size begins a new file within one chain', async () => {
    const kit = auditKit();
    const log = kit.open({ maximumFileBytes: 10_000 });
    await makeCalls(log, 60);
    await log.close('x');
    assert.ok(kit.files().length > 3);
    const causes = kit.records().flatMap(({ kind, cause }) => (kind === 'segmentOpened' ? [cause] : []));
    assert.deepEqual([...new Set(causes)], ['session', 'size']);
    assert.deepEqual(
      kit.records().map((record) => record['seq']),
      kit.records().map((_, index) => index + 1),
    );
    assert.equal((await verifyFolder(kit.folder, { key: auditDigest })).intact, true);
    await kit.end();
  });

  it('by day begins a new file at midnight UTC', async () => {
    const kit = auditKit();
    const log = kit.open();
    for (let days = 0; days < 3; days++) {
      await makeCalls(log, 1, `d${days}-`);
      kit.clock.advance(day);
    }
    const causes = kit.records().flatMap(({ kind, cause }) => (kind === 'segmentOpened' ? [cause] : []));
    assert.deepEqual(causes, ['session', 'day', 'day']);
    assert.deepEqual(
      kit.files().map((file) => file.slice(8, 16)),
      ['20231114', '20231115', '20231116'],
    );
    await kit.end();
  });
});
