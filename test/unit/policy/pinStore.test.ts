import assert from 'node:assert/strict';
import { PinStore } from '../../../src/policy/pinStore.ts';
import { ManualClock } from '../../helpers/manualClock.ts';
import { MemoryStateFile } from '../../helpers/memoryStateFile.ts';
import { describe, it } from '../../helpers/nodeTest.ts';

const key = { serverId: 'github', workspace: undefined, toolName: 'search' };
const pins = { tool: 'sha256:tool', launch: 'sha256:launch' };
const snapshots = { tool: { name: 'search' }, launch: { command: 'npx' } };
const never = { isNew: true, toolChanged: false, launchChanged: false, calls: 0 };

async function open(file: MemoryStateFile, clock = new ManualClock()): Promise<PinStore> {
  const store = new PinStore(file, clock);
  await store.refresh();
  return store;
}

describe('PinStore', () => {
  it('knows nothing at first', async () => {
    const store = await open(new MemoryStateFile());
    assert.deepEqual(store.history(key, pins), never);
    assert.equal(store.isLaunchTrusted('github', undefined, 'sha256:launch'), false);
  });

  it('tells what has changed since a person allowed, over a restart', async () => {
    const file = new MemoryStateFile();
    const first = await open(file);
    await first.recordAllowed(key, pins, snapshots);
    first.recordCall(key);
    await first.flush();
    const store = await open(file);
    const allowed = { isNew: false, toolChanged: false, launchChanged: false, calls: 1 };
    assert.deepEqual(store.history(key, pins), allowed);
    assert.deepEqual(store.history(key, { ...pins, tool: 'sha256:x' }), { ...allowed, toolChanged: true });
    assert.deepEqual(store.history(key, { ...pins, launch: 'sha256:x' }), {
      ...allowed,
      launchChanged: true,
    });
    assert.deepEqual(store.snapshot('sha256:tool'), { name: 'search' });
    assert.deepEqual(store.snapshot('sha256:launch'), { command: 'npx' });
  });

  it('keeps tools apart by server, workspace and name', async () => {
    const store = await open(new MemoryStateFile());
    await store.recordAllowed({ ...key, workspace: 'w' }, pins, snapshots);
    for (const other of [key, { ...key, workspace: 'v' }, { ...key, serverId: 'x', workspace: 'w' }]) {
      assert.deepEqual(store.history(other, pins), never);
    }
  });

  it('forgets definitions that nothing refers to', async () => {
    const store = await open(new MemoryStateFile());
    await store.recordAllowed(key, pins, snapshots);
    await store.recordAllowed(key, { ...pins, tool: 'sha256:new' }, { ...snapshots, tool: { name: 'new' } });
    assert.equal(store.snapshot('sha256:tool'), undefined);
    assert.deepEqual(store.snapshot('sha256:new'), { name: 'new' });
  });

  it('does not keep a definition of monstrous size', async () => {
    const store = await open(new MemoryStateFile());
    await store.recordAllowed(key, pins, { ...snapshots, tool: { name: 'x'.repeat(300_000) } });
    assert.equal(store.snapshot('sha256:tool'), undefined);
    assert.deepEqual(store.history(key, pins).toolChanged, false);
  });

  it('writes only when something is new', async () => {
    const file = new MemoryStateFile();
    const store = await open(file);
    await store.recordAllowed(key, pins, snapshots);
    const { writes } = file;
    await store.recordAllowed(key, pins, snapshots);
    assert.equal(file.writes, writes);
  });

  it('counts calls of several windows', async () => {
    const file = new MemoryStateFile();
    const clock = new ManualClock();
    const [one, two] = [await open(file, clock), await open(file, clock)];
    one.recordCall(key);
    one.recordCall(key);
    two.recordCall(key);
    assert.equal(one.history(key, pins).calls, 2);
    clock.advance(2000);
    await Promise.all([one.flush(), two.flush()]);
    await one.refresh();
    await one.refresh();
    assert.equal(one.history(key, pins).calls, 3);
  });

  it('trusts a launch in its workspace, one at a time, until that is taken back', async () => {
    const file = new MemoryStateFile();
    const clock = new ManualClock();
    const store = await open(file, clock);
    await store.trustLaunch({ serverId: 'db', workspace: 'w', fingerprint: 'sha256:1' }, { command: 'a' });
    assert.equal(store.isLaunchTrusted('db', 'w', 'sha256:1'), true);
    assert.equal(store.isLaunchTrusted('db', 'v', 'sha256:1'), false);
    assert.equal(store.isLaunchTrusted('db', undefined, 'sha256:1'), false);
    assert.equal(store.isLaunchTrusted('db', 'w', 'sha256:2'), false);
    await store.trustLaunch({ serverId: 'db', workspace: 'w', fingerprint: 'sha256:2' }, { command: 'b' });
    assert.equal(store.isLaunchTrusted('db', 'w', 'sha256:1'), false);
    const other = await open(file, clock);
    assert.deepEqual(other.lastTrustedLaunch('db', 'w'), {
      serverId: 'db',
      workspace: 'w',
      fingerprint: 'sha256:2',
      trustedAt: clock.now(),
    });
    assert.deepEqual(other.snapshot('sha256:2'), { command: 'b' });
    await other.distrustLaunch('db', 'w');
    await store.refresh();
    assert.equal(store.isLaunchTrusted('db', 'w', 'sha256:2'), false);
  });

  it('trusts nothing when its storage is broken', async () => {
    const file = new MemoryStateFile();
    const store = await open(file);
    await store.trustLaunch({ serverId: 'db', workspace: 'w', fingerprint: 'sha256:1' }, undefined);
    for (const text of ['{', '{"version":1}', (file.text ?? '').replace('"fingerprint"', '"print"')]) {
      const broken = new MemoryStateFile(text);
      const other = await open(broken);
      assert.equal(other.isLaunchTrusted('db', 'w', 'sha256:1'), false);
      assert.deepEqual(broken.aside, [text]);
    }
  });
});
